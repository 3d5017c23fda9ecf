#include "check.hpp"

#include <string>
#include <string_view>

#include "spineweave/error.hpp"

namespace spineweave::gpu {

void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();
  const std::string_view path(file);
  const std::string_view name = path.substr(path.rfind('/') + 1);
  std::string message = "the GPU failed: ";
  message += cudaGetErrorString(status);
  message.append(" (").append(cudaGetErrorName(status)).append(", ").append(name);
  message.append(":").append(std::to_string(line)).append(": ").append(call).append(")");
  throw Error(status == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory : ErrorCode::internal, message);
}

}  // namespace spineweave::gpu
