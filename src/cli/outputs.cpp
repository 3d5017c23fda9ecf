#include "cli/outputs.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "spineweave/error.hpp"
#include "spineweave/io.hpp"
#include "util/text.hpp"

namespace spineweave::cli {
namespace {

const std::string kGroup = "Output";
constexpr std::uint32_t kNarrowest = 60;
constexpr std::uint32_t kWidest = 200;

std::uint32_t terminal_width() {
  std::uint64_t width = TextStyle{}.width;
  winsize size{};
  const char* columns = std::getenv("COLUMNS");
  if (const auto number = util::parse_unsigned(columns == nullptr ? "" : columns)) {
    width = *number;
  } else if (isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width = size.ws_col;
  }
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(width, kNarrowest, kWidest));
}

// See no-color.org.
bool terminal_has_color() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0') && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

}  // namespace

void check_output_path(const std::string& option, const std::string& path) {
  namespace fs = std::filesystem;
  if (path == "-") return;
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw Error(ErrorCode::usage, fmt::format("{}: {} is a folder; expected a file", option, path));
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, ignored))
    throw Error(ErrorCode::usage, fmt::format("{}: the folder {} does not exist", option, folder.string()));
  if (access(folder.c_str(), W_OK) != 0)
    throw Error(ErrorCode::usage, fmt::format("{}: the folder {} cannot be written to", option, folder.string()));
}

std::optional<std::string> checked_output(const CommandLine& line, const std::string& option) {
  auto path = line.text(option);
  if (path) check_output_path("--" + option, *path);
  return path;
}

void add_color_option(CommandLine& line) {
  line.add_option(kGroup, "color", "Colour the text: auto, always or never (default: auto)", "WHEN");
}

TextStyle text_style(const CommandLine& line) {
  constexpr std::array<std::string_view, 3> choices = {"auto", "always", "never"};
  TextStyle style;
  style.width = terminal_width();
  const std::size_t color = line.choice("color", choices).value_or(0);
  style.color = color == 1 || (color == 0 && terminal_has_color());
  return style;
}

void print_text(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error(ErrorCode::internal, "standard output cannot be written to");
}

void Outputs::add_options(CommandLine& line) {
  line.add_option(kGroup, "o,output", "Write the routing (JSON); '-' is standard output", "FILE");
  line.add_option(kGroup, "report", "Write the report (JSON)", "FILE");
  line.add_option(kGroup, "html", "Write the report as one page with pictures (HTML)", "FILE");
  line.add_flag(kGroup, "q,quiet", "Print no report and no progress");
  add_color_option(line);
}

Outputs::Outputs(const CommandLine& line)
    : routing_(checked_output(line, "output")),
      report_(checked_output(line, "report")),
      html_(checked_output(line, "html")),
      style_(text_style(line)) {
  const std::array<const std::optional<std::string>*, 3> paths = {&routing_, &report_, &html_};
  for (std::size_t i = 0; i < paths.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (*paths[i] && *paths[i] == *paths[k])
        throw Error(ErrorCode::usage, fmt::format("two results cannot both be written to {}", **paths[i]));
  const bool piped = std::any_of(paths.begin(), paths.end(), [](const auto* path) { return *path == "-"; });
  print_text_ = !piped && !line.has("quiet");
}

// What was written, for the line that says so.
class Outputs::Files {
 public:
  void save(const std::string& path, const std::string& content) {
    write_file(path, content);
    note(path);
  }
  void note(const std::string& path) { line_ += (line_.empty() ? "wrote " : ", ") + path; }
  void print_line() const {
    if (!line_.empty()) print_text(line_ + "\n");
  }

 private:
  std::string line_;
};

void Outputs::save_routing(Files& files, const Problem& problem, const Solution& solution) const {
  if (!routing_) return;
  spineweave::save_routing(*routing_, problem, solution.routing, fmt::format("{:016x}", solution.digest));
  files.note(*routing_);
}

void Outputs::write(const Report& report) const {
  Files files;
  if (print_text_) print_text(report_text(report, style_));
  save_routing(files, *report.problem, report.result.solution);
  if (report_) files.save(*report_, write_json(report_document(report)));
  if (html_) files.save(*html_, report_html(report));
  if (print_text_) files.print_line();
}

void Outputs::write(const RankingReport& report) const {
  Files files;
  if (print_text_) print_text(ranking_text(report, style_));
  save_routing(files, *report.problem, report.ranking.best);
  if (report_) files.save(*report_, write_json(ranking_document(report)));
  if (print_text_) files.print_line();
}

}  // namespace spineweave::cli
