#include "differential/layer.hpp"

namespace spineweave::test {

std::string_view layer_device() { return "NVIDIA"; }

std::size_t num_schedules() { return 1; }
std::string use_schedule(std::size_t) { return "the GPU's own order"; }
std::uint64_t launches_so_far() { return 0; }
bool limit_device_memory(std::size_t) { return false; }
void lift_device_memory_limit() {}
bool hide_devices() { return false; }
void show_devices() {}
bool fail_next_launch() { return false; }

}  // namespace spineweave::test
