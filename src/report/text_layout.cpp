#include "report/text_layout.hpp"

#include <algorithm>

#include "util/text.hpp"

namespace spineweave::report {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kLeastText = 4;
constexpr std::string_view kEllipsis = "…";

bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

// Bytes that the first `columns` code points take.
std::size_t bytes_of(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if (!continues_code_point(text[at]) && columns-- == 0) break;
  return at;
}

std::string_view escape_of(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::strong:
      return "\x1b[1m";
    case Tone::good:
      return "\x1b[32m";
    case Tone::bad:
      return "\x1b[31m";
    case Tone::faint:
      return "\x1b[2m";
  }
  return "";
}

}  // namespace

std::string paint(std::string_view text, Tone tone, bool color) {
  if (!color || tone == Tone::plain || text.empty()) return std::string(text);
  return std::string(escape_of(tone)).append(text).append("\x1b[0m");
}

std::string printable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    // U+0080 to U+009F, two bytes each, steer terminals as well: U+009B does what ESC [ does.
    const bool starts_control = byte == 0xc2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0;
    if (starts_control) ++at;
    clean += starts_control || byte < 0x20 || byte == 0x7f ? '?' : text[at];
  }
  return clean;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !continues_code_point(c); }));
}

std::string shorten(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  return std::string(text.substr(0, bytes_of(text, width - 1))).append(kEllipsis);
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  const std::size_t line_width = std::max(width, indent + kLeastText);
  std::string wrapped;
  std::size_t column = 0;
  bool line_is_empty = true;
  const auto start_line = [&] {
    wrapped += '\n';
    wrapped.append(indent, ' ');
    column = indent;
    line_is_empty = true;
  };
  for (std::string_view word : util::split(text, ' ')) {
    if (!line_is_empty && column + 1 + display_width(word) > line_width) start_line();
    while (line_is_empty && column + display_width(word) > line_width) {
      const std::size_t head = bytes_of(word, line_width - column);
      wrapped.append(word.substr(0, head));
      word.remove_prefix(head);
      start_line();
    }
    if (!line_is_empty) wrapped += ' ', ++column;
    wrapped.append(word);
    column += display_width(word);
    line_is_empty = false;
  }
  return wrapped;
}

std::vector<std::size_t> Table::fit_widths(std::size_t width) const {
  std::vector<std::size_t> widths;
  std::size_t total = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(display_width(columns_[c].header));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], display_width(row[c].text));
    total += kGap + widths[c];
  }
  // Take from the widest text column, one at a time, so that short ones stay whole.
  while (total > width) {
    std::size_t widest = columns_.size();
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].is_text && widths[c] > kLeastText && (widest == columns_.size() || widths[c] > widths[widest]))
        widest = c;
    if (widest == columns_.size()) break;
    --widths[widest], --total;
  }
  return widths;
}

std::string Table::render(std::size_t width, bool color) const {
  const std::vector<std::size_t> widths = fit_widths(width);
  std::string text;
  const auto add_line = [&](const auto& cell_at) {
    std::string padding;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Cell cell = cell_at(c);
      const std::string shown = shorten(cell.text, widths[c]);
      const std::string fill(widths[c] - display_width(shown), ' ');
      text += padding + std::string(kGap, ' ') + (columns_[c].is_text ? "" : fill) + paint(shown, cell.tone, color);
      padding = columns_[c].is_text ? fill : "";
    }
    text += '\n';
  };
  add_line([&](std::size_t c) { return Cell{columns_[c].header, Tone::faint}; });
  for (const auto& row : rows_) add_line([&](std::size_t c) { return row[c]; });
  return text;
}

}  // namespace spineweave::report
