#include <fmt/format.h>

#include "fabric/fault_list.hpp"
#include "fabric/structure.hpp"
#include "spineweave/error.hpp"

namespace spineweave {
namespace {

std::uint64_t capacity_of(const Link& link, const LinkSetting& setting) {
  switch (setting.state) {
    case LinkState::up:
      return link.nominal_bps - link.reserved_bps;
    case LinkState::degraded:
      return setting.degraded_bps - link.reserved_bps;
    case LinkState::down:
      return 0;
  }
  throw Error(ErrorCode::internal, "a link state without a case");
}

}  // namespace

void check_setting(const Fabric& fabric, const LinkSetting& setting) {
  const Link& link = fabric.link(setting.link);
  if (setting.state != LinkState::degraded) return;
  if (setting.degraded_bps > link.reserved_bps && setting.degraded_bps < link.nominal_bps) return;
  throw Error(ErrorCode::bad_input,
              fmt::format("link {}: is degraded to {} bit/s; expected above {} (reserved) and below its {} bit/s",
                          fabric.link_name(setting.link), setting.degraded_bps, link.reserved_bps, link.nominal_bps));
}

Fabric with_link_states(const Fabric& fabric, std::span<const LinkSetting> settings) {
  Fabric result = fabric;
  for (const LinkSetting& setting : settings) {
    check_setting(fabric, setting);
    Link& link = result.links_[setting.link];
    link.state = setting.state;
    link.capacity_bps = capacity_of(link, setting);
  }
  // Links that are down keep their place in the grid; only its symmetry may change.
  result.clos_ = recognise_clos(result);
  result.digest_ = detail_digest(result);
  return result;
}

Fabric with_faults(const Fabric& fabric, std::string_view faults) {
  std::vector<LinkSetting> settings;
  for (const LinkId link : list_faults(fabric, faults)) settings.push_back({link, LinkState::down});
  return with_link_states(fabric, settings);
}

}  // namespace spineweave
