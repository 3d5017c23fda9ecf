// Which instruction set scores rows on this machine.
#pragma once

#include <span>
#include <string>

#include "evaluate/score_kernels.hpp"

namespace spineweave {

struct InstructionSet {
  const ScoreKernels* kernels;
  bool (*runs_here)();
};

// Those compiled into this build, in the order of preference. The last one runs everywhere.
[[nodiscard]] std::span<const InstructionSet> instruction_sets();

// The first that runs here, or the one that SPINEWEAVE_CPU in the environment names; null where that
// one cannot be had, and why.
struct KernelChoice {
  const ScoreKernels* kernels = nullptr;
  std::string why_not;
};
[[nodiscard]] KernelChoice choose_kernels();

}  // namespace spineweave
