// The evaluator: one problem on one device, and the search states that hang off it.
// Every backend gives the same bits for the same calls.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spineweave/move.hpp"
#include "spineweave/problem.hpp"
#include "spineweave/routing.hpp"
#include "spineweave/score.hpp"
#include "spineweave/types.hpp"

namespace spineweave {

// One synchronous round: score the flows against the frozen state, order the moves that help by
// (pressure change, flow), keep those whose cells no earlier kept move touches, apply them.
struct RoundSpec {
  std::span<const FlowId> flows;
  std::uint32_t max_moves = kNone;
};

struct RoundResult {
  Score score;              // after the round
  std::vector<Move> kept;   // in order; empty: nothing helped
  bool taken_back = false;  // the score did not get better until the moves were halved
};

struct Capabilities {
  std::string name;    // "cpu"
  std::string device;  // "AMD EPYC, scalar"
  bool usable = false;
  std::string why_not;        // where unusable
  std::uint32_t overlap = 1;  // search states that usefully work at once
};

class SearchState {  // one thread at a time
 public:
  virtual ~SearchState() = default;
  virtual void assign(std::span<const PathIndex> routing) = 0;
  virtual void apply(std::span<const Move> moves) = 0;  // in order
  // `job_bottlenecks`, if not empty, gets B(j): [num_jobs].
  [[nodiscard]] virtual Score score(std::span<std::uint64_t> job_bottlenecks = {}) = 0;
  virtual void begin_best_moves(std::span<const FlowId> flows) = 0;
  [[nodiscard]] virtual std::span<const BestMove> finish_best_moves() = 0;  // in flow order given
  virtual void begin_round(const RoundSpec& spec) = 0;
  [[nodiscard]] virtual RoundResult finish_round() = 0;
  virtual void snapshot() = 0;
  virtual void rollback() = 0;  // to the last snapshot
  virtual void read_congestion(
      std::span<std::uint32_t> out) const = 0;  // [phases * cells]; dead cells: kDeadCongestion
  virtual void read_routing(std::span<PathIndex> out) const = 0;
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  [[nodiscard]] virtual const Problem& problem() const = 0;
  [[nodiscard]] virtual const Capabilities& capabilities() const = 0;
  [[nodiscard]] virtual std::unique_ptr<SearchState> make_state() = 0;
  // [K * num_flows] -> [K]
  virtual void score_routings(std::span<const PathIndex> routings, std::span<Score> out) = 0;
};

// Every backend of this build, usable here or not, best first.
[[nodiscard]] std::vector<Capabilities> list_backends();

// Throws what make_evaluator throws for the name alone: to refuse it before there is a problem.
void check_backend(std::string_view backend);

// "auto": the first usable one. Throws Error{backend_unavailable} for a name that is not usable or
// not compiled in, Error{usage} for one that does not exist.
[[nodiscard]] std::unique_ptr<Evaluator> make_evaluator(std::shared_ptr<const Problem> problem,
                                                        std::string_view backend = "auto");

}  // namespace spineweave
