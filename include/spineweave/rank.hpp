// Many routings of one problem, scored in one go and put in order.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "spineweave/evaluator.hpp"
#include "spineweave/optimize.hpp"
#include "spineweave/routing.hpp"

namespace spineweave {

struct RankOptions {
  std::size_t batch = 0;                    // routings scored at once; 0: as many as fit 64 MB, at most 4,096
  const std::atomic<bool>* stop = nullptr;  // set from outside (Ctrl-C): end after the batch at work
  std::function<void(std::size_t scored)> on_progress;
};

struct Ranking {
  std::vector<std::string> names;       // [scored], in the order of the source, as are the next two
  std::vector<Score> scores;            // [scored]
  std::vector<std::uint32_t> at_bound;  // [scored] jobs at their bound, place by place of the sorted vector
  std::vector<std::uint32_t> order;     // [scored] best first; equal scores in the order of the source
  Solution best;                        // the first in that order; truncated where the run was stopped
  std::size_t num_given = 0;            // routings in the source
  double write_us = 0, score_us = 0;
};

// Throws Error{bad_input} for a source without routings. The same for every batch, backend and thread count.
[[nodiscard]] Ranking rank_routings(Evaluator& evaluator, const RoutingSource& source, const RankOptions& options = {});

// What ECMP does under each of a range of hash seeds.
struct EcmpSeeds {
  EcmpHash hash = EcmpHash::crc32;
  std::uint64_t first = 1;
  std::uint64_t count = 1;
};
// "ecmp:seeds=1-1000[,hash=crc32]", "ecmp:hash=artifact" (which has no seed).
// Throws Error{usage} on an unknown kind, key or value, and for more than a million seeds.
[[nodiscard]] EcmpSeeds parse_ecmp_seeds(std::string_view spec);
[[nodiscard]] bool is_routings_spec(std::string_view text);
// Named "seed 1", "seed 2", ... The problem must outlive the source.
[[nodiscard]] RoutingSource ecmp_routings(const Problem& problem, const EcmpSeeds& seeds);

}  // namespace spineweave
