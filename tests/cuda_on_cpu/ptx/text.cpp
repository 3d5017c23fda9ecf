#include "cuda_on_cpu/ptx/text.hpp"

#include <algorithm>
#include <charconv>

#include "cuda_on_cpu/ptx/arithmetic.hpp"

namespace ptx {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_debug_line(std::string_view line) {
  const std::string_view directive = take_word(line);
  return directive == ".loc" || directive == ".file";
}

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string_view take_word(std::string_view& text) {
  text = trim(text);
  const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
  const std::string_view word = text.substr(0, end);
  text = trim(text.substr(end));
  return word;
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  if (trim(text).empty()) return parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (c == ',' && (depth == 0 || at == text.size())) {
      parts.push_back(trim(text.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  return parts;
}

std::string strip_comments(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.find('"') == std::string_view::npos) line = line.substr(0, line.find("//"));
    if (!is_debug_line(line)) result.append(line).push_back('\n');
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

bool parse_number(std::string_view text, std::uint64_t& value) {
  const bool is_float = text.size() > 2 && text[0] == '0' && std::string_view("fFdD").find(text[1]) != text.npos;
  if (!is_float) return parse_integer(text, value);
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_integer(std::string_view text, std::uint64_t& value) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.ends_with('U')) text.remove_suffix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if (negative) value = 0 - value;
  return true;
}

Declaration parse_declaration(std::string_view text) {
  Declaration result;
  bool is_aligned = false;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    if (word == ".align") {
      std::uint64_t value = 1;
      parse_integer(take_word(text), value);
      result.alignment = static_cast<std::uint32_t>(value);
      is_aligned = true;
    } else if (word.starts_with('.')) {
      const Type type = parse_type(word.substr(1));
      if (type.bits != 0) {
        result.kind = type.kind;
        result.element_bytes = std::max(type.bits / 8, 1U);
      }
    } else {
      result.name += word;
    }
  }
  if (!is_aligned) result.alignment = std::max(result.element_bytes, 1U);
  result.bytes = result.element_bytes;
  for (std::size_t open = result.name.find('['); open != std::string::npos; open = result.name.find('[', open + 1)) {
    result.is_array = true;
    const std::size_t close = std::min(result.name.find(']', open), result.name.size());
    std::uint64_t count = 0;
    result.is_sized = parse_integer(std::string_view(result.name).substr(open + 1, close - open - 1), count);
    result.bytes *= count;
  }
  result.name.resize(std::min(result.name.find('['), result.name.size()));
  return result;
}

}  // namespace ptx
