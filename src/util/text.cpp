#include "util/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "spineweave/error.hpp"

namespace spineweave::util {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Unit {
  std::string_view name;
  double factor;
};

// A number followed by one of the units; nothing for another unit or none.
std::optional<std::uint64_t> parse_with_unit(std::string_view text, std::span<const Unit> units) {
  const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto number = parse_double(text.substr(0, digits));
  if (!number) return std::nullopt;
  for (const Unit& unit : units) {
    if (unit.name != text.substr(digits)) continue;
    const double value = std::round(*number * unit.factor);
    if (value > 9.0e18) return std::nullopt;
    return static_cast<std::uint64_t>(value);
  }
  return std::nullopt;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i, ++j;
      continue;
    }
    while (i < a.size() && a[i] == '0') ++i;
    while (j < b.size() && b[j] == '0') ++j;
    const std::size_t i_begin = i;
    const std::size_t j_begin = j;
    while (i < a.size() && is_digit(a[i])) ++i;
    while (j < b.size() && is_digit(b[j])) ++j;
    if (i - i_begin != j - j_begin) return i - i_begin < j - j_begin;
    const int order = a.substr(i_begin, i - i_begin).compare(b.substr(j_begin, j - j_begin));
    if (order != 0) return order < 0;
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  constexpr Unit units[] = {
      {"B", 1},     {"kB", 1e3},     {"KB", 1e3},        {"MB", 1e6},           {"GB", 1e9},
      {"TB", 1e12}, {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0}};
  return parse_with_unit(text, units);
}

std::optional<std::uint64_t> parse_duration_ns(std::string_view text) {
  constexpr Unit units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 6e10}, {"h", 3.6e12}};
  return parse_with_unit(text, units);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string_view trim(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string join_names(std::span<const std::string> names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

std::string suggest(std::string_view name, std::span<const std::string_view> known) {
  std::size_t nearest = std::max<std::size_t>(2, name.size() / 3) + 1;
  std::vector<std::string_view> best;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < nearest) nearest = distance, best.clear();
    if (distance == nearest && best.size() < 3 && nearest <= std::max<std::size_t>(2, name.size() / 3))
      best.push_back(candidate);
  }
  if (best.empty()) return {};
  return fmt::format("did you mean {}?", fmt::join(best, ", "));
}

std::string with_hint(std::string message, std::string_view name, std::span<const std::string_view> known) {
  const std::string hint = suggest(name, known);
  return hint.empty() ? message : message + "; " + hint;
}

Spec parse_spec(std::string_view text) {
  Spec spec;
  const auto colon = text.find(':');
  spec.kind = std::string(text.substr(0, colon));
  if (colon == std::string_view::npos || colon + 1 == text.size()) return spec;
  for (const std::string_view part : split(text.substr(colon + 1), ',')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == part.size())
      throw Error(ErrorCode::usage, fmt::format("spec '{}': '{}' is not of the form key=value", text, part));
    const std::string key(part.substr(0, equals));
    for (const auto& [known, value] : spec.values)
      if (known == key) throw Error(ErrorCode::usage, fmt::format("spec '{}': '{}' is given twice", text, key));
    spec.values.emplace_back(key, part.substr(equals + 1));
  }
  return spec;
}

std::optional<std::string> SpecReader::text(std::string_view key) {
  asked_.emplace_back(key);
  for (std::size_t i = 0; i < spec_.values.size(); ++i) {
    if (spec_.values[i].first != key) continue;
    used_[i] = true;
    return spec_.values[i].second;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> SpecReader::number(std::string_view key, std::uint64_t least, std::uint64_t most) {
  const auto value = text(key);
  if (!value) return std::nullopt;
  const auto number = parse_unsigned(*value);
  if (!number || *number < least || *number > most)
    throw Error(ErrorCode::usage, fmt::format("{}: {} is '{}'; expected a whole number from {} to {}", spec_.kind, key,
                                              *value, least, most));
  return number;
}

std::uint64_t SpecReader::number_or(std::string_view key, std::uint64_t fallback, std::uint64_t least,
                                    std::uint64_t most) {
  return number(key, least, most).value_or(fallback);
}

std::uint64_t SpecReader::required(std::string_view key, std::uint64_t least, std::uint64_t most) {
  const auto value = number(key, least, most);
  if (!value) throw Error(ErrorCode::usage, fmt::format("{}: {}=N is missing", spec_.kind, key));
  return *value;
}

std::optional<double> SpecReader::real(std::string_view key) {
  const auto value = text(key);
  if (!value) return std::nullopt;
  const auto number = parse_double(*value);
  if (!number || *number <= 0)
    throw Error(ErrorCode::usage, fmt::format("{}: {} is '{}'; expected a number above 0", spec_.kind, key, *value));
  return number;
}

void SpecReader::finish() const {
  const std::vector<std::string_view> known(asked_.begin(), asked_.end());
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (used_[i]) continue;
    const std::string hint = suggest(spec_.values[i].first, known);
    throw Error(ErrorCode::usage,
                fmt::format("{}: unknown key '{}'; {}", spec_.kind, spec_.values[i].first,
                            hint.empty() ? fmt::format("the keys are {}", fmt::join(known, ", ")) : hint));
  }
}

}  // namespace spineweave::util
