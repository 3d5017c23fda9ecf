// Documents as responses.
#pragma once

#include <string>
#include <utility>

#include "service/api/parameters.hpp"
#include "service/http/message.hpp"
#include "spineweave/document.hpp"
#include "spineweave/io.hpp"

namespace spineweave::service::api {

[[nodiscard]] inline http::Response respond_json(const Document& document, std::uint16_t status = 200) {
  return http::respond(status, write_json_line(document));
}

// The text of a resource, with the revision that a change of it may name in If-Match.
[[nodiscard]] inline http::Response respond_resource(std::string text, Revision revision) {
  http::Response response = http::respond(200, std::move(text));
  response.headers.emplace_back("ETag", entity_tag(revision));
  return response;
}

}  // namespace spineweave::service::api
