#include "service/tasks/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "service/api/json_body.hpp"
#include "service/control/clock.hpp"
#include "spineweave/evaluator.hpp"
#include "spineweave/io.hpp"

namespace spineweave::service {
namespace {

using api::JsonBody;

// Formats are told from the first key, and objects come with their keys in alphabetical order.
std::string text_with_schema_first(const Document::Object& object) {
  Document::Object entries = object;
  std::ranges::stable_partition(entries, [](const auto& entry) { return entry.first == "schema"; });
  return write_json_line(std::move(entries));
}

// An object is a file of ours; a text is a spec, or a file of any format.
std::string file_or_spec(const JsonBody& body, std::string_view key) {
  const Document* value = body.find(key);
  if (value == nullptr) body.fail(fmt::format("'{}' is missing", key));
  if (const auto* object = std::get_if<Document::Object>(&value->value())) return text_with_schema_first(*object);
  if (const auto* text = std::get_if<std::string>(&value->value())) return *text;
  body.fail(fmt::format("{} is neither an object nor a text", key));
}

Fabric fabric_in(const JsonBody& body) {
  const std::string text = file_or_spec(body, "fabric");
  Fabric fabric = is_fabric_spec(text) ? build_fabric(text) : parse_fabric(text, "fabric");
  const auto down = body.text("down");
  return down ? with_faults(fabric, *down) : std::move(fabric);
}

Workload workload_in(const JsonBody& body, const Fabric& fabric) {
  const std::string text = file_or_spec(body, "jobs");
  return is_workload_spec(text) ? build_workload(fabric, text) : parse_workload(fabric, text, "jobs");
}

TaskRequest parse_common(const JsonBody& body) {
  TaskRequest request;
  ProblemOptions options;
  if (const auto weights = body.text("weights")) parse_weights(*weights, options);
  options.seed = body.number("seed").value_or(options.seed);
  options.allow_valley = body.flag("allow_valley").value_or(false);
  request.backend = body.text("backend").value_or("auto");
  check_backend(request.backend);
  const auto fabric = std::make_shared<const Fabric>(fabric_in(body));
  const auto workload = std::make_shared<const Workload>(workload_in(body, *fabric));
  request.problem = std::make_shared<const Problem>(fabric, workload, options);
  request.options.seed = options.seed;
  return request;
}

void parse_solver(const JsonBody& body, SolveOptions& options) {
  if (const auto name = body.text("solver")) {
    const auto solver = solver_of(*name);
    if (!solver)
      body.fail(fmt::format("solver is '{}'; expected weave, exact, annealing, coloring, greedy or ecmp", *name));
    options.solver = *solver;
  }
  if (const auto rounds = body.number("rounds"))
    options.rounds = static_cast<std::uint32_t>(std::min<std::uint64_t>(*rounds, kNone));
  // Rounded up: 0 would be no limit.
  const Nanoseconds limit(body.duration_ns("time_limit").value_or(0));
  options.time_limit_us = static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::microseconds>(limit).count());
}

std::optional<RoutingFile> routing_in(const JsonBody& body, std::string_view key) {
  if (body.find(key) == nullptr) return std::nullopt;
  return parse_routing(file_or_spec(body, key), std::string(key));
}

}  // namespace

TaskRequest parse_optimization(std::string_view text) {
  const JsonBody body(text, {"fabric", "down", "jobs", "weights", "seed", "allow_valley", "backend", "solver", "rounds",
                             "time_limit", "warm_start", "max_moved"});
  TaskRequest request = parse_common(body);
  parse_solver(body, request.options);
  if (const auto file = routing_in(body, "warm_start")) {
    if (request.options.solver != Solver::weave)
      body.fail("warm_start needs the solver weave: others start from nothing");
    request.warm_start = match_routes(*request.problem, *file);
  }
  if (const auto most = body.number("max_moved")) {
    if (!request.warm_start) body.fail("max_moved needs a warm_start");
    request.options.max_moved = static_cast<std::uint32_t>(std::min<std::uint64_t>(*most, kNone));
  }
  return request;
}

TaskRequest parse_evaluation(std::string_view text) {
  const JsonBody body(text,
                      {"fabric", "down", "jobs", "weights", "seed", "allow_valley", "backend", "solver", "routing"});
  TaskRequest request = parse_common(body);
  parse_solver(body, request.options);
  const auto file = routing_in(body, "routing");
  if (file.has_value() == (body.find("solver") != nullptr)) body.fail("expected either a routing or a solver");
  if (file) request.routing = resolve_routes(*request.problem, *file);
  return request;
}

}  // namespace spineweave::service
