// The CUDA backend with its launch shapes open; make_evaluator(problem, "cuda") takes the usual ones.
#pragma once

#include <memory>

#include "spineweave/evaluator.hpp"
#include "tuning.hpp"

namespace spineweave::gpu {

// Throws Error: backend_unavailable without a usable device, out_of_memory where the problem does not
// fit.
[[nodiscard]] std::unique_ptr<Evaluator> make_cuda_evaluator(std::shared_ptr<const Problem> problem,
                                                             const Tuning& tuning);

}  // namespace spineweave::gpu
