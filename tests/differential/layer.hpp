// Where the code of kernels/ runs in a test program: in the shim (g++'s code), in the PTX interpreter
// (nvcc's code), or on a GPU. Each program links the same tests with one of layer_*.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace spineweave::test {

// Part of the device's name: that the tests ran where they say.
[[nodiscard]] std::string_view layer_device();

// Orders in which blocks, warps and threads run; a GPU has one of its own.
[[nodiscard]] std::size_t num_schedules();
// Sets one and describes it.
std::string use_schedule(std::size_t index);

// Kernels that have run so far, 0 where the layer cannot tell.
[[nodiscard]] std::uint64_t launches_so_far();

// False where the layer cannot pretend.
bool limit_device_memory(std::size_t bytes);
void lift_device_memory_limit();
bool hide_devices();
void show_devices();
bool fail_next_launch();

}  // namespace spineweave::test
