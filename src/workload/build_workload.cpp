// Jobs from built-in specs: the table of kinds, and the parts that kinds share.
#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>

#include "spineweave/error.hpp"
#include "util/hash.hpp"
#include "util/spec_form.hpp"
#include "workload/specs.hpp"

namespace spineweave {
namespace {

constexpr std::array<std::string_view, 6> kKinds = {"permutation", "rings", "all-reduce",
                                                    "all-to-all",  "paper", "hybrid"};
constexpr std::uint64_t kDefaultBytes = 1'000'000'000;
constexpr std::uint64_t kMaxQps = 1024;

}  // namespace

std::uint32_t read_qps(util::SpecReader& spec) {
  return static_cast<std::uint32_t>(spec.number_or("qps", 1, 1, kMaxQps));
}

FlowKeys read_flow_keys(util::SpecReader& spec) {
  FlowKeys keys;
  keys.qps = read_qps(spec);
  const auto text = spec.text("bytes");
  const auto bytes = text ? util::parse_bytes(*text) : kDefaultBytes;
  if (!bytes || *bytes == 0)
    throw Error(ErrorCode::usage, fmt::format("{}: bytes is '{}'; expected a size above 0 with a unit, such as 1GB or "
                                              "512MiB",
                                              spec.kind(), *text));
  keys.bytes = *bytes;
  return keys;
}

std::uint64_t read_seed(util::SpecReader& spec) {
  return spec.number_or("seed", 1, 0, std::numeric_limits<std::uint64_t>::max());
}

std::optional<bool> read_choice(util::SpecReader& spec, std::string_view key, std::string_view no,
                                std::string_view yes) {
  const auto value = spec.text(key);
  if (!value) return std::nullopt;
  if (*value != no && *value != yes)
    throw Error(ErrorCode::usage, fmt::format("{}: {} is '{}'; expected {} or {}", spec.kind(), key, *value, no, yes));
  return *value == yes;
}

std::vector<EndpointId> placeable_endpoints(const Fabric& fabric) {
  std::vector<EndpointId> endpoints;
  for (EndpointId e = 0; e < fabric.num_endpoints(); ++e)
    if (fabric.node(e).role == NodeRole::endpoint && !fabric.links_from(e).empty()) endpoints.push_back(e);
  return endpoints;
}

void shuffle(std::span<std::uint32_t> items, std::uint64_t seed) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[util::random_below(util::random_at(seed, 0, i), static_cast<std::uint32_t>(i))]);
}

Workload build_permutation(const Fabric& fabric, util::SpecReader& spec) {
  const std::uint64_t seed = read_seed(spec);
  const FlowKeys keys = read_flow_keys(spec);
  spec.finish();
  const std::vector<EndpointId> sources = placeable_endpoints(fabric);
  if (sources.size() < 2)
    throw Error(ErrorCode::usage,
                fmt::format("permutation: the fabric has {} endpoint(s) for jobs; expected 2 or more", sources.size()));
  std::vector<EndpointId> targets = sources;
  shuffle(targets, seed);
  // A fixed point and its neighbour change places, and neither is one afterwards.
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (targets[i] == sources[i]) std::swap(targets[i], targets[(i + 1) % targets.size()]);

  Workload workload;
  Job& job = workload.jobs.emplace_back();
  job.id = "permutation";
  job.collectives.reserve(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i)
    job.collectives.push_back({CollectiveKind::p2p, keys.qps, keys.bytes, {sources[i], targets[i]}});
  return workload;
}

Workload build_workload(const Fabric& fabric, std::string_view text) {
  util::SpecReader spec(util::parse_spec(text));
  if (spec.kind() == "permutation") return build_permutation(fabric, spec);
  if (spec.kind() == "rings" || spec.kind() == "all-reduce")
    return build_groups(fabric, spec, CollectiveKind::ring_allreduce);
  if (spec.kind() == "all-to-all") return build_groups(fabric, spec, CollectiveKind::all_to_all);
  if (spec.kind() == "paper") return build_paper(fabric, spec);
  if (spec.kind() == "hybrid") return build_hybrid(fabric, spec);
  const std::string hint = util::suggest(spec.kind(), kKinds);
  throw Error(ErrorCode::usage, fmt::format("unknown kind of jobs '{}'; expected one of {}{}{}", spec.kind(),
                                            fmt::join(kKinds, ", "), hint.empty() ? "" : "; ", hint));
}

bool is_workload_spec(std::string_view text) { return util::looks_like_spec(text); }

}  // namespace spineweave
