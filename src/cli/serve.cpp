#include <fmt/format.h>

#include <cmath>

#include "cli/verbs.hpp"
#include "spineweave/error.hpp"
#include "spineweave/service.hpp"
#include "spineweave/types.hpp"
#include "util/text.hpp"

namespace spineweave::cli {
namespace {

constexpr Manual kManual = {"serve", "Keeps the routing of a live fabric, and tells hosts what to move, over HTTP.",
                            "--state-dir DIR [options]",
                            "  spineweave serve --state-dir /var/lib/spineweave\n"
                            "  spineweave serve --listen 0.0.0.0:8443 --state-dir state --token-file token \\\n"
                            "    --tls-certificate server.pem --tls-key server.key"};

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

void add_options(CommandLine& line) {
  line.read_environment("SPINEWEAVE");
  const std::string server = "Server";
  line.add_option(server, "listen", "Where to listen (default: 127.0.0.1:8080); port 0 is any that is free",
                  "ADDR:PORT");
  line.add_option(server, "state-dir", "Where state is kept; made where it is not there", "DIR");
  line.add_option(server, "token", "What clients must show as a bearer token; better in the environment or a file",
                  "TEXT");
  line.add_option(server, "token-file", "The same, in a file's first line; read anew on SIGHUP", "FILE");
  line.add_option(server, "tls-certificate", "Certificate chain, PEM; read anew on SIGHUP", "FILE");
  line.add_option(server, "tls-key", "Its private key, PEM", "FILE");

  const std::string limits = "Limits";
  line.add_option(limits, "max-body", "Longest body as sent (default: 64MiB)", "SIZE");
  line.add_option(limits, "max-inflated", "Longest body after gzip (default: 512MiB)", "SIZE");
  line.add_option(limits, "max-header", "Longest head of a request (default: 16KiB)", "SIZE");
  line.add_option(limits, "max-connections", "Most open connections (default: 4096)", "N");
  line.add_option(limits, "max-queued", "Most requests that wait for a worker (default: 1024)", "N");
  line.add_option(limits, "max-tasks", "Most evaluations and optimizations that wait (default: 16)", "N");
  line.add_option(limits, "request-timeout", "For a request to arrive, from its first byte on (default: 30s)", "TIME");
  line.add_option(limits, "idle-timeout", "For the next request of a connection (default: 60s)", "TIME");
  line.add_option(limits, "drain-timeout", "For what is under way when the service stops (default: 10s)", "TIME");

  const std::string loop = "Loop";
  line.add_option(loop, "window", "Collect changes for that long before routes are chosen anew (default: 50ms)",
                  "TIME");
  line.add_option(loop, "interval", "Choose routes anew that often without any change (default: 10s; or off)", "TIME");
  line.add_option(loop, "hold-up", "Use a link that came back after that; doubled for each flap (default: 30s)",
                  "TIME");
  line.add_option(loop, "hold-up-most", "But never later than that (default: 15min)", "TIME");
  line.add_option(loop, "stale-after", "Improve nothing after that long without a report on links (default: off)",
                  "TIME");
  line.add_option(loop, "ack-timeout",
                  "Leave hosts where they are that long after an unacknowledged move (default: 30s; or off)", "TIME");
  line.add_option(loop, "time-budget", "Longest search for better routes (default: 20ms; off: same results everywhere)",
                  "TIME");
  line.add_option(loop, "margin", "Publish only what makes a job that much better (default: 1%)", "SHARE");
  line.add_option(loop, "max-moved", "Flows that one improvement may move: 1%, 64 or all (default: 1%)", "N");
  line.add_option(loop, "history", "Revisions that are kept with their moves (default: 1000)", "N");
  line.add_flag(loop, "dry-run", "Compute and show, but publish nothing");

  const std::string machine = "Machine";
  line.add_option(machine, "threads", "Threads of the search; changes no result (default: one per core)", "N");
  line.add_option(machine, "backend", "Where to compute; changes no result (default: auto)", "NAME");
  line.add_option(machine, "seed", "Seed of every random choice (default: 1)", "N");
  line.add_option(machine, "weights", "Weights of flows: demand, equal or hash:1-100 (default: demand)", "MODE");
  line.add_flag(machine, "allow-valley", "Let pairs without an up-then-down path take another (risks credit loops)");

  const std::string logs = "Logs";
  line.add_flag(logs, "log-json", "One JSON object a line");
  line.add_option(logs, "log-level", "debug, info, warn or error (default: info)", "LEVEL");
}

// "127.0.0.1:8080", "[::1]:0"
void read_address(const CommandLine& line, ServiceOptions& options) {
  const auto text = line.text("listen");
  if (!text) return;
  const std::size_t colon = text->rfind(':');
  const auto port = colon == std::string::npos ? std::nullopt : util::parse_unsigned(text->substr(colon + 1));
  if (!port || *port > 65535)
    refuse(fmt::format("{} is '{}'; expected one such as 127.0.0.1:8080", line.shown("listen"), *text));
  options.address = text->substr(0, colon);
  if (options.address.starts_with('[') && options.address.ends_with(']'))
    options.address = options.address.substr(1, options.address.size() - 2);
  options.port = static_cast<std::uint16_t>(*port);
}

void read_size(const CommandLine& line, const std::string& name, std::size_t& size) {
  const auto text = line.text(name);
  if (!text) return;
  const auto bytes = util::parse_bytes(*text);
  if (!bytes || *bytes == 0) refuse(fmt::format("{} is '{}'; expected a size such as 64MiB", line.shown(name), *text));
  size = *bytes;
}

void read_count(const CommandLine& line, const std::string& name, std::uint32_t& count) {
  constexpr std::uint64_t kMost = 1'000'000;
  count = static_cast<std::uint32_t>(line.number_or(name, count, 1, kMost));
}

void read_duration(const CommandLine& line, const std::string& name, std::chrono::nanoseconds& duration) {
  if (const auto value = line.duration_ns(name)) duration = std::chrono::nanoseconds(*value);
}

// "off" stands for 0.
void read_optional_duration(const CommandLine& line, const std::string& name, std::chrono::nanoseconds& duration) {
  if (line.text(name) == "off") {
    duration = std::chrono::nanoseconds(0);
  } else {
    read_duration(line, name, duration);
  }
}

// "1%" -> 0.01
std::optional<double> parse_percent(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  const auto number = util::parse_double(text.substr(0, text.size() - 1));
  if (!number || *number < 0 || *number > 100) return std::nullopt;
  return *number / 100;
}

void read_move_bound(const CommandLine& line, ServiceOptions& options) {
  const auto text = line.text("max-moved");
  if (!text) return;
  if (const auto share = parse_percent(*text)) {
    options.max_moved_share = *share;
    return;
  }
  const auto number = *text == "all" ? kNone : util::parse_unsigned(*text);
  if (!number || *number > kNone)
    refuse(fmt::format("{} is '{}'; expected a share (1%), a number of flows or all", line.shown("max-moved"), *text));
  options.max_moved = static_cast<std::uint32_t>(*number);
}

void read_loop(const CommandLine& line, ServiceOptions& options) {
  read_duration(line, "window", options.window);
  read_optional_duration(line, "interval", options.interval);
  read_duration(line, "hold-up", options.hold_up);
  read_duration(line, "hold-up-most", options.hold_up_most);
  read_optional_duration(line, "stale-after", options.stale_after);
  read_optional_duration(line, "ack-timeout", options.ack_timeout);
  read_optional_duration(line, "time-budget", options.time_budget);
  read_count(line, "history", options.history);
  options.dry_run = line.has("dry-run");
  if (const auto text = line.text("margin")) {
    const auto share = parse_percent(*text);
    if (!share) refuse(fmt::format("{} is '{}'; expected a share such as 1%", line.shown("margin"), *text));
    options.margin = *share;
  }
  read_move_bound(line, options);
}

void read_limits(const CommandLine& line, ServiceOptions& options) {
  read_size(line, "max-body", options.most_body_bytes);
  read_size(line, "max-inflated", options.most_inflated_bytes);
  read_size(line, "max-header", options.most_header_bytes);
  read_count(line, "max-connections", options.most_connections);
  read_count(line, "max-queued", options.most_queued);
  read_count(line, "max-tasks", options.most_tasks);
  read_duration(line, "request-timeout", options.request_timeout);
  read_duration(line, "idle-timeout", options.idle_timeout);
  read_duration(line, "drain-timeout", options.drain_timeout);
}

void read_machine(const CommandLine& line, ServiceOptions& options) {
  constexpr std::uint64_t kMostThreads = 1024;
  options.threads = static_cast<std::uint32_t>(line.number_or("threads", 0, 1, kMostThreads));
  options.seed = line.number_or("seed", options.seed, 0, ~std::uint64_t{0});
  options.backend = line.text("backend").value_or(options.backend);
  options.weights = line.text("weights").value_or(options.weights);
  options.allow_valley = line.has("allow-valley");
}

}  // namespace

int serve(const Arguments& arguments) {
  CommandLine line(kManual);
  add_options(line);
  if (!line.parse(arguments)) return 0;
  ServiceOptions options;
  read_address(line, options);
  options.state_dir = line.required("state-dir");
  options.token = line.text("token").value_or("");
  options.token_file = line.text("token-file").value_or("");
  options.tls_certificate = line.text("tls-certificate").value_or("");
  options.tls_key = line.text("tls-key").value_or("");
  read_limits(line, options);
  read_loop(line, options);
  read_machine(line, options);
  options.log_json = line.has("log-json");
  options.log_level = line.text("log-level").value_or(options.log_level);
  run_service(options);
  return 0;
}

}  // namespace spineweave::cli
