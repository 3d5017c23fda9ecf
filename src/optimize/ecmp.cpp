#include <zlib.h>

#include <array>

#include "optimize/solvers.hpp"
#include "util/hash.hpp"
#include "util/parallel.hpp"
#include "util/text.hpp"

namespace spineweave {

namespace {

// The artifact's RoutingUtility.hash, in Java's 32-bit arithmetic: sums wrap, >> keeps the sign.
std::int32_t artifact_hash(std::int32_t key) {
  auto a = static_cast<std::uint32_t>(key);
  const auto shifted = [&a](unsigned bits) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> bits); };
  a = (a + 0x7ed55d16U) + (a << 12U);
  a = (a ^ 0xc761c23cU) ^ shifted(19);
  a = (a + 0x165667b1U) + (a << 5U);
  a = (a + 0xd3a2646cU) ^ (a << 9U);
  a = (a + 0xfd7046c5U) + (a << 3U);
  a = (a ^ 0xb55a4f09U) ^ shifted(16);
  if (a == 0x80000000U) return 0x7fffffff;
  const auto value = static_cast<std::int32_t>(a);
  return value < 0 ? -value : value;
}

std::int32_t wrapping_sum(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

// The artifact knows nodes by number: the name, where it is one; else this fabric's own.
std::int32_t artifact_number(const Fabric& fabric, NodeId id) {
  return static_cast<std::int32_t>(util::parse_unsigned(fabric.node(id).name).value_or(id));
}

std::uint32_t artifact_choice(const Problem& problem, const FlowSpec& flow) {
  const Fabric& fabric = problem.fabric();
  const std::int32_t dst = artifact_number(fabric, flow.dst);
  const std::int32_t src = artifact_number(fabric, flow.src);
  const std::int32_t leaf = artifact_number(fabric, fabric.links_from(flow.src).front().to);
  return static_cast<std::uint32_t>(
      artifact_hash(wrapping_sum(leaf, artifact_hash(wrapping_sum(src, artifact_hash(dst))))));
}

// CRC-32 over what a switch hashes of a RoCEv2 packet: addresses, protocol, ports. The source port is
// what the NIC derives for each queue pair.
std::uint32_t crc32_choice(const FlowSpec& flow, FlowId id, std::uint64_t seed) {
  const auto source_port = static_cast<std::uint32_t>(util::random_at(seed, 0, id) & 0x3fffU) | 0xc000U;
  const std::array<std::uint32_t, 5> tuple = {flow.src, flow.dst, source_port, 4791, 17};
  std::array<unsigned char, 20> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(tuple[i / 4] >> (8 * (i % 4)));
  return static_cast<std::uint32_t>(::crc32(0, bytes.data(), static_cast<uInt>(bytes.size())));
}

}  // namespace

Routing route_ecmp(const LivePaths& live, EcmpHash hash, std::uint64_t seed) {
  const Problem& problem = live.problem();
  Routing routing(problem.num_flows());
  util::parallel_chunks(problem.num_flows(), 1024, [&](std::size_t begin, std::size_t end) {
    for (auto f = static_cast<FlowId>(begin); f < end; ++f) {
      const FlowSpec& flow = problem.flows()[f];
      const std::uint32_t choice =
          hash == EcmpHash::artifact ? artifact_choice(problem, flow) : crc32_choice(flow, f, seed);
      routing[f] = live.nth(f, choice % live.count(f));
    }
  });
  return routing;
}

}  // namespace spineweave
