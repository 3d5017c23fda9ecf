// What is the same for every service of this version.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "service/api/assets.hpp"
#include "service/api/context.hpp"
#include "service/control/errors.hpp"

namespace spineweave::service::api {
namespace {

using http::Access;
using http::Method;
using http::Reply;
using http::Request;
using http::Response;

// All that the page needs comes from the server itself, and no text of a fabric or a job can become a script.
constexpr std::string_view kContentSecurity =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

http::Handler serve(std::string_view content, std::string_view content_type) {
  return [text = std::make_shared<const std::string>(content), content_type](const Request&) -> Reply {
    return Response{200,
                    content_type,
                    text,
                    {{"Content-Security-Policy", std::string(kContentSecurity)}, {"Referrer-Policy", "no-referrer"}}};
  };
}

Reply serve_asset(const Request& request) {
  const std::string& name = request.parameters[0];
  const auto asset = std::ranges::find(dashboard_assets(), std::string_view(name), &Asset::name);
  if (asset == dashboard_assets().end()) throw NotFoundError(fmt::format("there is no file '{}'", name));
  return serve(asset->content, asset->content_type)(request);
}

http::Handler serve_page() {
  const auto assets = dashboard_assets();
  const auto page = std::ranges::find(assets, std::string_view("index.html"), &Asset::name);
  if (page != assets.end()) return serve(page->content, page->content_type);
  return serve("This is the Spineweave service. The dashboard is not built in.\n/openapi.json describes the API.\n",
               "text/plain; charset=utf-8");
}

}  // namespace

void add_page_routes(http::Router& router) {
  router.add({Method::get, "/openapi.json", serve(openapi_document(), http::kJson), Access::open});
  router.add({Method::get, "/", serve_page(), Access::open});
  router.add({Method::get, "/assets/{name}", serve_asset, Access::open});
}

}  // namespace spineweave::service::api
