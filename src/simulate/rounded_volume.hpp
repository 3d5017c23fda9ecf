// What a flow has left in the arithmetic of the paper's simulator (arXiv 2503.05324): a double that is brought
// down at each event of the whole run. Rounded so, a flow that ends exactly with a nanosecond may last one
// more. That says nothing about networks, but only with it are times equal to the nanosecond.
#pragma once

#include <cstdint>
#include <vector>

#include "simulate/units.hpp"

namespace spineweave {

class RoundedVolume {
 public:
  // `tick`: the number of the event at which the flow starts.
  void start(std::uint64_t bytes, std::size_t tick);
  // From the event with that number on.
  void set_rate(Rate rate, std::size_t tick) { changes_.push_back({tick, rate}); }

  // It can differ from the exact one: some rate was a fraction that no double holds.
  [[nodiscard]] bool is_rounded() const;
  // How long from the last of `ticks` (the times of all events so far) on until nothing is left.
  [[nodiscard]] std::uint64_t duration_ns(const std::vector<std::uint64_t>& ticks);
  // The last of the ticks becomes number 0.
  void forget(const std::vector<std::uint64_t>& ticks);

 private:
  struct Change {
    std::size_t tick = 0;
    Rate rate = 0;
  };
  void catch_up(const std::vector<std::uint64_t>& ticks);
  void send(const Change& change, std::size_t until, const std::vector<std::uint64_t>& ticks);

  double left_bits_ = 0;         // at the first of the changes
  bool was_rounded_ = false;     // before the first of the changes
  std::vector<Change> changes_;  // of the rate
};

}  // namespace spineweave
