// The frame of all requests that change something.
#pragma once

#include <optional>
#include <utility>

#include "service/api/parameters.hpp"
#include "service/control/controller.hpp"
#include "service/http/problem.hpp"
#include "service/http/reply.hpp"

namespace spineweave::service::api {

// 200, or 201 where the resource is new, with the revision that made the change durable.
[[nodiscard]] http::Response respond_changed(const Change& change);

// Of what has no revision of its own: an If-Match is refused, for nothing would hold it against anything.
template <class MakeChange>
[[nodiscard]] http::Response respond_to_unconditional(const http::Request& request, MakeChange&& change) {
  if (request.header("If-Match"))
    http::refuse(400, "if-match", "this has no revision of its own that If-Match could ask for");
  return respond_changed(std::forward<MakeChange>(change)());
}

// `change(expected)` makes it. A conflict is 412 where the client named a revision, else 409.
template <class MakeChange>
[[nodiscard]] http::Response respond_to_change(const http::Request& request, MakeChange&& change) {
  const std::optional<Revision> expected = expected_revision(request);
  try {
    return respond_changed(std::forward<MakeChange>(change)(expected));
  } catch (const ConflictError& conflict) {
    if (!expected) throw;
    http::refuse(412, "revision", conflict.what());
  }
}

}  // namespace spineweave::service::api
