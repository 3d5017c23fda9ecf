#include "simulate/units.hpp"

#include <fmt/format.h>

#include "spineweave/error.hpp"

namespace spineweave {

Rate rate_of(std::uint64_t bps) {
  if (bps > kFastestBps)
    throw Error(ErrorCode::bad_input,
                fmt::format("a link, or the ports of an endpoint together, have {} bit/s; expected "
                            "at most {} to simulate",
                            bps, kFastestBps));
  return static_cast<Rate>((Volume{bps} << kUnitBits) / 1'000'000'000);
}

}  // namespace spineweave
