// Small random problems for tests that compare two answers. Every one follows from a number that a
// failing test prints; SPINEWEAVE_TEST_SEED in the environment shifts them all.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "spineweave/problem.hpp"
#include "spineweave/routing.hpp"
#include "util/hash.hpp"

namespace spineweave::test {

// A stream of random numbers that is the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}
  // Uniform in [0, bound).
  std::uint32_t below(std::uint32_t bound) { return util::random_below(util::random_at(seed_, 0, count_++), bound); }
  // Uniform in [least, most].
  std::uint32_t between(std::uint32_t least, std::uint32_t most) { return least + below(most - least + 1); }
  // True once in `n` draws.
  bool one_in(std::uint32_t n) { return below(n) == 0; }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

enum class Shape : std::uint8_t {
  leaf_spine,
  trunked,     // parallel cables
  dual_homed,  // endpoints with two ports, on two leaves
  fat_tree,    // each aggregation in a plane of its own
  full_mesh,   // each aggregation joins all cores
  damaged,     // leaf-spine or fat tree with links down, slower or missing
  irregular    // switches joined at random, without tiers
};
[[nodiscard]] std::span<const Shape> all_shapes();
[[nodiscard]] std::string_view name_of(Shape shape);

struct Instance {
  std::shared_ptr<const Problem> problem;
  std::string name;  // shape and seed, for SCOPED_TRACE
};

struct InstanceOptions {
  std::uint32_t max_jobs = 5;
  std::uint32_t max_ranks = 5;  // per collective
  std::uint32_t max_phases = 3;
  std::uint32_t most_hosts = 3;  // per leaf
};

// Jobs overlap in their endpoints, and weights are 1 or 2 or follow the demand: ties are common.
[[nodiscard]] Instance random_instance(Shape shape, std::uint64_t seed, const InstanceOptions& options = {});

// A live candidate for each flow, uniform.
[[nodiscard]] Routing random_routing(const Problem& problem, Random& random);

// `seed` shifted by SPINEWEAVE_TEST_SEED.
[[nodiscard]] std::uint64_t test_seed(std::uint64_t seed);

}  // namespace spineweave::test
