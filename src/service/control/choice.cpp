#include "service/control/choice.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "service/control/moving.hpp"

namespace spineweave::service {
namespace {

bool is_proved(const Solution& solution) { return solution.certificate.vector_proved; }

class Chooser {
 public:
  Chooser(Evaluator& evaluator, const Present& present, const ChoiceOptions& options)
      : evaluator_(evaluator), present_(present), options_(options) {
    solve_options_.seed = options.seed;
    solve_options_.stop = options.stop;
    solve_options_.on_progress = options.on_progress;
  }

  Choice run() {
    if (std::ranges::all_of(present_.wanted, [](PathIndex path) { return path == kNone; }))
      return {solve(evaluator_, solve_options_), false, {}};
    Solution kept = keep();
    if (options_.effort == Effort::place || options_.max_moved == 0 || is_proved(kept))
      return {std::move(kept), false, {}};
    const Routing start = start_of(kept);
    Solution better = repair(kept, start);
    if (is_worth_it(better.score, kept)) return {std::move(better), true, {}};
    if (options_.effort == Effort::repair || is_proved(better)) return {std::move(kept), false, {}};
    return search(std::move(kept), start);
  }

 private:
  // Flows that are placed anew are moved among themselves as often as that helps.
  Solution keep() {
    SolveOptions options = solve_options_;
    options.warm_start = &present_.wanted;
    options.max_moved = 0;
    Solution kept = solve(evaluator_, options);
    if (kept.placed == 0 || is_proved(kept)) return kept;
    std::vector<FlowId> placed;
    for (FlowId flow = 0; flow < present_.wanted.size(); ++flow)
      if (present_.wanted[flow] == kNone) placed.push_back(flow);
    return polish(std::move(kept), placed, kNone);
  }

  [[nodiscard]] bool is_worth_it(const Score& score, const Solution& kept) const {
    return is_better(score, kept.score, options_.margin);
  }

  // What is used, and where that is nothing, what was placed.
  [[nodiscard]] Routing start_of(const Solution& kept) const {
    Routing start = kept.routing;
    for (FlowId flow = 0; flow < start.size(); ++flow)
      if (present_.used[flow] != kNone) start[flow] = present_.used[flow];
    return start;
  }

  [[nodiscard]] SolveOptions from(const Routing& start, std::uint32_t max_moved) const {
    SolveOptions options = solve_options_;
    options.warm_start = &start;
    options.max_moved = max_moved;
    options.time_limit_us = options_.time_limit_us;
    options.improve = true;
    return options;
  }

  Solution repair(const Solution& kept, const Routing& start) {
    Solution better = solve(evaluator_, from(start, options_.max_moved));
    if (!is_proved(better) && better.moved < options_.max_moved)
      better =
          polish(std::move(better), movable(), options_.max_moved == kNone ? kNone : options_.max_moved - better.moved);
    return unmove_pinned(std::move(better), kept.routing);
  }

  // Most moves of a search change nothing for any job.
  Choice search(Solution kept, const Routing& start) {
    const Routing found = options_.goal != nullptr ? *options_.goal : solve(evaluator_, from(start, kNone)).routing;
    const Solution goal = unmove_pinned(rate_routing(evaluator_, found), kept.routing);
    if (!is_worth_it(goal.score, kept)) return {std::move(kept), false, {}};
    const auto moving_to = [&](const Routing& to, const Score& than) {
      return Moving{start, to, options_.max_moved,
                    [&than](const Score& score) { return score.normalised <= than.normalised; },
                    [this] { return stopped(); }};
    };
    const Routing direct = take_back_moves(evaluator_, moving_to(goal.routing, goal.score));
    if (count_moves(start, direct) <= options_.max_moved) return {rate_routing(evaluator_, direct), true, {}};
    const Routing step = go_part_of_the_way(evaluator_, moving_to(direct, kept.score));
    if (step == start) return {std::move(kept), false, {}};
    return {rate_routing(evaluator_, step), true, direct};
  }

  [[nodiscard]] std::vector<FlowId> movable() const {
    std::vector<FlowId> all(present_.wanted.size()), flows;
    std::iota(all.begin(), all.end(), 0U);
    std::ranges::set_difference(all, present_.pinned, std::back_inserter(flows));
    return flows;
  }

  // Rounds of the moves of these flows that help most, at most `moves` in all.
  Solution polish(Solution solution, std::span<const FlowId> flows, std::uint32_t moves) {
    const auto state = evaluator_.make_state();
    state->assign(solution.routing);
    bool moved = false;
    while (moves > 0 && !stopped()) {
      state->begin_round({flows, moves});
      const RoundResult round = state->finish_round();
      if (round.kept.empty() && !round.taken_back) break;
      moved = moved || !round.kept.empty();
      if (moves != kNone) moves -= static_cast<std::uint32_t>(round.kept.size());
    }
    if (!moved) return solution;
    Routing routing(solution.routing.size());
    state->read_routing(routing);
    return rerate(solution, std::move(routing));
  }

  Solution unmove_pinned(Solution solution, const Routing& kept) {
    Routing routing = solution.routing;
    for (const FlowId flow : present_.pinned) routing[flow] = kept[flow];
    return routing == solution.routing ? solution : rerate(solution, std::move(routing));
  }

  Solution rerate(const Solution& before, Routing routing) {
    Solution after = rate_routing(evaluator_, std::move(routing));
    after.solve_us = before.solve_us;
    after.truncated = before.truncated;
    return after;
  }

  [[nodiscard]] bool stopped() const {
    return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  }

  Evaluator& evaluator_;
  const Present& present_;
  const ChoiceOptions& options_;
  SolveOptions solve_options_;
};

}  // namespace

bool is_better(const Score& score, const Score& than, double margin) {
  for (std::size_t i = 0; i < score.normalised.size(); ++i) {
    const auto now = static_cast<double>(score.normalised[i]);
    const auto before = static_cast<double>(than.normalised[i]);
    if (now * (1.0 + margin) < before) return true;
    if (now > before) return false;
  }
  return false;
}

Choice choose_routes(Evaluator& evaluator, const Present& present, const ChoiceOptions& options) {
  return Chooser(evaluator, present, options).run();
}

}  // namespace spineweave::service
