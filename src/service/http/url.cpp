#include "service/http/url.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

#include "util/text.hpp"

namespace spineweave::service::http {
namespace {

constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

std::optional<std::string> decoded_value(std::string_view text) {
  std::string spaced(text);
  for (char& c : spaced)
    if (c == '+') c = ' ';
  return percent_decoded(spaced);
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text) {
  constexpr std::size_t kDigits = 2;
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    const std::string_view digits = text.substr(at + 1, kDigits);
    unsigned value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != kDigits || error != std::errc() || end != digits.data() + kDigits || value == 0)
      return std::nullopt;
    out += static_cast<char>(value);
    at += kDigits;
  }
  return out;
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::optional<Target> parse_target(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  const std::size_t mark = text.find('?');
  Target target{text.substr(0, mark), {}};
  if (mark == std::string_view::npos) return target;
  for (const std::string_view pair : util::split(text.substr(mark + 1), '&')) {
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const auto name = decoded_value(pair.substr(0, equals));
    const auto value = decoded_value(equals == std::string_view::npos ? "" : pair.substr(equals + 1));
    if (!name || !value) return std::nullopt;
    target.query.emplace_back(*name, *value);
  }
  return target;
}

}  // namespace spineweave::service::http
