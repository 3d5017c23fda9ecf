// Points in time as texts of RFC 3339, in UTC: "2026-11-30T19:05:26.123456789Z".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service/control/clock.hpp"

namespace spineweave::service::api {

// `time`: since 1970.
[[nodiscard]] std::string time_text(Nanoseconds time);
// Nothing where it is no such text. Up to nine decimals; "Z" or an offset such as "+02:00".
[[nodiscard]] std::optional<Nanoseconds> parse_time(std::string_view text);

}  // namespace spineweave::service::api
