#include "cuda_on_cpu/shim/fail.hpp"

#include <cstdio>
#include <cstdlib>

#include "cuda_on_cpu/shim/language.hpp"

namespace simt {

void fail(const char* message, const Site& where) {
  std::fprintf(stderr, "simt: %s: block (%u,%u,%u), thread (%u,%u,%u), %s:%u\n", message, blockIdx.x, blockIdx.y,
               blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, where.file, where.line);
  std::abort();
}

void fail(const char* message) {
  std::fprintf(stderr, "simt: %s\n", message);
  std::abort();
}

}  // namespace simt
