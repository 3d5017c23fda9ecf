// The device that the shim pretends to be: compute capability 8.0 with some numbers of an A100.
#pragma once

#include <cstddef>

namespace simt {

inline constexpr int kMajor = 8;
inline constexpr int kMinor = 0;
inline constexpr int kMultiprocessors = 108;
inline constexpr std::size_t kSharedBytes = std::size_t{48} * 1024;
inline constexpr std::size_t kSharedOptinBytes = std::size_t{163} * 1024;
inline constexpr unsigned kBlockThreads = 1024;
inline constexpr unsigned kBlockDepth = 64;
inline constexpr unsigned kGridWidth = 0x7FFFFFFF;
inline constexpr unsigned kGridHeightAndDepth = 65535;

}  // namespace simt
