// A stand-in for CUDA's header and runtime: a C++ compiler that includes it builds kernel sources and
// runs them on the CPU. A kernel runs to its end on the thread that launches it, before the launch
// returns; streams therefore order nothing, and every error is known at once.
//
// Not covered: cooperative groups, clusters, grid-wide barriers, blocks that wait for one another,
// textures, weak memory. Floating-point atomics are left out because their result depends on order.
#pragma once

#include "cuda_on_cpu/shim/atomics.hpp"
#include "cuda_on_cpu/shim/device_scope.hpp"
#include "cuda_on_cpu/shim/intrinsics.hpp"
#include "cuda_on_cpu/shim/language.hpp"
#include "cuda_on_cpu/shim/launch.hpp"
#include "cuda_on_cpu/shim/runtime_api.hpp"
