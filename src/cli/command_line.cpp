#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxopts.hpp>

#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave::cli {
namespace {

constexpr std::size_t kHelpWidth = 80;
const std::string kGeneral = "General";

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

}  // namespace

struct CommandLine::Parser {
  cxxopts::Options options;
  cxxopts::ParseResult result;
};

CommandLine::CommandLine(const Manual& manual)
    : manual_(manual),
      parser_(std::make_unique<Parser>(Parser{
          cxxopts::Options(fmt::format("spineweave {}", manual.verb), fmt::format("{}\n", manual.summary)), {}})) {
  parser_->options.custom_help(std::string(manual.usage)).positional_help("").set_width(kHelpWidth);
  // With cxxopts' own refusal there would be no name to find the nearest option for.
  parser_->options.allow_unrecognised_options();
  parser_->options.add_options(kGeneral)("h,help", "Show this help");
}

CommandLine::~CommandLine() = default;

void CommandLine::read_environment(const std::string& prefix) { prefix_ = prefix; }

std::string CommandLine::with_variable(const std::string& names, const std::string& description, bool is_flag) {
  if (prefix_.empty()) return description;
  const std::string option = names.substr(names.find(',') + 1);  // the long name
  std::string variable = prefix_ + '_' + option;
  for (char& c : variable) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  variables_[option] = {variable, is_flag, false};
  return fmt::format("{} [{}]", description, variable);
}

Arguments CommandLine::arguments_from_environment() {
  Arguments arguments;
  for (auto& [option, variable] : variables_) {
    const char* value = std::getenv(variable.name.c_str());
    if (value == nullptr || *value == '\0' || has(option)) continue;
    const std::string_view text = value;
    if (variable.is_flag && text != "true" && text != "false")
      refuse(fmt::format("{} is '{}'; expected true or false", variable.name, text));
    if (variable.is_flag && text == "false") continue;
    arguments.push_back(variable.is_flag ? "--" + option : fmt::format("--{}={}", option, text));
    variable.is_used = true;
  }
  return arguments;
}

void CommandLine::note_group(const std::string& group) {
  if (std::find(groups_.begin(), groups_.end(), group) == groups_.end()) groups_.push_back(group);
}

void CommandLine::add_option(const std::string& group, const std::string& names, const std::string& description,
                             const std::string& value_name) {
  note_group(group);
  parser_->options.add_options(group)(names, with_variable(names, description, false), cxxopts::value<std::string>(),
                                      value_name);
}

void CommandLine::add_flag(const std::string& group, const std::string& names, const std::string& description) {
  note_group(group);
  parser_->options.add_options(group)(names, with_variable(names, description, true));
}

void CommandLine::add_positional(const std::string& name) {
  positionals_.push_back(name);
  parser_->options.add_options(kGeneral)(name, "", cxxopts::value<std::string>());
  parser_->options.parse_positional(positionals_);
}

void CommandLine::parse_with_library(const Arguments& arguments) {
  std::vector<const char*> argv = {"spineweave"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  try {
    parser_->result = parser_->options.parse(static_cast<int>(argv.size()), argv.data());
  } catch (const cxxopts::exceptions::exception& error) {
    refuse(error.what());
  }
}

bool CommandLine::parse(const Arguments& arguments) {
  parse_with_library(arguments);
  if (has("help")) {
    print_help();
    return false;
  }
  // In this order: an option that swallowed the next one leaves the next one's value over.
  refuse_repeated_and_empty();
  refuse_unknown();
  if (Arguments more = arguments_from_environment(); !more.empty()) {
    more.insert(more.begin(), arguments.begin(), arguments.end());
    parse_with_library(more);
  }
  return true;
}

void CommandLine::refuse_unknown() const {
  if (parser_->result.unmatched().empty()) return;
  const std::string& culprit = parser_->result.unmatched().front();
  if (!culprit.starts_with('-')) refuse(fmt::format("unexpected argument '{}'", culprit));
  std::vector<std::string> names;
  for (const std::string& group : parser_->options.groups())
    for (const cxxopts::HelpOptionDetails& option : parser_->options.group_help(group).options)
      for (const std::string& name : option.l)
        if (std::find(positionals_.begin(), positionals_.end(), name) == positionals_.end())
          names.push_back("--" + name);
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string name = culprit.substr(0, culprit.find('='));
  refuse(util::with_hint(fmt::format("unknown option '{}'", name), name, known));
}

void CommandLine::refuse_repeated_and_empty() const {
  for (const cxxopts::KeyValue& entry : parser_->result.arguments()) {
    if (parser_->result.count(entry.key()) > 1) refuse(fmt::format("{} is given more than once", shown(entry.key())));
    // cxxopts takes the next word for a value, whatever it is.
    if (entry.value().empty() || entry.value().starts_with("--"))
      refuse(fmt::format("{} has no value", shown(entry.key())));
  }
}

void CommandLine::print_help() const {
  std::vector<std::string> groups = groups_;
  groups.push_back(kGeneral);
  const std::string wrapped = parser_->options.help(groups);
  std::string help;  // lines are broken behind spaces, which are left at their ends
  for (const std::string_view line : util::split(wrapped, '\n'))
    help += fmt::format("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  fmt::print("{}Examples:\n{}\n", help, manual_.examples);
}

std::string CommandLine::shown(const std::string& name) const {
  const auto variable = variables_.find(name);
  if (variable != variables_.end() && variable->second.is_used) return variable->second.name;
  const bool positional = std::find(positionals_.begin(), positionals_.end(), name) != positionals_.end();
  return positional ? name : "--" + name;
}

bool CommandLine::has(const std::string& name) const { return parser_->result.count(name) > 0; }

std::optional<std::string> CommandLine::text(const std::string& name) const {
  if (!has(name)) return std::nullopt;
  return parser_->result[name].as<std::string>();
}

std::string CommandLine::required(const std::string& name) const {
  const auto value = text(name);
  if (!value) refuse(fmt::format("{} is missing", shown(name)));
  return *value;
}

std::uint64_t CommandLine::number_or(const std::string& name, std::uint64_t fallback, std::uint64_t least,
                                     std::uint64_t most) const {
  const auto value = text(name);
  if (!value) return fallback;
  const auto number = util::parse_unsigned(*value);
  if (!number || *number < least || *number > most)
    refuse(fmt::format("{} is '{}'; expected a whole number from {} to {}", shown(name), *value, least, most));
  return *number;
}

std::optional<std::uint64_t> CommandLine::duration_ns(const std::string& name) const {
  const auto value = text(name);
  if (!value) return std::nullopt;
  const auto duration = util::parse_duration_ns(*value);
  if (!duration || *duration == 0)
    refuse(fmt::format("{} is '{}'; expected a time with its unit, such as 50ms, 2s or 1min", shown(name), *value));
  return duration;
}

std::optional<std::size_t> CommandLine::choice(const std::string& name,
                                               std::span<const std::string_view> choices) const {
  const auto value = text(name);
  if (!value) return std::nullopt;
  const auto place = std::find(choices.begin(), choices.end(), *value);
  if (place == choices.end())
    refuse(util::with_hint(fmt::format("{} is '{}'; expected one of {}", shown(name), *value, fmt::join(choices, ", ")),
                           *value, choices));
  return static_cast<std::size_t>(place - choices.begin());
}

}  // namespace spineweave::cli
