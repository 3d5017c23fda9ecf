// What tests of every backend ask a problem and a search state for.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "spineweave/evaluator.hpp"

namespace spineweave::test {

[[nodiscard]] inline std::vector<FlowId> all_flows(const Problem& problem) {
  std::vector<FlowId> flows(problem.num_flows());
  std::iota(flows.begin(), flows.end(), 0U);
  return flows;
}

[[nodiscard]] inline std::vector<std::uint32_t> congestion_of(const SearchState& state, const Problem& problem) {
  std::vector<std::uint32_t> congestion(std::size_t{problem.num_phases()} * problem.num_cells());
  state.read_congestion(congestion);
  return congestion;
}

}  // namespace spineweave::test
