#include "fabric/fault_list.hpp"
#include "fabric/structure.hpp"

namespace spineweave {

Fabric with_faults(const Fabric& fabric, std::string_view faults) {
  const std::vector<LinkId> links = list_faults(fabric, faults);
  Fabric result = fabric;
  for (const LinkId id : links) {
    result.links_[id].state = LinkState::down;
    result.links_[id].capacity_bps = 0;
  }
  // Links that are down keep their place in the grid; only its symmetry is lost.
  result.clos_ = recognise_clos(result);
  result.digest_ = detail_digest(result);
  return result;
}

}  // namespace spineweave
