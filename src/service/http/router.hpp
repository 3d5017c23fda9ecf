// From a method and a path to a handler.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/message.hpp"
#include "service/http/reply.hpp"

namespace spineweave::service::http {

enum class Access : std::uint8_t {
  token,  // where the service has one
  open,   // for everybody: probes, and what holds nothing of the user's
};

struct Route {
  Method method = Method::get;
  std::string path;  // "/v1/jobs/{id}"; a parameter fills a segment
  Handler handler;
  Access access = Access::token;
};

struct Match {
  const Route* route = nullptr;         // null: no such path, or not with that method
  std::vector<std::string> parameters;  // decoded
  std::vector<Method> allowed;          // what the path takes; empty: no such path
};

class Router {
 public:
  void add(Route route);
  // Routes that GET answer HEAD as well. Segments are split before they are decoded, so that names may hold
  // slashes; a segment that is spelled out wins over a parameter. Lives as long as the router.
  [[nodiscard]] Match find(Method method, std::string_view path) const;
  [[nodiscard]] std::span<const Route> routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
};

}  // namespace spineweave::service::http
