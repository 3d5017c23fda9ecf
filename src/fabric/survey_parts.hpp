// The parts of a survey, each adding the findings it has.
#pragma once

#include <vector>

#include "spineweave/fabric.hpp"

namespace spineweave {

// Pairs of a Clos grid that have fewer cables than the others, or none.
void survey_grid(const Fabric& fabric, std::vector<Finding>& findings);
// Pairs of leaves without a live path, switches that reach no endpoint.
void survey_reach(const Fabric& fabric, std::vector<Finding>& findings);
// Hosts and leaves whose rails are unlike the others'.
void survey_rails(const Fabric& fabric, std::vector<Finding>& findings);

}  // namespace spineweave
