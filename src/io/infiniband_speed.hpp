// Link speeds as InfiniBand tools write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace spineweave::io {

// The speed in bit/s that stands in the tail of a port's line, behind the remote port: the last word
// like "4xNDR" in a dump. Nothing where there is none.
[[nodiscard]] std::optional<std::uint64_t> dumped_speed(std::string_view tail);

// ibsim's options in the tail: "w=" lanes (1, 2, 4, 8 or 12) and "s=" enabled speeds, the sum of 1, 2
// and 4 for 2.5, 5 and 10 Gbit/s a lane, of which the highest counts; 4 lanes of 2.5 Gbit/s where
// neither stands. Nothing for an option with another value.
[[nodiscard]] std::optional<std::uint64_t> ibsim_speed(std::string_view tail);

}  // namespace spineweave::io
