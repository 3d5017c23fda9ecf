// What the differential tests share: every combination of order and block size, and byte-wise checks.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "differential/layer.hpp"
#include "kernels/cuda_evaluator.hpp"
#include "spineweave/optimize.hpp"
#include "support/random_instances.hpp"
#include "support/search_states.hpp"

namespace spineweave::test {

// Why backend cuda cannot run in this program, or nothing.
[[nodiscard]] std::string cuda_obstacle();

// Skips, with the reason, where the layer has no device.
class Differential : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
};

inline constexpr std::array<unsigned, 3> kBlocks = {64, 128, 256};

template <class Body>
void on_launch_shape(std::size_t schedule, unsigned block, const Body& body) {
  SCOPED_TRACE(use_schedule(schedule) + ", blocks of " + std::to_string(block));
  gpu::Tuning tuning;
  tuning.block = block;
  body(tuning);
}

// Calls body(tuning) for every schedule with every block size.
template <class Body>
void on_every_launch_shape(const Body& body) {
  for (std::size_t schedule = 0; schedule < num_schedules(); ++schedule) {
    for (const unsigned block : kBlocks) {
      on_launch_shape(schedule, block, body);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// For what takes long: every schedule once, and every block size.
template <class Body>
void on_launch_shapes_in_turn(const Body& body) {
  for (std::size_t i = 0; i < std::max(num_schedules(), kBlocks.size()); ++i) {
    on_launch_shape(i % num_schedules(), kBlocks[i % kBlocks.size()], body);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Calls body(problem, random) for random instances of every shape.
template <class Body>
void on_random_problems(std::uint64_t seeds_per_shape, const Body& body) {
  for (const Shape shape : all_shapes()) {
    for (std::uint64_t seed = 0; seed < seeds_per_shape; ++seed) {
      const Instance instance = random_instance(shape, 500 + seed);
      SCOPED_TRACE(instance.name);
      Random random(seed + 77);
      body(instance.problem, random);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// A leaf-spine or fat-tree problem with exactly this many flows, one or two a job, weights 1 and 2.
[[nodiscard]] std::shared_ptr<const Problem> problem_with_flows(std::uint32_t num_flows, bool three_tiers);

[[nodiscard]] Routing routing_of(const SearchState& state, const Problem& problem);

void expect_equal(const Score& actual, const Score& expected);
// Loads, routing and score.
void expect_equal_states(SearchState& actual, SearchState& expected, const Problem& problem);
void expect_equal_best_moves(SearchState& actual, SearchState& expected, std::span<const FlowId> flows);
// Returns what both found.
RoundResult expect_equal_rounds(SearchState& actual, SearchState& expected, const RoundSpec& spec);

// Solves on both backends: routings and digests.
void expect_equal_solutions(const std::shared_ptr<const Problem>& problem, const SolveOptions& options);

}  // namespace spineweave::test
