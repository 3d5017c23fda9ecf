#include "service/api/measurement.hpp"

#include <fmt/format.h>

#include <cmath>

#include "service/api/time_text.hpp"

namespace spineweave::service::api {

std::optional<Nanoseconds> observed_at(const JsonBody& body) {
  const auto text = body.text("observed_at");
  if (!text) return std::nullopt;
  const auto time = parse_time(*text);
  if (!time) body.fail(fmt::format("observed_at is '{}'; expected a time such as 2026-11-30T19:05:26.5Z", *text));
  return time;
}

std::optional<std::uint64_t> bits_per_second(const JsonBody& body, std::string_view key) {
  constexpr double kMostGbps = 1e6;
  const auto gbps = body.real(key);
  if (!gbps) return std::nullopt;
  if (!(*gbps >= 0 && *gbps <= kMostGbps))
    body.fail(fmt::format("{} is {}; expected a number from 0 to {}", key, *gbps, kMostGbps));
  return static_cast<std::uint64_t>(std::llround(*gbps * 1e9));
}

}  // namespace spineweave::service::api
