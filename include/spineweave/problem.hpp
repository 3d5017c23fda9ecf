// The flat, immutable, checked instance that every backend reads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "spineweave/fabric.hpp"
#include "spineweave/paths.hpp"
#include "spineweave/types.hpp"
#include "spineweave/workload.hpp"

namespace spineweave {

enum class WeightMode : std::uint8_t {
  demand,  // the rate the flow gets alone with its own job when only access links bind
  equal,   // 1
  hash     // lowest .. highest, by hash(seed, flow): for experiments
};

struct ProblemOptions {
  WeightMode weights = WeightMode::demand;
  std::uint32_t hash_lowest = 1, hash_highest = 100;
  std::uint64_t seed = 1;                   // for WeightMode::hash
  std::vector<std::uint32_t> factors = {};  // of the weights: [num_flows], each at least 1; empty: all 1
  std::uint32_t max_paths = 4096;           // per pair of switches, explicit path sets only
  bool allow_valley = false;                // pairs without an up-then-down path may take any shortest path
};

// "demand", "equal" or "hash:1-100". Throws Error{usage}.
void parse_weights(std::string_view text, ProblemOptions& options);

// The flows, ascending, whose ends no candidate path joins: those that Problem would refuse.
[[nodiscard]] std::vector<FlowId> unreachable_flows(const Fabric& fabric, std::span<const FlowSpec> flows,
                                                    const ProblemOptions& options = {});

// The problem as plain pointers into a Problem, or into a device's copy of it.
struct ProblemView {
  PathView paths;
  std::uint32_t num_flows = 0, num_jobs = 0, num_phases = 0;
  const std::uint32_t* scales = nullptr;         // [num_cells]
  const std::uint32_t* phase_weights = nullptr;  // [num_phases]
  const std::uint32_t* weights = nullptr;        // [num_flows]
  const JobId* job_of_flow = nullptr;            // [num_flows], ascending
  const std::uint64_t* phases_of_job = nullptr;  // [num_jobs] masks
  const std::uint64_t* floors = nullptr;         // [num_jobs]
  const std::uint32_t* block_begin = nullptr;    // [num_flows + 1]
  const PathBlock* blocks = nullptr;             // [block_begin[num_flows]]
  bool one_block_a_flow = false;                 // no flow has a choice of ports
};

class Problem {
 public:
  // Expands the flows, builds candidates and weights, checks the bit budget.
  // Throws Error{bad_input}: pairs that cannot reach each other (counted and named; both rails where
  // a rail-only fabric is the reason), weights that do not fit at precision 0 (with the numbers).
  Problem(std::shared_ptr<const Fabric> fabric, std::shared_ptr<const Workload> workload,
          const ProblemOptions& options = {});
  ~Problem();
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  [[nodiscard]] const Fabric& fabric() const noexcept { return *fabric_; }
  [[nodiscard]] const Workload& workload() const noexcept { return *workload_; }
  [[nodiscard]] const ProblemOptions& options() const noexcept { return options_; }

  [[nodiscard]] std::uint32_t num_flows() const noexcept { return static_cast<std::uint32_t>(flows_.size()); }
  [[nodiscard]] std::uint32_t num_jobs() const noexcept { return static_cast<std::uint32_t>(workload_->jobs.size()); }
  [[nodiscard]] std::uint32_t num_phases() const noexcept { return static_cast<std::uint32_t>(phase_weights_.size()); }
  [[nodiscard]] std::uint32_t num_cells() const noexcept { return view_.num_cells; }

  [[nodiscard]] std::span<const FlowSpec> flows() const noexcept { return flows_; }
  [[nodiscard]] std::span<const std::uint32_t> weights() const noexcept { return weights_; }  // [num_flows], 1 .. 65535
  [[nodiscard]] std::uint64_t phase_mask(FlowId flow) const { return job_phases_[flows_[flow].job]; }
  [[nodiscard]] std::span<const std::uint32_t> phase_weights() const noexcept {
    return phase_weights_;
  }  // [num_phases]
  [[nodiscard]] bool weights_rounded() const noexcept { return weights_rounded_; }

  [[nodiscard]] ProblemView view() const noexcept;
  [[nodiscard]] const PathView& paths() const noexcept { return view_; }
  [[nodiscard]] std::span<const PathBlock> blocks(FlowId flow) const;
  [[nodiscard]] std::uint32_t num_paths(FlowId flow) const;                                // dead ones counted
  [[nodiscard]] std::uint64_t num_candidates() const noexcept { return num_candidates_; }  // over all flows
  [[nodiscard]] std::uint32_t capped_pairs() const noexcept { return capped_pairs_; }      // where max_paths bit
  [[nodiscard]] bool is_alive(FlowId flow, PathIndex path) const;

  // Cells and links: see paths.hpp.
  [[nodiscard]] std::uint32_t cell_of(LinkId link) const { return cell_of_link_[link]; }
  [[nodiscard]] LinkId link_of(std::uint32_t cell) const { return link_of_cell_[cell]; }  // kNone: a hole
  [[nodiscard]] std::span<const std::uint32_t> scales() const noexcept {
    return scales_;
  }  // [num_cells]; 0: dead or a hole
  [[nodiscard]] std::uint32_t precision_bits() const noexcept { return precision_bits_; }
  // Congestion of a link whose load is exactly what it can carry at rate weight_unit_bps.
  [[nodiscard]] double utilisation(std::uint64_t congestion) const;
  // bit/s that one unit of weight stands for; with made-up weights the heaviest one fills a link.
  [[nodiscard]] double weight_unit_bps() const noexcept { return weight_unit_bps_; }

  // F(j): the job's bottleneck when it is alone and only access links count. [num_jobs], > 0
  [[nodiscard]] std::span<const std::uint64_t> floors() const noexcept { return floors_; }
  // N = congestion / F(j) in units of 2^-16, rounded up.
  [[nodiscard]] std::uint64_t normalise(JobId job, std::uint64_t congestion) const;
  // Largest congestion whose N does not exceed `normalised`.
  [[nodiscard]] std::uint64_t denormalise(JobId job, std::uint64_t normalised) const;

  // The links of a candidate in order, access links included.
  void append_links(FlowId flow, PathIndex path, std::vector<LinkId>& out) const;
  // The path with exactly these links, or kNone.
  [[nodiscard]] PathIndex find_path(FlowId flow, std::span<const LinkId> links) const;

  // The block that holds a path index.
  [[nodiscard]] const PathBlock& block_of(FlowId flow, PathIndex path) const;

 private:
  void set_phases();
  void build_paths();
  void set_precision();
  void set_floors();

  struct Storage;
  std::shared_ptr<const Fabric> fabric_;
  std::shared_ptr<const Workload> workload_;
  ProblemOptions options_;
  std::vector<FlowSpec> flows_;
  std::vector<std::uint32_t> weights_;
  std::vector<JobId> job_of_flow_;
  std::vector<std::uint64_t> job_phases_;
  std::vector<std::uint32_t> phase_weights_;
  std::vector<std::uint32_t> block_begin_;  // [num_flows + 1]
  std::vector<PathBlock> blocks_;
  std::span<const std::uint32_t> cell_of_link_, link_of_cell_;  // in storage_
  std::vector<std::uint32_t> scales_;
  std::vector<std::uint64_t> floors_;
  std::unique_ptr<Storage> storage_;
  PathView view_;
  std::uint64_t num_candidates_ = 0;
  std::uint64_t fastest_bps_ = 0;
  double weight_unit_bps_ = 0;
  std::uint32_t precision_bits_ = 0;
  std::uint32_t capped_pairs_ = 0;
  bool weights_rounded_ = false;
};

inline constexpr std::uint32_t kNormalBits = 16;  // fraction bits of N

}  // namespace spineweave
