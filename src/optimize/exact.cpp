#include "optimize/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "optimize/integer_program.hpp"
#include "paths/walk.hpp"
#include "spineweave/error.hpp"

namespace spineweave {
namespace {

constexpr std::size_t kMostColumns = 1'000'000;

// Flows with the same candidates, weight, phases and floor.
struct Group {
  std::vector<FlowId> flows;       // ascending
  std::vector<PathIndex> paths;    // live
  std::uint32_t first_column = 0;  // how many flows take each of the paths
};

// One program: is there a routing with no N above a target?
class TargetProgram {
 public:
  explicit TargetProgram(const Problem& problem) : problem_(problem), unit_(0) {
    for (const std::uint32_t weight : problem.weights()) unit_ = std::gcd(unit_, weight);
    floors_.assign(problem.floors().begin(), problem.floors().end());
    std::ranges::sort(floors_, std::greater<>());
    const auto repeated = std::ranges::unique(floors_);
    floors_.erase(repeated.begin(), repeated.end());
    group_flows();
    gather_cells();
  }

  [[nodiscard]] IntegerProgram::Answer solve(std::uint64_t target, const std::function<bool()>& stop,
                                             Routing& routing) const {
    IntegerProgram program;
    for (const Group& group : groups_)
      for (std::size_t i = 0; i < group.paths.size(); ++i) (void)program.add_column(group.flows.size());
    add_counts(program);
    for (const Cell& cell : cells_) limit(program, cell, target);
    std::vector<std::uint64_t> values;
    const auto answer = program.solve(stop, values);
    if (answer == IntegerProgram::Answer::found) deal(values, routing);
    return answer;
  }

  // The least N above `target` at which some link may hold one unit more.
  [[nodiscard]] std::uint64_t next_target(std::uint64_t target) const {
    std::uint64_t next = ~std::uint64_t{0};
    for (const JobId job : loosest_of_floor_) {
      const std::uint64_t congestion = problem_.denormalise(job, target);
      for (const Cell& cell : cells_) {
        const std::uint64_t step = std::uint64_t{cell.scale} * unit_;
        next = std::min(next, problem_.normalise(job, (congestion / step + 1) * step));
      }
    }
    return next;
  }

 private:
  // A link in one phase.
  struct Cell {
    std::uint32_t scale = 0;
    std::uint64_t fullest = 0;                 // if all flows took it that can
    std::vector<IntegerProgram::Term> terms;   // weight of each way to use it
    std::vector<std::uint32_t> floor_of_term;  // index into floors_
  };

  void group_flows() {
    const bool alike = problem_.view().one_block_a_flow;
    std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>,
             std::size_t>
        known;
    std::size_t columns = 0;
    for (FlowId flow = 0; flow < problem_.num_flows(); ++flow) {
      const PathBlock& block = problem_.blocks(flow).front();
      // With a choice of ports the access links are in play too.
      const auto [at, added] =
          known.try_emplace({problem_.floors()[problem_.flows()[flow].job], problem_.weights()[flow],
                             problem_.phase_mask(flow), block.src, block.dst, alike ? block.height : kNone - flow},
                            groups_.size());
      if (!added) {
        groups_[at->second].flows.push_back(flow);
        continue;
      }
      Group group;
      group.flows.push_back(flow);
      group.first_column = static_cast<std::uint32_t>(columns);
      for (PathIndex path = 0; path < problem_.num_paths(flow); ++path)
        if (problem_.is_alive(flow, path)) group.paths.push_back(path);
      columns += group.paths.size();
      if (columns > kMostColumns)
        throw Error(ErrorCode::bad_input,
                    fmt::format("exact is for small instances: the integer program would have more than {} variables; "
                                "use weave here",
                                kMostColumns));
      groups_.push_back(std::move(group));
    }
    for (const std::uint64_t floor : floors_) {
      JobId job = 0;
      while (problem_.floors()[job] != floor) ++job;
      loosest_of_floor_.push_back(job);
    }
  }

  void gather_cells() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Cell> cells;  // by (phase, cell)
    const bool access = !problem_.view().one_block_a_flow;
    for (const Group& group : groups_) {
      const FlowId flow = group.flows.front();
      const std::uint32_t weight = problem_.weights()[flow];
      const auto floor = static_cast<std::uint32_t>(
          std::ranges::find(floors_, problem_.floors()[problem_.flows()[flow].job]) - floors_.begin());
      for (std::uint32_t phase = 0; phase < problem_.num_phases(); ++phase) {
        if ((problem_.phase_mask(flow) >> phase & 1U) == 0) continue;
        std::set<std::uint32_t> counted;
        for (std::size_t i = 0; i < group.paths.size(); ++i) {
          const PathBlock& block = problem_.block_of(flow, group.paths[i]);
          const auto add = [&](std::uint32_t id) {
            Cell& cell = cells[{phase, id}];
            cell.scale = problem_.scales()[id];
            cell.terms.push_back({group.first_column + static_cast<std::uint32_t>(i), weight});
            cell.floor_of_term.push_back(floor);
            if (counted.insert(id).second) cell.fullest += std::uint64_t{weight} * group.flows.size();
          };
          visit_fabric_cells(problem_.paths(), block, group.paths[i] - block.first_path, add);
          if (!access) continue;
          add(block.access_up);
          add(block.access_down);
        }
      }
    }
    for (auto& [place, cell] : cells) cells_.push_back(std::move(cell));
  }

  void add_counts(IntegerProgram& program) const {
    std::vector<IntegerProgram::Term> terms;
    for (const Group& group : groups_) {
      terms.clear();
      for (std::uint32_t i = 0; i < group.paths.size(); ++i) terms.push_back({group.first_column + i, 1});
      const auto count = static_cast<std::int64_t>(group.flows.size());
      program.add_row(terms, count, count);
    }
  }

  // No job on the link may see more than its target allows. Where floors differ, a switch for each stricter
  // floor says whether its flows use the link: only then is there less room for all.
  void limit(IntegerProgram& program, const Cell& cell, std::uint64_t target) const {
    const auto room = [&](std::size_t floor) {
      return static_cast<std::int64_t>(problem_.denormalise(loosest_of_floor_[floor], target) / cell.scale);
    };
    std::vector<IntegerProgram::Term> terms = cell.terms;
    const auto [loosest, strictest] = std::ranges::minmax_element(cell.floor_of_term);
    if (cell.fullest <= static_cast<std::uint64_t>(room(*strictest))) return;
    for (std::uint32_t floor = *loosest + 1; floor <= *strictest; ++floor) {
      std::vector<IntegerProgram::Term> strict;
      for (std::size_t i = 0; i < cell.terms.size(); ++i)
        if (cell.floor_of_term[i] >= floor) strict.push_back(cell.terms[i]);
      const std::uint32_t used = program.add_column(1);
      terms.push_back({used, room(floor - 1) - room(floor)});
      strict.push_back({used, -room(floor)});
      program.add_row(strict, -IntegerProgram::kUnlimited, 0);
    }
    program.add_row(terms, -IntegerProgram::kUnlimited, room(*loosest));
  }

  void deal(std::span<const std::uint64_t> values, Routing& routing) const {
    for (const Group& group : groups_) {
      std::size_t next = 0;
      for (std::size_t i = 0; i < group.paths.size(); ++i)
        for (std::uint64_t n = values[group.first_column + i]; n > 0; --n)
          routing[group.flows[next++]] = group.paths[i];
    }
  }

  const Problem& problem_;
  std::uint32_t unit_;                   // greatest common divisor of the weights
  std::vector<std::uint64_t> floors_;    // distinct, descending: from the loosest jobs to the strictest
  std::vector<JobId> loosest_of_floor_;  // [floors] a job with it
  std::vector<Group> groups_;
  std::vector<Cell> cells_;
};

// What the bounds say of the jobs after the worst holds for routings whose worst job is at the old bound.
void raise_worst(Bounds& bounds, std::uint64_t proved) {
  if (proved == bounds.vector.front()) return;
  bounds.vector = bounds.per_job;
  std::ranges::sort(bounds.vector, std::greater<>());
  bounds.vector.front() = proved;
}

}  // namespace

Outcome solve_exactly(Evaluator& evaluator, const std::function<bool()>& stop) {
  const Problem& problem = evaluator.problem();
  const auto state = evaluator.make_state();
  const auto rated = [&](Routing routing) { return complete(*state, std::move(routing), problem.num_jobs()); };
  Outcome outcome{rated(route_greedy(problem)), compute_bounds(problem)};
  if (problem.paths().kind == PathKind::tiered) {
    RatedRouting colored = rated(route_coloring(problem));
    if (colored.score < outcome.best.score) outcome.best = std::move(colored);
  }
  if (problem.num_flows() == 0) return outcome;

  const TargetProgram program(problem);
  std::uint64_t proved = outcome.bounds.vector.front();
  while (proved < outcome.best.score.normalised.front() && !outcome.truncated) {
    Routing routing(problem.num_flows(), kNone);
    switch (program.solve(proved, stop, routing)) {
      case IntegerProgram::Answer::found:
        outcome.best = rated(std::move(routing));
        raise_worst(outcome.bounds, proved);
        return outcome;
      case IntegerProgram::Answer::impossible:
        proved = std::min(program.next_target(proved), outcome.best.score.normalised.front());
        break;
      case IntegerProgram::Answer::unknown:
        outcome.truncated = true;
        break;
    }
  }
  raise_worst(outcome.bounds, proved);
  return outcome;
}

}  // namespace spineweave
