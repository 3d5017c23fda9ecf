// Stands in for kernels/ in a build without CUDA.
#include "evaluate/backends.hpp"
#include "spineweave/error.hpp"

namespace spineweave {

Capabilities cuda_capabilities() {
  Capabilities capabilities;
  capabilities.name = "cuda";
  capabilities.why_not = "not compiled into this build";
  return capabilities;
}

std::unique_ptr<Evaluator> make_cuda_evaluator(std::shared_ptr<const Problem>) {
  throw Error(ErrorCode::backend_unavailable, "backend cuda is not compiled into this build");
}

}  // namespace spineweave
