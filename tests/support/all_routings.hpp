// Every routing of a small instance.
#pragma once

#include <cstdint>
#include <vector>

#include "spineweave/problem.hpp"
#include "spineweave/routing.hpp"

namespace spineweave::test {

// Calls visit(routing) for every live routing; false if there are more than `most`.
template <class Visit>
bool visit_all_routings(const Problem& problem, std::uint64_t most, const Visit& visit) {
  std::vector<std::vector<PathIndex>> choices(problem.num_flows());
  std::uint64_t count = 1;
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    for (PathIndex path = 0; path < problem.num_paths(flow); ++path)
      if (problem.is_alive(flow, path)) choices[flow].push_back(path);
    count *= choices[flow].size();
    if (count > most) return false;
  }
  Routing routing(problem.num_flows());
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t rest = i;
    for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
      routing[flow] = choices[flow][rest % choices[flow].size()];
      rest /= choices[flow].size();
    }
    visit(routing);
  }
  return true;
}

}  // namespace spineweave::test
