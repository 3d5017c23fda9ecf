#include "cli/solver_options.hpp"

#include <array>

namespace spineweave::cli {
namespace {

const std::string kGroup = "Solver";
constexpr std::array<std::string_view, 2> kHashNames = {"crc32", "artifact"};
constexpr std::array kHashes = {EcmpHash::crc32, EcmpHash::artifact};
constexpr std::uint64_t kMostRounds = 1'000'000'000;

}  // namespace

void add_rounds_option(CommandLine& line) {
  line.add_option(kGroup, "rounds",
                  "Generations of perturbation in weave's search (default: 12 up to 16,384 flows, else 0); steps for "
                  "each flow in annealing (default: 32)",
                  "N");
}

void add_ecmp_hash_option(CommandLine& line) {
  line.add_option(kGroup, "ecmp-hash", "Hash of solver ecmp: crc32 or artifact, the paper's (default: crc32)", "HASH");
}

std::uint32_t rounds_of(const CommandLine& line) {
  return static_cast<std::uint32_t>(line.number_or("rounds", kNone, 0, kMostRounds));
}

EcmpHash ecmp_hash_of(const CommandLine& line) { return kHashes[line.choice("ecmp-hash", kHashNames).value_or(0)]; }

// Rounded up: 0 would mean no limit.
std::uint64_t time_limit_us_of(const CommandLine& line) {
  return (line.duration_ns("time-limit").value_or(0) + 999) / 1000;
}

}  // namespace spineweave::cli
