#include "cli/bench/operations.hpp"

#include <numeric>
#include <span>
#include <utility>

#include "report/numbers.hpp"
#include "spineweave/rank.hpp"
#include "util/hash.hpp"

namespace spineweave::bench {
namespace {

std::uint64_t digest_of(std::span<const BestMove> moves) {
  util::Digest digest;
  for (const BestMove& move : moves) {
    digest.add(move.flow);
    digest.add(move.to);
    digest.add(move.congestion);
    digest.add(static_cast<std::uint64_t>(move.pressure_change));
  }
  return digest.value();
}

struct Input {
  std::shared_ptr<const Fabric> fabric;
  std::shared_ptr<const Workload> workload;
};

Input load(Fabric fabric, std::string_view jobs) {
  Input input;
  input.fabric = std::make_shared<const Fabric>(std::move(fabric));
  input.workload = std::make_shared<const Workload>(build_workload(*input.fabric, jobs));
  return input;
}

std::shared_ptr<const Problem> make_problem(Input input) {
  return std::make_shared<const Problem>(std::move(input.fabric), std::move(input.workload));
}

}  // namespace

Fabric make_fabric(const Case& subject) {
  Fabric fabric = build_fabric(subject.fabric);
  return subject.down.empty() ? std::move(fabric) : with_faults(fabric, subject.down);
}

std::shared_ptr<const Problem> make_problem(Fabric fabric, std::string_view jobs) {
  return make_problem(load(std::move(fabric), jobs));
}

Instance describe(const Problem& problem) {
  Instance instance;
  instance.endpoints = problem.fabric().num_endpoints();
  instance.links = problem.fabric().num_links();
  instance.jobs = problem.num_jobs();
  instance.flows = problem.num_flows();
  instance.candidates = problem.num_candidates();
  instance.fabric_digest = problem.fabric().digest();
  instance.jobs_digest = spineweave::digest_of(problem.workload(), problem.fabric());
  return instance;
}

Quality describe(const Solution& solution, const Assessment& assessment) {
  Quality quality;
  quality.worst_job = report::from_units(solution.score.normalised.front());
  quality.lower_bound = report::from_units(solution.bounds.vector.front());
  quality.network_efficiency = assessment.network_efficiency;
  quality.fluid_bound = assessment.fluid_bound;
  quality.certificate = solution.certificate;
  quality.digest = solution.digest;
  return quality;
}

void score(Recorder& recorder) {
  recorder.progress("building the problem");
  const auto problem = make_problem(make_fabric(recorder.subject()), recorder.subject().jobs);
  recorder.result().instance = describe(*problem);
  Routing routing(problem->num_flows());
  ecmp_routings(*problem, {EcmpHash::crc32, kSeed, 1}).write(0, routing);
  const auto evaluator = recorder.evaluator_of(problem);
  const auto state = evaluator->make_state();
  state->assign(routing);
  std::vector<FlowId> flows(problem->num_flows());
  std::iota(flows.begin(), flows.end(), 0U);
  recorder.repeat([&] {
    const auto moves = recorder.timed("score", [&] {
      state->begin_best_moves(flows);
      return state->finish_best_moves();
    });
    recorder.agree(digest_of(moves));
  });
}

void optimize(Recorder& recorder) {
  const Case& subject = recorder.subject();
  recorder.repeat([&] {
    const auto begin = Recorder::Clock::now();
    Input input = recorder.timed("load", [&] { return load(make_fabric(subject), subject.jobs); });
    const auto evaluator =
        recorder.timed("build", [&] { return recorder.evaluator_of(make_problem(std::move(input))); });
    const Problem& problem = evaluator->problem();
    const Solution solution = recorder.timed("solve", [&] { return recorder.solved(*evaluator); });
    if (recorder.stopped()) return;
    const Assessment assessment = recorder.timed("assess", [&] { return assess(problem, solution.routing); });
    recorder.record("whole", begin);
    recorder.result().instance = describe(problem);
    recorder.result().quality = describe(solution, assessment);
    recorder.agree(solution.digest);
  });
}

}  // namespace spineweave::bench
