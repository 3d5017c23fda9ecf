// The service: keeps the routing of a live fabric over HTTP until it is told to stop.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace spineweave {

struct ServiceOptions {
  // Where it listens.
  std::string address = "127.0.0.1";  // other than loopback: only with a token
  std::uint16_t port = 8080;          // 0: any that is free; the log says which
  std::string state_dir;              // made where it is not there; held by one service at a time
  std::string token;                  // that clients must show; empty: none
  std::string token_file;             // the same, from a file that SIGHUP reads anew
  std::string tls_certificate;        // PEM; both or none
  std::string tls_key;

  // What one client may take.
  std::size_t most_body_bytes = std::size_t{64} << 20U;
  std::size_t most_inflated_bytes = std::size_t{512} << 20U;
  std::size_t most_header_bytes = std::size_t{16} << 10U;
  std::uint32_t most_connections = 4096;
  std::uint32_t most_queued = 1024;  // requests that wait for a worker
  std::uint32_t most_tasks = 16;     // evaluations and optimizations that wait
  std::chrono::nanoseconds request_timeout = std::chrono::seconds(30);
  std::chrono::nanoseconds idle_timeout = std::chrono::seconds(60);
  std::chrono::nanoseconds drain_timeout = std::chrono::seconds(10);

  // The loop. See the README's chapter on the service.
  std::chrono::nanoseconds window = std::chrono::milliseconds(50);
  std::chrono::nanoseconds interval = std::chrono::seconds(10);  // 0: never
  std::chrono::nanoseconds hold_up = std::chrono::seconds(30);
  std::chrono::nanoseconds hold_up_most = std::chrono::minutes(15);
  std::chrono::nanoseconds stale_after{0};                               // 0: reports are not expected
  std::chrono::nanoseconds ack_timeout = std::chrono::seconds(30);       // 0: hosts apply at once
  std::chrono::nanoseconds time_budget = std::chrono::milliseconds(20);  // 0: the same result everywhere
  double margin = 0.01;
  double max_moved_share = 0.01;           // of all flows
  std::optional<std::uint32_t> max_moved;  // a number instead; kNone: all
  bool dry_run = false;
  std::uint32_t history = 1000;  // revisions that are kept with their moves

  // The machine.
  std::uint32_t threads = 0;  // of the search; 0: one per core
  std::string backend = "auto";
  std::uint64_t seed = 1;
  std::string weights = "demand";
  bool allow_valley = false;

  bool log_json = false;
  std::string log_level = "info";  // debug, info, warn or error
};

// Runs until SIGTERM or SIGINT, which it answers by finishing what is under way; SIGHUP reads the token file and the
// certificate anew. Throws Error: options that do not go together, an address that cannot be listened on, a state
// directory that cannot be used. Call it on the main thread, before others are started: it blocks these signals.
void run_service(const ServiceOptions& options);

}  // namespace spineweave
