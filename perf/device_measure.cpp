#include "perf/device_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "kernels/cuda_evaluator.hpp"
#include "perf/device_side.hpp"
#include "spineweave/error.hpp"
#include "util/hash.hpp"

namespace spineweave::perf {
namespace {

constexpr unsigned kBlocks[] = {64, 128, 256};

// A result as plain numbers, to be compared and digested.
using Bits = std::vector<std::uint64_t>;

void append(Bits& bits, std::span<const BestMove> moves) {
  for (const BestMove& move : moves)
    bits.insert(bits.end(), {move.flow, move.to, move.congestion, static_cast<std::uint64_t>(move.pressure_change)});
}

void append(Bits& bits, const Score& score) {
  bits.insert(bits.end(), score.normalised.begin(), score.normalised.end());
  bits.insert(bits.end(), score.at_bottleneck.begin(), score.at_bottleneck.end());
  bits.insert(bits.end(), {score.pressure, score.max_congestion});
}

void append(Bits& bits, std::span<const Score> scores) {
  for (const Score& score : scores) append(bits, score);
}

template <class Body>
double time_us(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

// One case on one instance; the CPU's results are what the others are held against.
class Runner {
 public:
  Runner(const Case& item, std::shared_ptr<const Problem> problem, std::uint32_t repetitions, CaseResult& result)
      : item_(item),
        problem_(std::move(problem)),
        repetitions_(repetitions),
        result_(result),
        paths_(ecmp_paths(*problem_, std::max(1U, item.num_routings))),
        routing_(paths_.begin(), paths_.begin() + problem_->num_flows()),
        flows_(problem_->num_flows()) {
    std::iota(flows_.begin(), flows_.end(), 0U);
  }

  // On the CPU, and then by the library's calls and by the device's clock.
  void run(Operation operation, bool with_cuda) {
    expected_.clear();
    run_call(operation, *make_evaluator(problem_, "cpu"), 0);
    if (!with_cuda) return;
    for (const unsigned block : kBlocks) {
      gpu::Tuning tuning;
      // Only scoring has something to choose from: the block decides how many warps share a multiprocessor.
      if (operation != Operation::score_candidates && block != tuning.block) continue;
      tuning.block = block;
      run_call(operation, *gpu::make_cuda_evaluator(problem_, tuning), block);
      if (operation == Operation::score_candidates) {
        TimedScoring timed = time_scoring(*problem_, routing_, block, repetitions_);
        Bits bits;
        append(bits, timed.moves);
        record(operation, "cuda", block, Clock::device, std::move(timed.us), bits);
      } else if (operation == Operation::score_routings) {
        TimedRoutings timed = time_routings(*problem_, paths_, item_.num_routings, repetitions_);
        Bits bits;
        append(bits, timed.scores);
        record(operation, "cuda", block, Clock::device, std::move(timed.us), bits);
      }
    }
  }

 private:
  void run_call(Operation operation, Evaluator& evaluator, unsigned block) {
    const auto state = evaluator.make_state();
    state->assign(routing_);
    Bits bits;
    (void)run_once(operation, evaluator, *state, &bits);
    compare(operation, evaluator.capabilities().name, block, bits);
    std::vector<double> us;
    for (std::uint32_t i = 0; i < repetitions_; ++i) us.push_back(run_once(operation, evaluator, *state, nullptr));
    record(operation, evaluator.capabilities().name, block, Clock::call, std::move(us), bits);
  }

  // The time of the call alone; the result goes to `bits` where it is asked for.
  double run_once(Operation operation, Evaluator& evaluator, SearchState& state, Bits* bits) const {
    double us = 0;
    switch (operation) {
      case Operation::score_candidates: {
        std::span<const BestMove> moves;
        us = time_us([&] {
          state.begin_best_moves(flows_);
          moves = state.finish_best_moves();
        });
        if (bits != nullptr) append(*bits, moves);
        break;
      }
      case Operation::score_routings: {
        std::vector<Score> scores(item_.num_routings);
        us = time_us([&] { evaluator.score_routings(paths_, scores); });
        if (bits != nullptr) append(*bits, scores);
        break;
      }
      case Operation::round: {
        state.assign(routing_);
        RoundResult round;
        us = time_us([&] {
          state.begin_round({flows_, kNone});
          round = state.finish_round();
        });
        if (bits == nullptr) break;
        append(*bits, round.score);
        for (const Move& move : round.kept) bits->insert(bits->end(), {move.flow, move.from, move.to});
        bits->push_back(round.taken_back ? 1 : 0);
        break;
      }
    }
    return us;
  }

  void compare(Operation operation, std::string_view backend, unsigned block, const Bits& bits) {
    if (expected_.empty()) expected_ = bits;
    if (bits == expected_) return;
    throw Error(ErrorCode::internal,
                fmt::format("{}, {}: {} with blocks of {} differs from the CPU: no time is reported", item_.name,
                            name_of(operation), backend, block));
  }

  void record(Operation operation, std::string_view backend, unsigned block, Clock clock, std::vector<double> us,
              const Bits& bits) {
    compare(operation, backend, block, bits);
    Measurement& row = result_.measurements.emplace_back();
    row.operation = operation, row.backend = backend, row.block = block, row.clock = clock;
    row.us = std::move(us);
    if (operation == Operation::score_routings) {
      row.work = routings_work(*problem_, item_.num_routings);
    } else {
      row.work = scoring_work(*problem_);
      if (operation == Operation::round) row.work = {row.work.candidates, 0, 0, 0};
    }
    util::Digest digest;
    for (const std::uint64_t word : bits) digest.add(word);
    row.result_digest = digest.value();
  }

  const Case& item_;
  std::shared_ptr<const Problem> problem_;
  std::uint32_t repetitions_;
  CaseResult& result_;
  std::vector<PathIndex> paths_;  // [num_routings * num_flows]
  Routing routing_;               // the first of them
  std::vector<FlowId> flows_;
  Bits expected_;
};

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

CaseResult measure_case(const Case& item, std::uint32_t repetitions, bool with_cuda) {
  const std::shared_ptr<const Problem> problem = item.build();
  CaseResult result;
  result.name = item.name;
  result.fabric_digest = problem->fabric().digest();
  result.jobs_digest = digest_of(problem->workload(), problem->fabric());
  result.flows = problem->num_flows(), result.jobs = problem->num_jobs(), result.cells = problem->num_cells();
  result.phases = problem->num_phases(), result.routings = item.num_routings;
  result.candidates = problem->num_candidates();
  Runner runner(item, problem, repetitions, result);
  for (const Operation operation : item.operations) runner.run(operation, with_cuda);
  return result;
}

}  // namespace spineweave::perf
