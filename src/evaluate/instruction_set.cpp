#include "evaluate/instruction_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "util/text.hpp"

namespace spineweave {

extern const ScoreKernels kScalarKernels;
extern const ScoreKernels kSse42Kernels;
extern const ScoreKernels kAvx2Kernels;
extern const ScoreKernels kAvx512Kernels;

namespace {

// What SPINEWEAVE_CPU may name, in this build or another.
constexpr std::string_view kNames[] = {"scalar", "sse42", "avx2", "avx512"};

// AVX-512 comes before AVX2 because it was measured faster: by a tenth, over rows of cores as over leaves'
// rows (Zen 5).
constexpr InstructionSet kInstructionSets[] = {
#if defined(__x86_64__)
    {&kAvx512Kernels,
     [] {
       return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
     }},
    {&kAvx2Kernels,
     [] { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"); }},
    {&kSse42Kernels, [] { return __builtin_cpu_supports("sse4.2") != 0; }},
#endif
    {&kScalarKernels, [] { return true; }},
};

}  // namespace

std::span<const InstructionSet> instruction_sets() { return kInstructionSets; }

KernelChoice choose_kernels() {
  const char* const forced = std::getenv("SPINEWEAVE_CPU");
  const std::string_view name = forced == nullptr ? "" : forced;
  for (const InstructionSet& set : kInstructionSets) {
    if (!name.empty() && name != set.kernels->name) continue;
    if (set.runs_here()) return {set.kernels, ""};
    if (name == set.kernels->name) return {nullptr, fmt::format("SPINEWEAVE_CPU={}: this processor lacks it", name)};
  }
  if (std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames))
    return {nullptr, fmt::format("SPINEWEAVE_CPU={}: not compiled into this build", name)};
  const std::vector<std::string_view> known(std::begin(kNames), std::end(kNames));
  return {nullptr,
          util::with_hint(fmt::format("SPINEWEAVE_CPU='{}': expected {}", name, fmt::join(known, ", ")), name, known)};
}

}  // namespace spineweave
