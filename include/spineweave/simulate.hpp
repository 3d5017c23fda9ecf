// Jobs over time on a fabric: every step of every collective at exact max-min fair rates, under a routing
// scheme that is recomputed as the run goes on, through failures and recoveries.
//
// The life of a job follows the simulator of arXiv 2503.05324, so that its numbers can be compared: an epoch
// starts, turn by turn each collective plays its steps, each step starts 1 ns after the last flow of the one before,
// the epoch ends with its last collective, and the next one starts after the job's compute time. A job goes on after
// the last epoch that counts: it plays the first step of one more, so that others still meet its traffic.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spineweave/optimize.hpp"
#include "spineweave/problem.hpp"

namespace spineweave {

inline constexpr std::uint32_t kUsualEpochs = 11;  // of a job that does not say how many

// When the controller chooses routes anew. Flows that it has not placed yet, or whose path died since, take
// the path that ECMP over the live candidates gives them.
struct RecomputePolicy {
  enum class When : std::uint8_t {
    artifact,    // when an epoch or turn starts, or ends while others communicate; for the flows that then do
    periodic,    // every `period_ns`; for the jobs that run
    events,      // when a job starts or ends, or the fabric changes; for the jobs that run
    beforehand,  // once, for all jobs together
  };
  When when = When::artifact;
  std::uint64_t period_ns = 0;
};
// "artifact", "every:1s", "events" or "static". Throws Error{usage}.
[[nodiscard]] RecomputePolicy parse_recompute_policy(std::string_view text);

// A target as with_faults takes it, a part of it or a list, that fails or recovers.
struct FabricEvent {
  std::uint64_t time_ns = 0;
  bool fails = true;
  std::string target;
};
// "spine:31@2s", "random:5%,seed=1@1s,leaf0-spine1@2s". Throws Error{usage}.
[[nodiscard]] std::vector<FabricEvent> parse_fabric_events(std::string_view text, bool fails);

struct SimulationProgress {
  Solver solver = Solver::weave;
  std::uint64_t time_ns = 0;
  std::uint32_t jobs_done = 0;
};

struct SimulationOptions {
  RecomputePolicy recompute;
  std::vector<FabricEvent> fabric_events;  // in any order
  std::uint32_t epochs = 0;                // of every job; 0: as the job says, or kUsualEpochs
  EcmpHash ecmp_hash = EcmpHash::crc32;
  std::uint64_t seed = 1;
  std::uint32_t rounds = kNone;            // as in SolveOptions
  std::uint64_t time_limit_us = 0;         // likewise, of each search
  std::uint64_t horizon_ns = 0;            // look so far ahead (see simulate()); 0: only at what runs
  std::optional<std::uint32_t> max_moves;  // weave: flows that may leave a live path in one recomputation
  std::uint64_t move_cost_ns = 0;          // weave: to move a flow under way must save jobs so much time in all
  std::uint64_t tie_order = 0;             // as in SolveOptions
  std::string backend = "auto";
  bool record_flows = false;
  std::uint32_t load_intervals = 0;         // record the links' loads in at most so many intervals; 0: not at all
  const std::atomic<bool>* stop = nullptr;  // set from outside (Ctrl-C): end with what was played so far
  // Both from several threads. `on_chosen` sees each problem that a controller was given, and what it chose.
  std::function<void(const SimulationProgress&)> on_progress;
  std::function<void(Solver, const std::shared_ptr<const Problem>&, const Solution&)> on_chosen = {};
};

struct EpochRecord {
  JobId job = kNone;
  std::uint32_t epoch = 0;
  std::uint64_t start_ns = 0, end_ns = 0;
  [[nodiscard]] std::uint64_t allreduce_ns() const { return end_ns - start_ns; }
};

// One flow in one step. The step that a job plays after its last epoch has that epoch's number plus one.
struct FlowRecord {
  FlowId flow = kNone;
  std::uint32_t epoch = 0, step = 0;
  std::uint64_t start_ns = 0, end_ns = 0;
};

struct RecomputationRecord {
  bool by_controller = true;  // false: the fabric by itself led flows around what failed, or back
  std::uint64_t time_ns = 0;
  std::uint32_t flows = 0;   // routed
  std::uint32_t moves = 0;   // of them in the middle of a step, and on another path after it
  std::uint32_t phases = 1;  // sets of jobs that the controller expected to communicate together
  double worst_job = 0;      // the largest N of the routing, with the weights that the controller gave; 0: none
  bool proved = false;       // no routing of these flows is better (the vector of the certificate)
  double build_us = 0;       // the problem, from the set of collectives
  double run_us = 0;         // all of it
};

// What links were asked for over time: the demands of the flows under way over them.
struct LoadTimeline {
  std::uint64_t interval_ns = 0;
  std::uint32_t num_intervals = 0;
  // [num_intervals][num_links] demand over intact capacity, the mean over the interval; 1.0: exactly full
  std::vector<float> loads;
};

// One scheme, played to the end.
struct Simulation {
  Solver solver = Solver::weave;
  std::vector<EpochRecord> epochs;  // in the order of their ends, then of jobs
  std::vector<FlowRecord> flows;    // likewise; empty unless asked for
  std::vector<RecomputationRecord> recomputations;
  LoadTimeline loads;             // empty unless asked for
  std::vector<JobId> unfinished;  // jobs that a failure stopped for good, or the stop of the run
  std::uint64_t end_ns = 0;       // of the last thing that happened
  bool truncated = false;         // stopped from outside
  std::uint64_t digest = 0;       // over all times, flows, moves; not over run times
};

// Play the jobs of the workload under each scheme, side by side. Phases of jobs are not looked at: time itself
// says who communicates when. `ecmp` is no controller: it is worked out at the start and after each change of
// the fabric. A flow without a live path waits for a recovery.
//
// With a horizon, controllers know the jobs beforehand: each recomputation predicts from the jobs' own times (start,
// compute time, what is left to send, the last all-reduce or else the ideal one) who will communicate until the
// horizon, and routes all of that, with one phase for each largest set of jobs, in their turns, that meet. Without one
// each job may be in any of its turns: any two turns of different jobs meet in some phase, those of one job in none.
// Throws Error{bad_input}: what Problem throws for all jobs on `fabric`; times beyond 2^62 ns; a recovery of
// what has not failed by then; a horizon in which nobody communicates, where routes are chosen once. Error{usage}:
// a target that is not in the fabric.
// The same for every thread count and backend.
[[nodiscard]] std::vector<Simulation> simulate(const std::shared_ptr<const Fabric>& fabric,
                                               const std::shared_ptr<const Workload>& workload,
                                               const ProblemOptions& problem_options,
                                               const std::vector<Solver>& solvers, const SimulationOptions& options);

// The all-reduce time of one epoch of each job alone, where only access links count: [num_jobs]. For a ring of R
// on equal NICs 2 (R - 1) (ceil(bits / rate) + 1).
[[nodiscard]] std::vector<std::uint64_t> ideal_allreduce_ns(const Problem& problem);

}  // namespace spineweave
