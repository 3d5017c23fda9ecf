// What one client may take of the service. Whoever takes more gets an error that names the limit.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace spineweave::service::http {

using SteadyClock = std::chrono::steady_clock;

struct Limits {
  std::size_t header_bytes = std::size_t{16} << 10U;
  std::size_t body_bytes = std::size_t{64} << 20U;       // as sent
  std::size_t inflated_bytes = std::size_t{512} << 20U;  // after gzip
  std::uint32_t connections = 4096;
  std::uint32_t queued = 1024;  // requests that wait for a worker
  std::uint32_t workers = 4;
  std::chrono::milliseconds idle{60'000};     // between two requests of one connection
  std::chrono::milliseconds request{30'000};  // from a request's first byte to its last, however it drips
  std::chrono::milliseconds response{30'000};
  std::chrono::milliseconds heartbeat{15'000};  // of an event stream that has nothing to say
  std::chrono::milliseconds drain{10'000};      // for what is under way when the service stops
};

}  // namespace spineweave::service::http
