// Files that are part of the program.
#pragma once

#include <span>
#include <string_view>

namespace spineweave::service::api {

// The OpenAPI document of src/service/openapi.json.
[[nodiscard]] std::string_view openapi_document();

struct Asset {
  std::string_view name;  // "index.html", the page itself; the others are /assets/NAME
  std::string_view content_type;
  std::string_view content;
};
// The dashboard's; empty where it is not built in.
[[nodiscard]] std::span<const Asset> dashboard_assets();

// What they hold; src/service/dashboard/dashboard.cmake makes these functions.
[[nodiscard]] std::string_view dashboard_page();
[[nodiscard]] std::string_view dashboard_script();
[[nodiscard]] std::string_view dashboard_style();
[[nodiscard]] std::string_view dashboard_icon();
[[nodiscard]] std::string_view dashboard_licences();

}  // namespace spineweave::service::api
