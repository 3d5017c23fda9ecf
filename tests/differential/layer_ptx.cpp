#include <fmt/format.h>

#include <array>

#include "cuda_on_cpu/ptx/control.hpp"
#include "differential/layer.hpp"

namespace spineweave::test {
namespace {

using ptx::Order;

constexpr std::array kSchedules = {
    ptx::Schedule{Order::ascending, 1}, ptx::Schedule{Order::descending, 2}, ptx::Schedule{Order::random, 3},
    ptx::Schedule{Order::random, 4},    ptx::Schedule{Order::random, 5},
};
constexpr std::array<std::string_view, 3> kOrders = {"ascending", "descending", "random"};
constexpr std::uint64_t kPlenty = std::uint64_t{8} << 30U;

}  // namespace

std::string_view layer_device() { return "PTX interpreter"; }

std::size_t num_schedules() { return kSchedules.size(); }

std::string use_schedule(std::size_t index) {
  const ptx::Schedule& schedule = kSchedules[index];
  ptx::set_schedule(schedule);
  return fmt::format("{} order, seed {}", kOrders[static_cast<std::size_t>(schedule.order)], schedule.seed);
}

std::uint64_t launches_so_far() { return ptx::stats().launches; }

bool limit_device_memory(std::size_t bytes) {
  ptx::set_memory_limit(bytes);
  return true;
}
void lift_device_memory_limit() { ptx::set_memory_limit(kPlenty); }

bool hide_devices() {
  ptx::set_device_count(0);
  return true;
}
void show_devices() { ptx::set_device_count(1); }

bool fail_next_launch() { return false; }

}  // namespace spineweave::test
