// The flows of a problem as the row kernels take them.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/score_kernels.hpp"
#include "spineweave/problem.hpp"

namespace spineweave {

class FlowRows {
 public:
  explicit FlowRows(const Problem& problem);
  FlowRows(const FlowRows&) = delete;
  FlowRows& operator=(const FlowRows&) = delete;

  [[nodiscard]] const RowTable& table() const { return table_; }
  // Whether keys hold congestion of live cells up to `peak`; never where no flow fits.
  [[nodiscard]] bool hold(std::uint32_t peak) const { return peak < first_too_large_; }
  // Whether the access links' loads follow from all flows having a path: no endpoint has a choice of ports.
  [[nodiscard]] bool know_ends() const { return know_ends_; }

 private:
  void add_ends(const ProblemView& problem);

  std::vector<RowFlow> flows_;
  std::vector<RowFlowDetails> details_;
  RowTable table_;
  std::uint64_t first_too_large_ = 0;
  bool know_ends_ = false;
};

}  // namespace spineweave
