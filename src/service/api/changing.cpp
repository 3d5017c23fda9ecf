#include "service/api/changing.hpp"

#include "spineweave/io.hpp"

namespace spineweave::service::api {

http::Response respond_changed(const Change& change) {
  http::Response response =
      http::respond(change.created ? 201 : 200, write_json_line(Document::Object{{"revision", change.revision}}));
  response.headers.emplace_back("ETag", entity_tag(change.revision));
  return response;
}

}  // namespace spineweave::service::api
