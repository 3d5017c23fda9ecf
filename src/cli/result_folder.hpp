// A folder that a run puts several files into.
#pragma once

#include <optional>
#include <string>

#include "cli/command_line.hpp"

namespace spineweave::cli {

// It is there, or is made in one that is; without --output nothing is saved.
class ResultFolder {
 public:
  // `content`: what --help says goes there.
  static void add_option(CommandLine& line, const std::string& content);
  // Throws Error{usage} where the folder cannot be written.
  explicit ResultFolder(const CommandLine& line);

  [[nodiscard]] bool is_wanted() const { return path_.has_value(); }
  // `name` may lie in a folder of its own.
  void save(const std::string& name, const std::string& content);
  // "wrote a, b", or empty.
  [[nodiscard]] std::string line() const;

 private:
  static void make(const std::string& folder);

  std::optional<std::string> path_;
  std::vector<std::string> saved_;
};

}  // namespace spineweave::cli
