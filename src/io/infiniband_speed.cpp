#include "io/infiniband_speed.hpp"

#include <algorithm>
#include <vector>

#include "util/text.hpp"

namespace spineweave::io {
namespace {

constexpr std::uint64_t kLaneBps = 2'500'000'000;

struct Speed {
  std::string_view name;
  std::uint64_t lane_bps;
};
constexpr Speed kSpeeds[] = {
    {"SDR", kLaneBps},       {"DDR", 2 * kLaneBps},    {"QDR", 4 * kLaneBps},
    {"FDR10", 4 * kLaneBps}, {"FDR", 14'000'000'000},  {"EDR", 25'000'000'000},
    {"HDR", 50'000'000'000}, {"NDR", 100'000'000'000}, {"XDR", 200'000'000'000},
};
constexpr std::uint64_t kWidths[] = {1, 2, 4, 8, 12};

bool is_width(std::uint64_t lanes) {
  return std::find(std::begin(kWidths), std::end(kWidths), lanes) != std::end(kWidths);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    if (!word.empty()) words.push_back(word);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return words;
}

// "4xNDR"
std::optional<std::uint64_t> parse_speed(std::string_view word) {
  const auto x = word.find('x');
  if (x == std::string_view::npos) return std::nullopt;
  const auto lanes = util::parse_unsigned(word.substr(0, x));
  if (!lanes || !is_width(*lanes)) return std::nullopt;
  for (const Speed& speed : kSpeeds)
    if (word.substr(x + 1) == speed.name) return *lanes * speed.lane_bps;
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> dumped_speed(std::string_view tail) {
  std::optional<std::uint64_t> speed;
  for (const std::string_view word : words_of(tail))
    if (const auto parsed = parse_speed(word)) speed = parsed;
  return speed;
}

std::optional<std::uint64_t> ibsim_speed(std::string_view tail) {
  constexpr std::uint64_t kAllSpeeds = 7;
  std::uint64_t lanes = 4;
  std::uint64_t speeds = 1;
  for (const std::string_view word : words_of(tail.substr(0, tail.find('#')))) {
    if (!word.starts_with("w=") && !word.starts_with("s=")) continue;
    const auto value = util::parse_unsigned(word.substr(2));
    const bool is_lanes = word.starts_with("w=");
    if (!value || (is_lanes ? !is_width(*value) : *value == 0 || *value > kAllSpeeds)) return std::nullopt;
    (is_lanes ? lanes : speeds) = *value;
  }
  return lanes * kLaneBps * (speeds >= 4 ? 4 : speeds >= 2 ? 2 : 1);
}

}  // namespace spineweave::io
