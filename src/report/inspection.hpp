// What `inspect` counts, before it becomes text or a document.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "spineweave/fabric.hpp"
#include "spineweave/report.hpp"

namespace spineweave::report {

struct TierFacts {
  std::string name;  // "leaf"
  std::uint32_t switches = 0;
  // Capacity towards the tier below over capacity towards the tier above, down links left out; of the
  // whole tier and of its worst switch. 0: nothing above.
  double oversubscription = 0;
  double worst_oversubscription = 0;
  std::string worst_switch;
};

struct CableFacts {
  std::string between;  // "leaf-spine"
  std::uint64_t cables = 0;
  std::uint64_t down = 0;                              // in one direction or both
  std::uint64_t degraded = 0;                          // neither direction down
  std::map<std::uint64_t, std::uint64_t> nominal_bps;  // capacity -> cables
};

struct FabricFacts {
  std::uint32_t endpoints = 0;  // that jobs may use
  std::uint32_t reduction_nodes = 0, unnamed_adapters = 0;
  std::uint32_t hosts = 0, rails = 0;  // 0: not told
  std::uint64_t cables = 0;
  std::uint32_t pods = 0, planes = 0;  // three-tier Clos
  std::vector<TierFacts> tiers;
  std::vector<CableFacts> cable_groups;
};
[[nodiscard]] FabricFacts count_fabric(const Fabric& fabric);
// "two-tier Clos, symmetric"
[[nodiscard]] std::string describe_shape(const Fabric& fabric);

struct WorkloadFacts {
  std::uint64_t flows = 0;
  std::uint32_t endpoints_used = 0;
  std::uint64_t bytes_per_step = 0;                  // all flows of all jobs
  std::map<std::string, std::uint64_t> collectives;  // kind -> how many
};
[[nodiscard]] WorkloadFacts count_workload(const Fabric& fabric, const Workload& workload);

// Survey of the fabric, then what its reader and the jobs' reader found.
[[nodiscard]] std::vector<Finding> all_findings(const Inspection& inspection);

}  // namespace spineweave::report
