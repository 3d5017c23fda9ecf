// Jobs and their collectives, and how collectives become flows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spineweave/fabric.hpp"
#include "spineweave/types.hpp"

namespace spineweave {

enum class CollectiveKind : std::uint8_t {
  ring_allreduce,  // R flows r -> r+1, 2(R-1) steps
  all_gather,      // R flows r -> r+1, R-1 steps
  reduce_scatter,  // R flows r -> r+1, R-1 steps
  all_to_all,      // R(R-1) flows, one step
  tree_allreduce,  // binary tree, 2(R-1) flows: up and down every edge, one step each way
  p2p,             // one flow, rank 0 -> rank 1, one step
  pipeline,        // one pass: R-1 flows r -> r+1; see steps_of_flow. Back: the ranks reversed, in the next turn
};

[[nodiscard]] std::string_view name_of(CollectiveKind kind);
[[nodiscard]] std::optional<CollectiveKind> collective_kind(std::string_view name);

struct Collective {
  CollectiveKind kind = CollectiveKind::ring_allreduce;
  std::uint32_t qps = 1;    // each flow is split into that many, routed apart
  std::uint64_t bytes = 0;  // per flow and step
  std::vector<EndpointId> ranks;
  std::uint32_t repeats = 1;  // times that it is played in an epoch; of a pipeline: the micro-batches, which overlap
  std::uint32_t turn = 0;     // within an epoch: one turn's collectives play side by side, turns one after the other
};

inline constexpr std::uint64_t kAllPhases = ~std::uint64_t{0};
inline constexpr std::size_t kMostPhases = 64;  // as many as a mask of them holds

struct Job {
  std::string id;
  std::string model;  // free text; empty: not told
  std::uint64_t start_ns = 0;
  std::uint64_t compute_ns = 0;           // between two communication phases
  std::uint32_t epochs = 0;               // 0: not told
  std::uint64_t phase_mask = kAllPhases;  // bit t: active in phase t
  std::vector<Collective> collectives;    // in the order of their turns
};

struct Phase {
  std::string id;
  std::uint64_t length_ns = 0;
};

struct Workload {
  std::vector<Phase> phases;  // empty: one phase, everything at once
  std::vector<Job> jobs;
  std::vector<Finding> findings;  // groups dropped, hosts left out, ...
};

// One flow as it is routed: what a route in a routing file is matched by.
struct FlowSpec {
  EndpointId src = kNone;
  EndpointId dst = kNone;
  JobId job = kNone;
  std::uint32_t collective = 0;  // within the job
  std::uint32_t index = 0;       // within the collective: flow * qps + subflow
  std::uint64_t bytes = 0;       // per step; qps subflows share the flow's bytes, rounded up
};

// Number of flows of one collective, and of its steps in an epoch.
[[nodiscard]] std::uint64_t count_flows(const Collective& collective);
[[nodiscard]] std::uint64_t count_steps(const Collective& collective);

// The steps in which a flow sends, half open: all of them, but in a pipeline. There micro-batch m crosses edge e in
// step m + e (Huang et al., "GPipe: Efficient Training of Giant Neural Networks using Pipeline Parallelism", 2019).
struct StepRange {
  std::uint32_t begin = 0, end = 0;
  [[nodiscard]] bool holds(std::uint32_t step) const { return begin <= step && step < end; }
};
// `index` as in FlowSpec. With it begins ascend, and the flows of a collective leave no step out.
[[nodiscard]] StepRange steps_of_flow(const Collective& collective, std::uint32_t index);

// Every flow, in the order (job, collective, flow, subflow). Checks each job first.
// Throws Error{bad_input}: a rank that is no endpoint or stands twice, a flow to itself, fewer ranks
// than the kind needs, zero bytes, zero or more than 1,024 qps, zero repeats, 2^32 steps and more, turns
// out of order, duplicate job ids, no flow at all, or 2^32 flows and more.
[[nodiscard]] std::vector<FlowSpec> expand_flows(const Fabric& fabric, const Workload& workload);

// The jobs for one routing of all their turns, which Problem by itself takes for one: each turn a job of its own
// ("job/turn"), and phases in which turns of one job never meet, but each meets each turn of every other job.
// Returned as it is where phases are declared, which say who communicates together, or no job has a second turn.
// Throws Error{bad_input} where that takes more than 64 phases.
[[nodiscard]] Workload separate_turns(Workload workload);

// 64-bit hash over everything that decides flows and times.
[[nodiscard]] std::uint64_t digest_of(const Workload& workload, const Fabric& fabric);

// Build jobs from a spec:
//   "permutation:seed=1"
//   "rings:jobs=16,size=8,placement=random|packed,seed=1[,bytes=1GB][,qps=4]" (with named hosts:
//      `size` hosts a job, one ring per rail; `jobs` left out: as many as fit; order=shuffled)
//   "all-reduce:" like rings; "all-to-all:jobs=4,size=16,..."
//   "paper:jobs=5,ring=4,seed=1" (the models and shapes of arXiv 2503.05324)
//   "hybrid:model=gpt-3,dp=8,pp=4,tp=8[,ep=1][,micro_batches=16][,micro_batch=1][,jobs=2][,placement=random]
//      [,seed=1][,qps=4][,compute=500ms]" (data, pipeline, tensor and expert parallelism; a model's published sizes)
// Throws Error{usage} on an unknown kind, key or value, or more ranks than the fabric has.
[[nodiscard]] Workload build_workload(const Fabric& fabric, std::string_view spec);
[[nodiscard]] bool is_workload_spec(std::string_view text);

}  // namespace spineweave
