// What reports about links say: when, and how fast.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "service/api/json_body.hpp"
#include "service/control/clock.hpp"

namespace spineweave::service::api {

// Wall time, from "observed_at". Throws Error{bad_input}; so does the next.
[[nodiscard]] std::optional<Nanoseconds> observed_at(const JsonBody& body);
// From a number of Gbit/s.
[[nodiscard]] std::optional<std::uint64_t> bits_per_second(const JsonBody& body, std::string_view key);

}  // namespace spineweave::service::api
