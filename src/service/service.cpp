#include "service/service.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "service/api/context.hpp"
#include "service/api/event_hub.hpp"
#include "service/api/metrics.hpp"
#include "service/api/routing_view.hpp"
#include "service/control/controller.hpp"
#include "service/control/loop_thread.hpp"
#include "service/control/measured_loads.hpp"
#include "service/store/store.hpp"
#include "service/tasks/task_desk.hpp"
#include "spineweave/error.hpp"
#include "spineweave/threads.hpp"

namespace spineweave::service {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

ControllerOptions controller_options(const ServiceOptions& options) {
  ControllerOptions result;
  result.window = options.window;
  result.interval = options.interval;
  result.hold_up = options.hold_up;
  result.hold_up_most = options.hold_up_most;
  result.stale_after = options.stale_after;
  result.ack_timeout = options.ack_timeout;
  result.time_budget = options.time_budget;
  result.margin = options.margin;
  result.max_moved = {options.max_moved, options.max_moved_share};
  result.dry_run = options.dry_run;
  result.history = options.history;
  result.backend = options.backend;
  result.seed = options.seed;
  result.problem.allow_valley = options.allow_valley;
  result.problem.seed = options.seed;
  parse_weights(options.weights, result.problem);
  return result;
}

http::ServerOptions server_options(const ServiceOptions& options) {
  if (options.tls_certificate.empty() != options.tls_key.empty()) refuse("TLS needs both a certificate and its key");
  const auto milliseconds = [](Nanoseconds time) { return std::chrono::ceil<std::chrono::milliseconds>(time); };
  http::ServerOptions result{options.address, options.port, {}, std::nullopt};
  result.limits.body_bytes = options.most_body_bytes;
  result.limits.inflated_bytes = options.most_inflated_bytes;
  result.limits.header_bytes = options.most_header_bytes;
  result.limits.connections = options.most_connections;
  result.limits.queued = options.most_queued;
  result.limits.request = milliseconds(options.request_timeout);
  result.limits.idle = milliseconds(options.idle_timeout);
  result.limits.drain = milliseconds(options.drain_timeout);
  if (!options.tls_key.empty()) result.tls = http::TlsFiles{options.tls_certificate, options.tls_key};
  return result;
}

std::optional<http::Token> read_token(const ServiceOptions& options) {
  if (!options.token.empty() && !options.token_file.empty()) refuse("expected either a token or a token file");
  if (!options.token_file.empty()) return http::read_token(options.token_file);
  if (!options.token.empty()) return http::Token(options.token);
  return std::nullopt;
}

std::uint32_t threads_of(const ServiceOptions& options) {
  return options.threads == 0 ? hardware_threads() : options.threads;
}

}  // namespace

class Service::Parts {
 public:
  Parts(const ServiceOptions& options, Log& log)
      : options_(options),
        token_(checked_token()),
        threads_(threads_of(options)),
        explain_([&log](const std::exception_ptr& error) { return logged(log, api::explain(error)); }),
        controller_(controller_options(options), open_store(options.state_dir), clock_),
        events_(controller_),
        tasks_({.queued = options.most_tasks}, clock_, explain_),
        metrics_(controller_),
        server_(server_options(options), routed(), {explain_, [this, &log](const http::Exchange& exchange) {
                                                      metrics_.count(exchange);
                                                      log.note(exchange);
                                                    }}) {
    server_.set_token(token_);
  }

  void run() {
    const LoopThread loop(controller_, clock_);
    server_.run();
  }
  void drain() { server_.drain(); }
  void reload() {
    server_.reload_certificate();
    if (!options_.token_file.empty()) server_.set_token(http::read_token(options_.token_file));
  }
  [[nodiscard]] std::uint16_t port() const { return server_.port(); }

 private:
  // Whoever can reach the address could change the routes.
  [[nodiscard]] std::optional<http::Token> checked_token() const {
    auto token = read_token(options_);
    if (!token && !http::is_loopback(options_.address))
      refuse(fmt::format("listening on {} needs a token: only loopback addresses go without", options_.address));
    return token;
  }

  static http::Problem logged(Log& log, http::Problem problem) {
    constexpr std::uint16_t kServerErrors = 500;
    if (problem.status >= kServerErrors)
      log.write(LogLevel::error, "failed", {{"kind", std::string(problem.kind)}, {"detail", problem.detail}});
    return problem;
  }

  const http::Router& routed() {
    api::add_routes(router_, {controller_, clock_, events_, routing_, tasks_, measured_, metrics_,
                              [this] { return server_.load(); }, options_.most_queued, threads_of(options_)});
    return router_;
  }

  const ServiceOptions options_;
  const std::optional<http::Token> token_;
  const ThreadScope threads_;
  SystemClock clock_;
  const std::function<http::Problem(std::exception_ptr)> explain_;
  Controller controller_;
  api::EventHub events_;
  api::RoutingViews routing_;
  TaskDesk tasks_;
  MeasuredLoads measured_;
  api::Metrics metrics_;
  http::Router router_;
  http::Server server_;
};

Service::Service(const ServiceOptions& options, Log& log) : parts_(std::make_unique<Parts>(options, log)) {}
Service::~Service() = default;
void Service::run() { parts_->run(); }
void Service::drain() { parts_->drain(); }
void Service::reload() { parts_->reload(); }
std::uint16_t Service::port() const { return parts_->port(); }

}  // namespace spineweave::service
