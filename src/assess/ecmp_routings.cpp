// "ecmp:seeds=1-1000": one routing for each hash seed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "optimize/solvers.hpp"
#include "spineweave/error.hpp"
#include "spineweave/rank.hpp"
#include "util/spec_form.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

constexpr std::uint64_t kMostSeeds = 1'000'000;
constexpr std::string_view kKind = "ecmp";
constexpr std::array<std::string_view, 2> kHashNames = {"crc32", "artifact"};
constexpr std::array kHashes = {EcmpHash::crc32, EcmpHash::artifact};

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

EcmpHash parse_hash(const std::string& text) {
  const auto at = std::find(kHashNames.begin(), kHashNames.end(), text);
  if (at == kHashNames.end())
    refuse(util::with_hint(fmt::format("{}: hash is '{}'; expected crc32 or artifact", kKind, text), text, kHashNames));
  return kHashes[static_cast<std::size_t>(at - kHashNames.begin())];
}

// "7" or "1-1000"
void parse_seeds(const std::string& text, EcmpSeeds& seeds) {
  const auto dash = std::min(text.find('-'), text.size());
  const auto first = util::parse_unsigned(std::string_view(text).substr(0, dash));
  const auto last = dash < text.size() ? util::parse_unsigned(std::string_view(text).substr(dash + 1)) : first;
  if (!first || !last || *last < *first)
    refuse(fmt::format("{}: seeds is '{}'; expected a range such as 1-1000, or one number", kKind, text));
  if (*last - *first >= kMostSeeds)
    refuse(fmt::format("{}: seeds is '{}'; expected at most {} seeds", kKind, text, kMostSeeds));
  seeds.first = *first;
  seeds.count = *last - *first + 1;
}

}  // namespace

bool is_routings_spec(std::string_view text) { return util::looks_like_spec(text); }

EcmpSeeds parse_ecmp_seeds(std::string_view text) {
  util::SpecReader spec(util::parse_spec(text));
  if (spec.kind() != kKind) {
    const std::array known = {kKind};
    refuse(util::with_hint(fmt::format("unknown kind of routings '{}'; expected {}", spec.kind(), kKind), spec.kind(),
                           known));
  }
  const auto range = spec.text("seeds");
  const auto hash = spec.text("hash");
  spec.finish();
  EcmpSeeds seeds;
  if (hash) seeds.hash = parse_hash(*hash);
  if (range) parse_seeds(*range, seeds);
  if (range && seeds.hash == EcmpHash::artifact)
    refuse(fmt::format("{}: hash=artifact has no seed, so all seeds would give the same routing", kKind));
  if (!range && seeds.hash != EcmpHash::artifact) refuse(fmt::format("{}: seeds=FIRST-LAST is missing", kKind));
  return seeds;
}

RoutingSource ecmp_routings(const Problem& problem, const EcmpSeeds& seeds) {
  RoutingSource source;
  if (seeds.hash == EcmpHash::artifact) {
    source.names = {"artifact"};
  } else {
    for (std::uint64_t i = 0; i < seeds.count; ++i) source.names.push_back(fmt::format("seed {}", seeds.first + i));
  }
  const auto live = std::make_shared<const LivePaths>(problem);
  source.write = [live, seeds](std::size_t k, std::span<PathIndex> out) {
    const Routing routing = route_ecmp(*live, seeds.hash, seeds.first + k);
    std::copy(routing.begin(), routing.end(), out.begin());
  };
  return source;
}

}  // namespace spineweave
