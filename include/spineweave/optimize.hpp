// Solvers, bounds and certificates.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spineweave/evaluator.hpp"
#include "spineweave/routing.hpp"

namespace spineweave {

enum class Solver : std::uint8_t { ecmp, greedy, coloring, annealing, exact, weave };
enum class EcmpHash : std::uint8_t { artifact, crc32 };

[[nodiscard]] std::string_view name_of(Solver solver);
[[nodiscard]] std::optional<Solver> solver_of(std::string_view name);

struct Progress {
  std::string_view stage;  // "start", "levels", "repair", "rounds", "chains"
  std::uint32_t step = 0;
  double worst_job = 0;  // of the best routing so far
  std::uint32_t jobs_at_bound = 0;
};

struct SolveOptions {
  Solver solver = Solver::weave;
  EcmpHash ecmp_hash = EcmpHash::crc32;
  std::uint64_t seed = 1;
  std::uint64_t tie_order = 0;              // greedy: 0: of the flows of one switch, lower ids first; else an order of
                                            // the flows drawn from this number
  std::uint32_t rounds = kNone;             // weave: generations of perturbation, each of several seeds; kNone: as
                                            // many as usually pay: 12 for up to 16,384 flows, none for more.
                                            // annealing: steps for each flow; kNone: 32, fewer above 4,096 flows
  std::uint64_t time_limit_us = 0;          // 0: none; a limit that bites marks the result truncated
  const Routing* warm_start = nullptr;      // kNone where a flow has no path yet
  std::optional<std::uint32_t> max_moved;   // flows that may leave a live path of the warm start; kNone: all. Empty:
                                            // one in a hundred
  bool improve = false;                     // from a warm start: not only where a job suffers more than before
  const std::atomic<bool>* stop = nullptr;  // set from outside (Ctrl-C): end soon with the best so far
  std::function<void(const Progress&)> on_progress;
};

// What no routing can beat. In units of N (2^-16).
struct Bounds {
  std::vector<std::uint64_t> per_job;  // LB(j): [num_jobs]
  // [num_jobs], descending. No routing's sorted N comes before it in the order of the score: none has a worst
  // job below vector[0], and of those that equal it up to the i-th worst job, none is below it there. From
  // per_job and from cuts whose shortage some jobs must bear: as many elements are raised as jobs are needed.
  std::vector<std::uint64_t> vector;
  // [num_jobs] N(j) if each of these cuts dealt its flows out as evenly as they can be, with favour to none. No
  // bound: a cut may spare some jobs. But a job above it suffers from its routes, not from what the fabric lacks.
  std::vector<std::uint64_t> even_share;
};

// Cuts at leaves and pods, leaf pairs, and endpoints, each by average and by pigeonhole.
// Works for every fabric; O(flows log flows + links); bound by bin packing on
// equal links (Martello and Toth, Knapsack Problems, 1990).
[[nodiscard]] Bounds compute_bounds(const Problem& problem);

struct Certificate {
  bool max_proved = false;     // the worst job is as good as any routing can make it
  bool vector_proved = false;  // and so is every job after it
  std::uint32_t jobs_at_bound = 0;
  double gap = 0;                        // largest N / largest bound - 1
  std::uint32_t jobs_in_even_share = 0;  // N(j) no more than even_share; of a Solution's certificate alone
};
[[nodiscard]] Certificate certify(const Score& score, const Bounds& bounds);

struct Solution {
  Routing routing;
  Score score;
  std::vector<std::uint64_t> job_bottlenecks;  // B(j)
  Bounds bounds;
  Certificate certificate;
  bool truncated = false;
  bool warm = false;         // from a warm start
  std::uint32_t moved = 0;   // flows with another path than the warm start's
  std::uint32_t placed = 0;  // those of them that had none there
  std::uint64_t digest = 0;
  double solve_us = 0;
};

// Throws Error{bad_input} where the solver cannot treat the problem: coloring without a Clos, exact with more
// than a million variables. Same problem, options and seed: the same routing and digest on every backend and
// thread count; only what `exact` finds may differ with the version of CBC that it calls, though never the
// worst job's N once that is proved.
[[nodiscard]] Solution solve(Evaluator& evaluator, const SolveOptions& options);

// The same record for a routing that is given.
[[nodiscard]] Solution rate_routing(Evaluator& evaluator, Routing routing);

}  // namespace spineweave
