#include "service/api/context.hpp"
#include "service/api/event_hub.hpp"
#include "service/api/parameters.hpp"

namespace spineweave::service::api {

void add_event_routes(http::Router& router, const Context& context) {
  router.add({http::Method::get, "/v1/events", http::on_worker([context](const http::Request& request) -> http::Reply {
                (void)Query(request, {});
                return http::Stream{context.events.open_stream()};
              })});
}

}  // namespace spineweave::service::api
