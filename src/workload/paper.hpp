// The jobs of the paper's evaluation, on any fabric that has room for them.
#pragma once

#include "spineweave/workload.hpp"
#include "util/text.hpp"

namespace spineweave {

// "paper:jobs=5,ring=4,seed=1". A model is trained by `copies` rings of `ring` endpoints each; a ring's
// flows carry ceil(ceil(4e9 parameters / copies) / ring) bytes a step (float32 gradients of the copy's
// share). Sizes and compute times are those of the workloads that the artifact of arXiv 2503.05324
// ships. No endpoint serves two rings, the members of a ring sit on different leaves, and a leaf may
// serve several jobs. `seed` decides leaves and start times.
[[nodiscard]] Workload build_paper_jobs(const Fabric& fabric, util::SpecReader& spec);

}  // namespace spineweave
