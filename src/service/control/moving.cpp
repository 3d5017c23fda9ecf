#include "service/control/moving.hpp"

#include <memory>
#include <span>
#include <vector>

namespace spineweave::service {
namespace {

std::vector<Move> list_moves(const Routing& from, const Routing& to) {
  std::vector<Move> moves;
  for (FlowId flow = 0; flow < from.size(); ++flow)
    if (from[flow] != to[flow]) moves.push_back({flow, from[flow], to[flow]});
  return moves;
}

Routing routing_of(const SearchState& state, std::size_t num_flows) {
  Routing routing(num_flows);
  state.read_routing(routing);
  return routing;
}

class Bisection {
 public:
  Bisection(SearchState& state, const Moving& moving, std::size_t left) : state_(state), moving_(moving), left_(left) {}

  void take_back(std::span<const Move> moves) {
    if (moves.empty() || left_ <= moving_.most || moving_.stop()) return;
    state_.snapshot();
    state_.apply(moves);
    if (moving_.is_good_enough(state_.score())) {
      left_ -= moves.size();
      return;
    }
    state_.rollback();
    if (moves.size() == 1) return;
    take_back(moves.first(moves.size() / 2));
    take_back(moves.subspan(moves.size() / 2));
  }

 private:
  SearchState& state_;
  const Moving& moving_;
  std::size_t left_;
};

}  // namespace

Routing take_back_moves(Evaluator& evaluator, const Moving& moving) {
  const std::vector<Move> back = list_moves(moving.goal, moving.start);
  const auto state = evaluator.make_state();
  state->assign(moving.goal);
  Bisection(*state, moving, back.size()).take_back(back);
  return routing_of(*state, moving.goal.size());
}

// A chain of moves, each of which needs the place of the next, is gone along from its end.
Routing go_part_of_the_way(Evaluator& evaluator, const Moving& moving) {
  std::vector<Move> left = list_moves(moving.start, moving.goal);
  const auto state = evaluator.make_state();
  state->assign(moving.start);
  std::uint32_t made = 0;
  for (bool goes_on = true; goes_on && made < moving.most;) {
    goes_on = false;
    std::erase_if(left, [&](const Move& move) {
      if (made == moving.most || moving.stop()) return false;
      state->snapshot();
      state->apply(std::span(&move, 1));
      const bool is_made = moving.is_good_enough(state->score());
      if (!is_made) state->rollback();
      made += is_made ? 1 : 0;
      goes_on = goes_on || is_made;
      return is_made;
    });
  }
  return routing_of(*state, moving.start.size());
}

std::uint32_t count_moves(const Routing& from, const Routing& to) {
  return static_cast<std::uint32_t>(list_moves(from, to).size());
}

}  // namespace spineweave::service
