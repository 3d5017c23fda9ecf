// How reports write numbers: one place, so that text and page read alike.
#pragma once

#include <cstdint>
#include <string>

namespace spineweave::report {

// N and its bounds come in units of 2^-16.
[[nodiscard]] double from_units(std::uint64_t normalised);

// "1.50x"; more places just above 1, where rounding would hide a harm, none from 100 on.
[[nodiscard]] std::string times(double factor);
// "61.2 %". What is below 1 never reads as 100 %.
[[nodiscard]] std::string percent(double ratio);
// "12,345"
[[nodiscard]] std::string count(std::uint64_t number);
// "1 job", "3 jobs"; the plural gets an s.
[[nodiscard]] std::string count(std::uint64_t number, const char* noun);
// "96.1k", where there is no room for all digits.
[[nodiscard]] std::string short_count(std::uint64_t number);
// "97.5 Gbit/s" without its unit: "97.5"
[[nodiscard]] std::string gbps(double bits_per_second);
// "1.5 ms"
[[nodiscard]] std::string duration(double microseconds);
// "1.5 GB"
[[nodiscard]] std::string bytes(std::uint64_t bytes);

// Doubles of this size above 1 come from rounding and mean 1.
inline constexpr double kRounding = 0.0005;
[[nodiscard]] inline bool above_one(double factor) { return factor > 1.0 + kRounding; }

}  // namespace spineweave::report
