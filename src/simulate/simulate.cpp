// One scheme over time: what happens to jobs and to the fabric, and when that asks for new routes.
#include "spineweave/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "simulate/controller.hpp"
#include "simulate/forecast.hpp"
#include "simulate/job_clock.hpp"
#include "simulate/load_recorder.hpp"
#include "simulate/playback.hpp"
#include "simulate/scenario.hpp"
#include "spineweave/error.hpp"
#include "util/hash.hpp"
#include "util/parallel.hpp"

namespace spineweave {
namespace {

std::vector<Rate> capacities_of(const Fabric& fabric) {
  std::vector<Rate> capacities;
  for (const Link& link : fabric.links()) capacities.push_back(rate_of(link.capacity_bps));
  return capacities;
}

class Run {
 public:
  Run(const Scenario& scenario, Solver solver, const SimulationOptions& options)
      : scenario_(scenario),
        solver_(solver),
        options_(options),
        controller_(scenario, solver, options),
        playback_(scenario.traffic, scenario.schedules, capacities_of(*scenario.stages.front().state.fabric)),
        next_period_ns_(options.recompute.period_ns) {
    if (options.load_intervals > 0)
      recorder_ = std::make_unique<LoadRecorder>(*scenario.stages.front().state.fabric, scenario.traffic,
                                                 options.load_intervals);
  }

  Simulation play() {
    result_.solver = solver_;
    digest_.add(name_of(solver_));
    begin();
    for (std::uint64_t now = next_time(); now != kNever && !result_.truncated; now = next_time()) {
      result_.end_ns = now;
      tick(now);
      result_.truncated = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    }
    for (JobId job = 0; job < scenario_.schedules.size(); ++job)
      if (playback_.epochs_done(job) < scenario_.schedules[job].epochs) result_.unfinished.push_back(job);
    result_.digest = digest_.value();
    if (recorder_) result_.loads = recorder_->finish(result_.end_ns);
    return std::move(result_);
  }

 private:
  using When = RecomputePolicy::When;

  [[nodiscard]] const Stage& stage() const { return scenario_.stages[stage_]; }
  [[nodiscard]] std::uint64_t next_stage_ns() const {
    return stage_ + 1 < scenario_.stages.size() ? scenario_.stages[stage_ + 1].state.from_ns : kNever;
  }

  // A period by itself changes nothing: it counts as long as something else is still to come.
  [[nodiscard]] std::uint64_t next_time() {
    if (playback_.num_over() == scenario_.schedules.size()) return kNever;
    const std::uint64_t next = std::min(playback_.next_time(), next_stage_ns());
    return is_periodic() && next != kNever ? std::min(next, next_period_ns_) : next;
  }
  [[nodiscard]] bool is_periodic() const {
    return options_.recompute.when == When::periodic && solver_ != Solver::ecmp;
  }

  void begin() {
    follow_stage();
    if (solver_ != Solver::ecmp && options_.recompute.when == When::beforehand)
      recompute(0, [](CollectiveId) { return true; });
    take_detours(0, true);
  }

  void tick(std::uint64_t now) {
    const Playback::Happened& happened =
        playback_.play(now, [this](FlowId flow) -> const Route& { return controller_.route(flow); });
    record(happened);
    const bool changes = next_stage_ns() == now;
    if (changes) enter_next_stage();
    if (solver_ != Solver::ecmp) recompute_if_due(now, happened, changes);
    take_detours(now, changes);
    const auto settled = playback_.transfers().settle(now);
    if (recorder_) record_loads(now, happened, settled);
    if (happened.epoch_ended && options_.on_progress) options_.on_progress({solver_, now, playback_.num_over()});
  }

  void record(const Playback::Happened& happened) {
    for (const FlowRecord& flow : happened.flows) {
      digest_.add(std::uint64_t{flow.flow} << 32U | flow.step);
      digest_.add(flow.end_ns);
    }
    for (const EpochRecord& epoch : happened.epochs) {
      digest_.add(std::uint64_t{epoch.job} << 32U | epoch.epoch);
      digest_.add(epoch.start_ns);
      digest_.add(epoch.end_ns);
    }
    if (options_.record_flows) result_.flows.insert(result_.flows.end(), happened.flows.begin(), happened.flows.end());
    result_.epochs.insert(result_.epochs.end(), happened.epochs.begin(), happened.epochs.end());
  }

  void record_loads(std::uint64_t now, const Playback::Happened& happened, std::span<const FlowId> settled) {
    for (const FlowRecord& ended : happened.flows) recorder_->set(ended.flow, {}, now);
    for (const FlowId flow : settled)
      if (playback_.transfers().is_active(flow)) recorder_->set(flow, controller_.route(flow), now);
  }

  void note(const RecomputationRecord& recomputation) {
    digest_.add(recomputation.time_ns);
    digest_.add(std::uint64_t{recomputation.flows} << 32U | recomputation.moves);
    result_.recomputations.push_back(recomputation);
  }

  void enter_next_stage() {
    const Fabric& before = *stage().state.fabric;
    ++stage_;
    const Fabric& after = *stage().state.fabric;
    for (LinkId link = 0; link < after.num_links(); ++link)
      if (after.link(link).capacity_bps != before.link(link).capacity_bps)
        playback_.transfers().set_capacity(link, rate_of(after.link(link).capacity_bps));
    follow_stage();
  }

  void follow_stage() {
    const auto detours = controller_.follow(stage());
    rerouted_.assign(detours.begin(), detours.end());
  }

  // What the fabric does by itself counts on its own where it is the scheme, and where flows are led around what
  // failed without being routed anew at once.
  void take_detours(std::uint64_t now, bool fabric_changed) {
    const bool is_scheme = solver_ == Solver::ecmp && fabric_changed;
    if (rerouted_.empty() && !is_scheme) return;
    RecomputationRecord detours;
    detours.by_controller = is_scheme;
    detours.time_ns = now;
    detours.flows = static_cast<std::uint32_t>(is_scheme ? scenario_.traffic.flows.size() : rerouted_.size());
    detours.run_us = is_scheme ? stage().ecmp_us : 0;
    detours.moves = move_rerouted(now);
    note(detours);
  }

  void recompute_if_due(std::uint64_t now, const Playback::Happened& happened, bool fabric_changed) {
    const auto runs = [this](CollectiveId id) { return playback_.is_running(scenario_.traffic.collectives[id].job); };
    switch (options_.recompute.when) {
      case When::artifact:
        if (happened.turn_began || happened.epoch_ended)
          recompute(now, [this](CollectiveId id) { return playback_.communicates(id); });
        return;
      case When::periodic:
        if (now != next_period_ns_) return;
        next_period_ns_ += options_.recompute.period_ns;
        recompute(now, runs);
        return;
      case When::events:
        if (happened.job_began || happened.job_ended || fabric_changed) recompute(now, runs);
        return;
      case When::beforehand:
        return;
    }
  }

  // For the collectives that the policy asks for; with a horizon, for all that are expected until then.
  template <class IsRouted>
  void recompute(std::uint64_t now, const IsRouted& is_routed) {
    Forecast ahead;
    if (options_.horizon_ns > 0) {
      ahead = forecast(clock_.job_times(now), now, options_.horizon_ns);
      if (ahead.phases.empty() && options_.recompute.when == When::beforehand) refuse_horizon();
    }
    const auto starts = [&](CollectiveId id) {
      return ahead.starts.empty() ? 0 : ahead.starts[scenario_.traffic.collectives[id].turn];
    };
    std::vector<CollectiveId> collectives;
    for (CollectiveId id = 0; id < scenario_.traffic.collectives.size(); ++id) {
      const bool is_expected = ahead.starts.empty() ? is_routed(id) : playback_.communicates(id) || starts(id) > 0;
      if (!stage().cut_off[id] && is_expected) collectives.push_back(id);
    }
    if (collectives.empty()) return;
    if (ahead.starts.empty()) ahead.phases = phases_of(collectives);
    RecomputationRecord recomputation;
    recomputation.time_ns = now;
    const Outlook outlook = {
        [&](FlowId flow) { return is_under_way(flow, now); },
        [&](CollectiveId id) {
          // What does not communicate has the next time left, which is one of those ahead.
          const std::uint32_t times = starts(id);
          const std::uint32_t others = playback_.communicates(id) || times == 0 ? times : times - 1;
          return playback_.left(id, now) + playback_.whole(id) * others;
        },
        [&](TurnId turn) { return clock_.left_ns(turn, scenario_.ideal_ns[turn], now); }, std::move(ahead.phases)};
    const auto rerouted = controller_.recompute(stage(), collectives, outlook, recomputation);
    rerouted_.insert(rerouted_.end(), rerouted.begin(), rerouted.end());
    recomputation.moves = move_rerouted(now);
    note(recomputation);
  }

  // Of collectives of which nobody knows when they communicate: jobs may be in any of their turns. None where none
  // of them has a second one.
  [[nodiscard]] std::vector<TurnPhase> phases_of(std::span<const CollectiveId> collectives) const {
    TurnPhase any{std::vector<bool>(scenario_.traffic.turns.size(), false), 0};
    for (const CollectiveId id : collectives) any.turns[scenario_.traffic.collectives[id].turn] = true;
    std::vector<TurnPhase> phases = separate_turns(std::move(any), scenario_.traffic.turn_begin);
    return phases.size() == 1 ? std::vector<TurnPhase>{} : phases;
  }

  [[noreturn]] void refuse_horizon() const {
    std::uint64_t first_ns = kNever;
    for (const JobSchedule& job : scenario_.schedules) first_ns = std::min(first_ns, job.start_ns);
    throw Error(ErrorCode::bad_input,
                fmt::format("no job communicates within the horizon of {} ns, and routes are chosen once: the first "
                            "job starts at {} ns",
                            options_.horizon_ns, first_ns));
  }

  // In the middle of a step: those that start just now have nothing to lose.
  [[nodiscard]] bool is_under_way(FlowId flow, std::uint64_t now) const {
    return playback_.transfers().is_active(flow) && playback_.transfers().start_ns(flow) < now;
  }

  // Puts those that are active on their new route, and counts those that are under way.
  std::uint32_t move_rerouted(std::uint64_t now) {
    std::ranges::sort(rerouted_);
    rerouted_.erase(std::ranges::unique(rerouted_).begin(), rerouted_.end());
    std::uint32_t moves = 0;
    for (const FlowId flow : rerouted_) {
      if (!playback_.transfers().is_active(flow)) continue;
      playback_.transfers().move(flow, controller_.route(flow));
      moves += is_under_way(flow, now) ? 1U : 0U;
    }
    rerouted_.clear();
    return moves;
  }

  const Scenario& scenario_;
  const Solver solver_;
  const SimulationOptions& options_;
  Controller controller_;
  Playback playback_;
  const JobClock clock_{scenario_, playback_};
  std::size_t stage_ = 0;
  std::uint64_t next_period_ns_;
  util::Digest digest_;
  std::vector<FlowId> rerouted_;  // in this nanosecond, and not moved yet
  std::unique_ptr<LoadRecorder> recorder_;
  Simulation result_;
};

}  // namespace

std::vector<Simulation> simulate(const std::shared_ptr<const Fabric>& fabric,
                                 const std::shared_ptr<const Workload>& workload, const ProblemOptions& problem_options,
                                 const std::vector<Solver>& solvers, const SimulationOptions& options) {
  const Scenario scenario = make_scenario(fabric, workload, problem_options, options);
  std::vector<Simulation> simulations(solvers.size());
  util::parallel_chunks(solvers.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) simulations[i] = Run(scenario, solvers[i], options).play();
  });
  return simulations;
}

}  // namespace spineweave
