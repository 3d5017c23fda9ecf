// Built where the dashboard is left out.
#include "service/api/assets.hpp"

namespace spineweave::service::api {

std::span<const Asset> dashboard_assets() { return {}; }

}  // namespace spineweave::service::api
