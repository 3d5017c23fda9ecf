// One verb's command line: cxxopts behind checks, help and near misses of our own.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spineweave::cli {

using Arguments = std::vector<std::string>;  // what follows the verb

// What --help says beside the options.
struct Manual {
  std::string_view verb;
  std::string_view summary;   // one line
  std::string_view usage;     // what follows the verb
  std::string_view examples;  // lines of the form "  spineweave ..."
};

class CommandLine {
 public:
  explicit CommandLine(const Manual& manual);
  ~CommandLine();

  // Options that come after this call and are not given may stand in the environment: --state-dir as
  // PREFIX_STATE_DIR, a flag as true or false. --help says so.
  void read_environment(const std::string& prefix);

  // `names` is "s,seed" or "seed". Groups are shown in the order of their first option.
  void add_option(const std::string& group, const std::string& names, const std::string& description,
                  const std::string& value_name);
  void add_flag(const std::string& group, const std::string& names, const std::string& description);
  // An argument without a dash; their order is the order of the calls.
  void add_positional(const std::string& name);

  // False where --help was asked for; it is printed then.
  // Throws Error{usage}: an unknown option (with the nearest), one given twice or without a value, a
  // positional argument too many.
  [[nodiscard]] bool parse(const Arguments& arguments);

  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] std::optional<std::string> text(const std::string& name) const;
  [[nodiscard]] std::string required(const std::string& name) const;
  [[nodiscard]] std::uint64_t number_or(const std::string& name, std::uint64_t fallback, std::uint64_t least,
                                        std::uint64_t most) const;
  [[nodiscard]] std::optional<std::uint64_t> duration_ns(const std::string& name) const;
  // The place of the value in `choices`.
  [[nodiscard]] std::optional<std::size_t> choice(const std::string& name,
                                                  std::span<const std::string_view> choices) const;
  // What a refusal calls it: "--seed", or the variable of the environment that its value came from.
  [[nodiscard]] std::string shown(const std::string& name) const;

 private:
  void note_group(const std::string& group);
  // The description with the option's twin in the environment behind it.
  [[nodiscard]] std::string with_variable(const std::string& names, const std::string& description, bool is_flag);
  // What the environment says of options that `parse` did not see.
  [[nodiscard]] Arguments arguments_from_environment();
  void parse_with_library(const Arguments& arguments);
  void refuse_unknown() const;
  void refuse_repeated_and_empty() const;
  void print_help() const;

  Manual manual_;
  struct Parser;  // cxxopts takes seconds to compile, and every verb includes this file
  std::unique_ptr<Parser> parser_;
  std::vector<std::string> groups_;
  std::vector<std::string> positionals_;

  struct Variable {
    std::string name;
    bool is_flag = false;
    bool is_used = false;
  };
  std::string prefix_;                         // empty: the environment has no say
  std::map<std::string, Variable> variables_;  // by option
};

}  // namespace spineweave::cli
