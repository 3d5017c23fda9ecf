// Options that say where results go, checked before any work is done.
#pragma once

#include <optional>
#include <string>

#include "cli/command_line.hpp"
#include "spineweave/report.hpp"

namespace spineweave::cli {

// Throws Error{usage} unless a file can be written there: "-" is standard output.
void check_output_path(const std::string& option, const std::string& path);
// The value of an option, checked so.
[[nodiscard]] std::optional<std::string> checked_output(const CommandLine& line, const std::string& option);

// Width of the terminal (COLUMNS wins, 80 elsewhere), and colour where --color or the terminal says so.
void add_color_option(CommandLine& line);
[[nodiscard]] TextStyle text_style(const CommandLine& line);

// Writes all of it to standard output. Throws Error{internal} where that fails, on a full disk say.
void print_text(const std::string& text);

// The results of a run, all written at its end, so that a run that fails replaces nothing.
class Outputs {
 public:
  static void add_options(CommandLine& line);  // --output, --report, --html, --quiet, --color
  // Throws Error{usage}: a folder that does not exist, one path for two results, and the like.
  explicit Outputs(const CommandLine& line);

  void write(const Report& report) const;
  // The routing is the best one; there is no page.
  void write(const RankingReport& report) const;

 private:
  class Files;
  void save_routing(Files& files, const Problem& problem, const Solution& solution) const;

  std::optional<std::string> routing_, report_, html_;
  bool print_text_ = true;
  TextStyle style_;
};

}  // namespace spineweave::cli
