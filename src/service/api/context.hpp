// What handlers work with, and how their routes are gathered.
#pragma once

#include <functional>
#include <string>

#include "service/http/router.hpp"
#include "service/http/server.hpp"

namespace spineweave::service {
class Clock;
class Controller;
class MeasuredLoads;
class TaskDesk;
}  // namespace spineweave::service

namespace spineweave::service::api {

class EventHub;
class Metrics;
class RoutingViews;

// All of it outlives the server.
struct Context {
  Controller& controller;
  const Clock& clock;
  EventHub& events;
  RoutingViews& routing;
  TaskDesk& tasks;
  MeasuredLoads& measured;
  Metrics& metrics;
  std::function<http::Load()> load;  // of the server, which comes after its routes
  std::uint32_t most_queued = 0;     // requests; a service with a full queue is not ready
  std::uint32_t solver_threads = 1;
};

// A handler that reads no query and may wait for the disk: on a worker.
using PlainHandler = http::Response (*)(const Context&, const http::Request&);
void add_plain(http::Router& router, const Context& context, http::Method method, std::string path,
               PlainHandler handler);

void add_page_routes(http::Router& router);
void add_probe_routes(http::Router& router, const Context& context);
void add_fabric_routes(http::Router& router, const Context& context);
void add_job_routes(http::Router& router, const Context& context);
void add_routing_routes(http::Router& router, const Context& context);
void add_load_routes(http::Router& router, const Context& context);
void add_host_routes(http::Router& router, const Context& context);
void add_control_routes(http::Router& router, const Context& context);
void add_event_routes(http::Router& router, const Context& context);
void add_task_routes(http::Router& router, const Context& context);

// All of them.
void add_routes(http::Router& router, const Context& context);

// Whatever handlers throw, in the terms of clients.
[[nodiscard]] http::Problem explain(const std::exception_ptr& error);

}  // namespace spineweave::service::api
