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

// `change(expected)` makes it.
template <class MakeChange>
[[nodiscard]] http::Response respond_to_change(const http::Request& request, MakeChange&& change) {
  return respond_changed(std::forward<MakeChange>(change)(expected_revision(request)));
}

}  // namespace spineweave::service::api
