// Stateless work: a fabric and jobs in, a report and a routing out.
#include <fmt/format.h>

#include "report/document_blocks.hpp"
#include "service/api/context.hpp"
#include "service/api/json_response.hpp"
#include "service/tasks/request.hpp"
#include "service/tasks/task_desk.hpp"

namespace spineweave::service::api {
namespace {

using http::Method;
using http::Reply;
using http::Request;
using http::Response;

struct Kind {
  std::string name;  // of the collection
  TaskRequest (*parse)(std::string_view body);
  [[nodiscard]] std::string path() const { return "/v1/" + name; }
};

Response respond_task(const Task& task) {
  Response response = respond_json(task.document(), task.has_ended() ? 200 : 202);
  response.headers.emplace_back("Location", fmt::format("/v1/{}/{}", task.kind(), task.id()));
  return response;
}

// At once, or once the task has ended, for as long as the client likes to wait.
Reply reply_task(std::shared_ptr<Task> task, std::optional<Nanoseconds> wait) {
  if (!wait || task->has_ended()) return respond_task(*task);
  return http::Wait{task->news(), *wait, [task](bool is_last) -> std::optional<Response> {
                      return is_last || task->has_ended() ? std::optional(respond_task(*task)) : std::nullopt;
                    }};
}

Reply post_task(const Context& context, const Kind& kind, const Request& request) {
  const Query query(request, {"wait", "validate_only"});
  const auto wait = query.wait();
  auto work = std::make_shared<const TaskRequest>(kind.parse(request.body));
  if (query.flag("validate_only"))
    return respond_json(Document::Object{{"valid", true}, {"problem", report::problem_object(*work->problem)}});
  const std::uint32_t threads = context.solver_threads;
  return reply_task(context.tasks.submit(
                        kind.name, [work, threads](const TaskProbe& probe) { return perform(*work, threads, probe); }),
                    wait);
}

std::shared_ptr<Task> find_task(const Context& context, const Kind& kind, const Request& request) {
  auto task = context.tasks.find(kind.name, request.parameters[0]);
  if (!task)
    http::refuse(404, "not-found", fmt::format("there is no {}/{} any more", kind.path(), request.parameters[0]));
  return task;
}

Reply get_task(const Context& context, const Kind& kind, const Request& request) {
  const Query query(request, {"wait"});
  return reply_task(find_task(context, kind, request), query.wait());
}

Reply get_task_routing(const Context& context, const Kind& kind, const Request& request) {
  (void)Query(request, {});
  const auto task = find_task(context, kind, request);
  const auto result = task->result();
  if (!result) http::refuse(409, "conflict", fmt::format("the task is {}", name_of(task->state())));
  // The text lives in the result.
  return Response{200, http::kJson, {result, &result->routing}, {}};
}

Reply delete_task(const Context& context, const Kind& kind, const Request& request) {
  (void)Query(request, {});
  const auto task = find_task(context, kind, request);
  task->cancel();
  return respond_json(task->document());
}

}  // namespace

void add_task_routes(http::Router& router, const Context& context) {
  using Handle = Reply (*)(const Context&, const Kind&, const Request&);
  for (const Kind& kind : {Kind{"evaluations", parse_evaluation}, Kind{"optimizations", parse_optimization}}) {
    const auto add = [&](Method method, const std::string& path, Handle handle) {
      router.add({method, kind.path() + path,
                  http::on_worker([context, kind, handle](const Request& r) { return handle(context, kind, r); })});
    };
    add(Method::post, "", post_task);
    add(Method::get, "/{id}", get_task);
    add(Method::get, "/{id}/routing", get_task_routing);
    add(Method::delete_, "/{id}", delete_task);
  }
}

}  // namespace spineweave::service::api
