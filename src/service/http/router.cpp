#include "service/http/router.hpp"

#include <algorithm>

#include "service/http/url.hpp"
#include "util/text.hpp"

namespace spineweave::service::http {
namespace {

bool is_parameter(std::string_view segment) { return segment.starts_with('{'); }

// The parameters, where the path fits.
std::optional<std::vector<std::string>> fit(std::string_view form, const std::vector<std::string_view>& path) {
  if (static_cast<std::size_t>(std::ranges::count(form, '/')) + 1 != path.size()) return std::nullopt;
  const std::vector<std::string_view> segments = util::split(form, '/');
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (!is_parameter(segments[i])) {
      if (segments[i] != path[i]) return std::nullopt;
      continue;
    }
    auto value = percent_decoded(path[i]);
    if (!value || value->empty()) return std::nullopt;
    parameters.push_back(std::move(*value));
  }
  return parameters;
}

}  // namespace

void Router::add(Route route) {
  // Fewer parameters first: what is spelled out wins.
  const auto parameters = [](const Route& r) { return std::ranges::count(r.path, '{'); };
  const auto place = std::ranges::upper_bound(routes_, parameters(route), {}, parameters);
  routes_.insert(place, std::move(route));
}

Match Router::find(Method method, std::string_view path) const {
  const std::vector<std::string_view> segments = util::split(path, '/');
  Match match;
  for (const Route& route : routes_) {
    auto parameters = fit(route.path, segments);
    if (!parameters) continue;
    const bool heads = method == Method::head && route.method == Method::get;
    if (route.method == method || heads) return {&route, std::move(*parameters), {}};
    match.allowed.push_back(route.method);
    if (route.method == Method::get) match.allowed.push_back(Method::head);
  }
  return match;
}

}  // namespace spineweave::service::http
