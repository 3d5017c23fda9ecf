#include "service/control/transition.hpp"

#include <algorithm>
#include <utility>

namespace spineweave::service {
namespace {

constexpr std::uint32_t kMostBatches = 8;

// Demands over links and phases, and the fullest link that they ever made.
class Loads {
 public:
  explicit Loads(const Problem& problem)
      : problem_(problem), demand_(std::size_t{problem.num_phases()} * problem.fabric().num_links(), 0) {}

  void add(FlowId flow, std::span<const LinkId> path) {
    each_place(flow, path, [&](std::size_t place, LinkId link) {
      demand_[place] += problem_.weights()[flow];
      peak_ = std::max(peak_, congestion(place, link));
    });
  }
  void remove(FlowId flow, std::span<const LinkId> path) {
    each_place(flow, path, [&](std::size_t place, LinkId) { demand_[place] -= problem_.weights()[flow]; });
  }
  // No link of the path would get fuller than `most`.
  [[nodiscard]] bool fits(FlowId flow, std::span<const LinkId> path, std::uint64_t most) const {
    bool fits = true;
    each_place(flow, path, [&](std::size_t place, LinkId link) {
      fits = fits && (demand_[place] + problem_.weights()[flow]) * scale(link) <= most;
    });
    return fits;
  }
  [[nodiscard]] std::uint64_t max() const {
    std::uint64_t most = 0;
    for (std::size_t place = 0; place < demand_.size(); ++place)
      most = std::max(most, congestion(place, static_cast<LinkId>(place % problem_.fabric().num_links())));
    return most;
  }
  // The fullest that a link was since the last call.
  [[nodiscard]] std::uint64_t take_peak() { return std::exchange(peak_, 0); }

 private:
  template <class Visit>
  void each_place(FlowId flow, std::span<const LinkId> path, const Visit& visit) const {
    for (std::uint32_t phase = 0; phase < problem_.num_phases(); ++phase) {
      if ((problem_.phase_mask(flow) >> phase & 1U) == 0) continue;
      for (const LinkId link : path) visit(std::size_t{phase} * problem_.fabric().num_links() + link, link);
    }
  }
  [[nodiscard]] std::uint64_t scale(LinkId link) const { return problem_.scales()[problem_.cell_of(link)]; }
  [[nodiscard]] std::uint64_t congestion(std::size_t place, LinkId link) const { return demand_[place] * scale(link); }

  const Problem& problem_;
  std::vector<std::uint64_t> demand_;  // [phases * links], in units of weight
  std::uint64_t peak_ = 0;
};

class Planner {
 public:
  Planner(const Problem& problem, std::span<const PathIndex> routing, std::span<const MovedFlow> moves,
          std::span<const StrayFlow> strays)
      : problem_(problem), moves_(moves), loads_(problem) {
    std::vector<LinkId> path;
    for (FlowId flow = 0; flow < routing.size(); ++flow) {
      path.clear();
      problem.append_links(flow, routing[flow], path);
      loads_.add(flow, path);
    }
    most_ = loads_.max();
    for (const MovedFlow& move : moves) {
      loads_.remove(move.flow, move.to);
      if (carries(move.from)) loads_.add(move.flow, move.from);
    }
    before_ = loads_.max();
    most_ = std::max(most_, before_);
    for (const StrayFlow& stray : strays)
      if (carries(stray.path)) loads_.add(stray.flow, stray.path);
    (void)loads_.take_peak();
  }

  TransitionPlan run() {
    plan_.batch.assign(moves_.size(), 0);
    plan_.transition.max_before = problem_.utilisation(before_);
    plan_.transition.max_all_at_once = problem_.utilisation(all_at_once());
    std::uint64_t fullest = moves_.empty() ? before_ : 0;
    std::vector<std::size_t> left = moves_by_need();
    for (std::uint32_t batch = 0; !left.empty(); ++batch) {
      fullest = std::max(fullest, run_batch(batch, left));
      plan_.transition.num_batches = batch + 1;
    }
    plan_.transition.max_utilisation = problem_.utilisation(fullest);
    return std::move(plan_);
  }

 private:
  [[nodiscard]] bool carries(std::span<const LinkId> path) const {
    return !path.empty() && std::ranges::none_of(path, [&](LinkId link) {
      return problem_.fabric().link(link).state == LinkState::down;
    });
  }

  [[nodiscard]] std::uint64_t all_at_once() {
    for (const MovedFlow& move : moves_) loads_.add(move.flow, move.to);
    const std::uint64_t most = loads_.max();
    for (const MovedFlow& move : moves_) loads_.remove(move.flow, move.to);
    return most;
  }

  // Those that cannot wait first.
  [[nodiscard]] std::vector<std::size_t> moves_by_need() const {
    std::vector<std::size_t> order(moves_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_partition(order, [&](std::size_t i) { return !carries(moves_[i].from); });
    return order;
  }

  // Takes those of the batch out of `left`; the fullest that a link gets.
  std::uint64_t run_batch(std::uint32_t batch, std::vector<std::size_t>& left) {
    std::uint64_t fullest = loads_.max();
    (void)loads_.take_peak();
    std::vector<std::size_t> taken, later;
    for (const std::size_t i : left) {
      const MovedFlow& move = moves_[i];
      const bool must = !carries(move.from) || batch + 1 == kMostBatches;
      if (!must && !loads_.fits(move.flow, move.to, most_)) {
        later.push_back(i);
        continue;
      }
      loads_.add(move.flow, move.to);
      taken.push_back(i);
    }
    if (taken.empty()) {  // none fits: one must begin
      taken.push_back(later.front());
      later.erase(later.begin());
      loads_.add(moves_[taken.front()].flow, moves_[taken.front()].to);
    }
    fullest = std::max(fullest, loads_.take_peak());
    for (const std::size_t i : taken) {
      plan_.batch[i] = batch;
      if (carries(moves_[i].from)) loads_.remove(moves_[i].flow, moves_[i].from);
    }
    left = std::move(later);
    return fullest;
  }

  const Problem& problem_;
  std::span<const MovedFlow> moves_;
  Loads loads_;
  std::uint64_t before_ = 0, most_ = 0;
  TransitionPlan plan_;
};

}  // namespace

TransitionPlan plan_transition(const Problem& problem, std::span<const PathIndex> routing,
                               std::span<const MovedFlow> moves, std::span<const StrayFlow> strays) {
  return Planner(problem, routing, moves, strays).run();
}

}  // namespace spineweave::service
