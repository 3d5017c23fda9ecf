// What links are asked for over time, for pictures: nothing is decided by it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulate/traffic.hpp"
#include "spineweave/simulate.hpp"

namespace spineweave {

class LoadRecorder {
 public:
  // Intervals get twice as long whenever there would be more than that many. Demands are those of DESIGN's
  // weights: what each flow gets where its job is alone and access links bind.
  LoadRecorder(const Fabric& fabric, const Traffic& traffic, std::uint32_t most_intervals);

  // The flow is under way over these links from now on; without links: it is not.
  void set(FlowId flow, std::span<const LinkId> links, std::uint64_t now);
  // Flows that are still under way are so until the end.
  [[nodiscard]] LoadTimeline finish(std::uint64_t end_ns);

 private:
  struct UnderWay {
    std::uint64_t since_ns = 0;
    std::vector<LinkId> links;
  };
  void carry(FlowId flow, std::uint64_t now);
  void reach(std::uint64_t time_ns);

  const Fabric& fabric_;
  std::uint32_t most_intervals_;
  std::uint64_t interval_ns_;
  std::vector<double> demand_bps_;   // [flows]
  std::vector<UnderWay> under_way_;  // [flows]
  std::vector<float> bits_;          // [most_intervals][links]
};

}  // namespace spineweave
