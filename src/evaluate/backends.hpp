// The backends of this build, and the checks of arguments that all of them share.
#pragma once

#include <memory>
#include <span>

#include "spineweave/evaluator.hpp"

namespace spineweave {

[[nodiscard]] Capabilities cpu_capabilities();
[[nodiscard]] std::unique_ptr<Evaluator> make_cpu_evaluator(std::shared_ptr<const Problem> problem);

// In kernels/, or in cuda_absent.cpp where the build has no CUDA.
[[nodiscard]] Capabilities cuda_capabilities();
[[nodiscard]] std::unique_ptr<Evaluator> make_cuda_evaluator(std::shared_ptr<const Problem> problem);

// Throws Error{internal} unless there are num_flows paths for each score.
void check_routings_fill_scores(std::uint32_t num_flows, std::span<const PathIndex> routings,
                                std::span<const Score> scores);

}  // namespace spineweave
