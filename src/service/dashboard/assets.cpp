// Built where the dashboard is built in.
#include "service/api/assets.hpp"

#include <array>

namespace spineweave::service::api {

std::span<const Asset> dashboard_assets() {
  static const std::array assets = {
      Asset{"index.html", "text/html; charset=utf-8", dashboard_page()},
      Asset{"app.js", "text/javascript; charset=utf-8", dashboard_script()},
      Asset{"app.css", "text/css; charset=utf-8", dashboard_style()},
      Asset{"icon.svg", "image/svg+xml", dashboard_icon()},
      Asset{"licences.txt", "text/plain; charset=utf-8", dashboard_licences()},
  };
  return assets;
}

}  // namespace spineweave::service::api
