// Jobs from built-in specs: one function a kind, and what they share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "spineweave/workload.hpp"
#include "util/text.hpp"

namespace spineweave {

// One job of p2p flows: every endpoint sends to one and receives from one, never itself.
[[nodiscard]] Workload build_permutation(const Fabric& fabric, util::SpecReader& spec);

// Jobs of equal size, each with one collective of that kind; on named hosts one collective a rail.
// Named hosts are those of adapters that jobs may use and whose host and rail are known. Placed are
// the compute hosts alone: a host's rails must be among those of most hosts, and more than half of
// them. Others, such as subnet managers on two ports, are a finding, as are groups that are too small,
// hosts without an adapter on a rail of their job, and adapters without host or rail.
[[nodiscard]] Workload build_groups(const Fabric& fabric, util::SpecReader& spec, CollectiveKind kind);

// The models and shapes of Cohen, Yallouz, Schapira, Belkar, Mizrahi, "Routing for Large ML Models"
// (arXiv 2503.05324), laid out as in its artifact: rings of neighbours on different leaves, whole
// blocks of rings on the same leaves, no endpoint in two rings, and on no leaf more flows than its
// uplinks carry at full rate.
[[nodiscard]] Workload build_paper(const Fabric& fabric, util::SpecReader& spec);

// Jobs that are parallel in several ways at once, from the published sizes of a model: pipelines and exchanges between
// experts forward, the same backward, then all-reduces of gradients. Tensor parallelism stays inside a host.
[[nodiscard]] Workload build_hybrid(const Fabric& fabric, util::SpecReader& spec);

// The keys that kinds share: bytes=1GB, qps=1, seed=1.
struct FlowKeys {
  std::uint64_t bytes = 0;
  std::uint32_t qps = 1;
};
[[nodiscard]] FlowKeys read_flow_keys(util::SpecReader& spec);
[[nodiscard]] std::uint32_t read_qps(util::SpecReader& spec);
[[nodiscard]] std::uint64_t read_seed(util::SpecReader& spec);
// One of two words, true for the second; nothing where the key is not given.
[[nodiscard]] std::optional<bool> read_choice(util::SpecReader& spec, std::string_view key, std::string_view no,
                                              std::string_view yes);

// Endpoints that jobs are placed on, in order: of the role for it, and cabled.
[[nodiscard]] std::vector<EndpointId> placeable_endpoints(const Fabric& fabric);

// Fisher and Yates, "Statistical tables" (1938), with random numbers that depend on the seed and the
// position alone.
void shuffle(std::span<std::uint32_t> items, std::uint64_t seed);

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace spineweave
