#include "report/html.hpp"

#include <fmt/format.h>

namespace spineweave::report {

std::string escape_html(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? '?' : c;
    }
  }
  return escaped;
}

std::string script_string(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const bool is_plain =
        static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&';
    literal += is_plain ? std::string(1, c) : fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
  }
  return literal + '"';
}

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const std::uint32_t group = std::uint32_t{bytes[i]} << 16U | (left > 1 ? std::uint32_t{bytes[i + 1]} << 8U : 0U) |
                                (left > 2 ? std::uint32_t{bytes[i + 2]} : 0U);
    text += alphabet[group >> 18U];
    text += alphabet[group >> 12U & 63U];
    text += left > 1 ? alphabet[group >> 6U & 63U] : '=';
    text += left > 2 ? alphabet[group & 63U] : '=';
  }
  return text;
}

}  // namespace spineweave::report
