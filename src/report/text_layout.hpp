// Text that fits a terminal: wrapped paragraphs and tables with aligned columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spineweave::report {

enum class Tone : std::uint8_t { plain, strong, good, bad, faint };

// Between the escape sequences of the tone, or as it is where `color` is off.
[[nodiscard]] std::string paint(std::string_view text, Tone tone, bool color);

// Names from files may hold anything: control characters, which could steer the terminal, become '?'.
[[nodiscard]] std::string printable(std::string_view text);
// Columns that UTF-8 text takes, one per code point.
[[nodiscard]] std::size_t display_width(std::string_view text);
// At most that many columns, the last one an ellipsis where something was cut.
[[nodiscard]] std::string shorten(std::string_view text, std::size_t width);
// Lines of at most `width` columns, broken at spaces (inside a word only where it is longer than a
// line), those after the first indented.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

struct Cell {
  std::string text;
  Tone tone = Tone::plain;
};

struct Column {
  std::string header;
  bool is_text = false;  // left-aligned and cut where the table is too wide; else right-aligned
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add_row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  // Two spaces before and between columns. Text columns share what the others leave.
  [[nodiscard]] std::string render(std::size_t width, bool color) const;

 private:
  [[nodiscard]] std::vector<std::size_t> fit_widths(std::size_t width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace spineweave::report
