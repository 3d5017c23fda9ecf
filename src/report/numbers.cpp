#include "report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "spineweave/problem.hpp"

namespace spineweave::report {
namespace {

// Three digits that count, without zeros at the end: "1.5", "97.5", "412".
std::string three_digits(double value) {
  std::string text = value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.{}f}", value, value >= 10 ? 1 : 2);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

struct Unit {
  double size;
  const char* name;
};

template <std::size_t N>
std::string with_unit(double value, const Unit (&units)[N]) {
  const Unit* unit = units;
  while (unit + 1 != std::end(units) && value >= (unit + 1)->size) ++unit;
  return fmt::format("{} {}", three_digits(value / unit->size), unit->name);
}

}  // namespace

double from_units(std::uint64_t normalised) {
  return static_cast<double>(normalised) / static_cast<double>(std::uint64_t{1} << kNormalBits);
}

std::string times(double factor) {
  if (factor >= 99.995) return fmt::format("{:.0f}x", factor);
  const bool barely_harmed = above_one(factor) && factor < 1.005;
  return fmt::format("{:.{}f}x", factor, barely_harmed ? 3 : 2);
}

std::string percent(double ratio) {
  const bool seems_full = ratio < 1.0 - 1e-9 && ratio >= 0.9995;
  return fmt::format("{:.1f} %", seems_full ? 99.9 : ratio * 100);
}

std::string count(std::uint64_t number) {
  std::string digits = fmt::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string count(std::uint64_t number, const char* noun) {
  return fmt::format("{} {}{}", count(number), noun, number == 1 ? "" : "s");
}

std::string short_count(std::uint64_t number) {
  if (number < 10000) return count(number);
  const double thousands = static_cast<double>(number) / 1e3;
  return thousands < 999.5 ? three_digits(thousands) + "k" : three_digits(thousands / 1e3) + "M";
}

std::string gbps(double bits_per_second) { return three_digits(bits_per_second / 1e9); }

std::string duration(double microseconds) {
  constexpr Unit units[] = {{1, "us"}, {1e3, "ms"}, {1e6, "s"}};
  return with_unit(microseconds, units);
}

std::string bytes(std::uint64_t bytes) {
  constexpr Unit units[] = {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}};
  return with_unit(static_cast<double>(bytes), units);
}

}  // namespace spineweave::report
