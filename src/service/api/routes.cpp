#include "service/api/context.hpp"
#include "service/api/parameters.hpp"

namespace spineweave::service::api {

void add_plain(http::Router& router, const Context& context, http::Method method, std::string path,
               PlainHandler handler) {
  router.add({method, std::move(path), http::on_worker([context, handler](const http::Request& request) -> http::Reply {
                (void)Query(request, {});
                return handler(context, request);
              })});
}

void add_routes(http::Router& router, const Context& context) {
  add_page_routes(router);
  add_probe_routes(router, context);
  add_fabric_routes(router, context);
  add_job_routes(router, context);
  add_routing_routes(router, context);
  add_load_routes(router, context);
  add_host_routes(router, context);
  add_control_routes(router, context);
  add_event_routes(router, context);
  add_task_routes(router, context);
}

}  // namespace spineweave::service::api
