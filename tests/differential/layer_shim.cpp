#include <array>

#include <fmt/format.h>

#include "cuda_on_cpu/shim/config.hpp"
#include "differential/layer.hpp"

namespace spineweave::test {
namespace {

using simt::Order;

constexpr std::array kSchedules = {
    simt::Schedule{Order::ascending, 1, 0}, simt::Schedule{Order::descending, 2, 0},
    simt::Schedule{Order::random, 3, 0},    simt::Schedule{Order::random, 4, 100},
    simt::Schedule{Order::random, 5, 300},  simt::Schedule{Order::random, 6, 500},
};
constexpr std::array<std::string_view, 3> kOrders = {"ascending", "descending", "random"};

}  // namespace

std::string_view layer_device() { return "shim"; }

std::size_t num_schedules() { return kSchedules.size(); }

std::string use_schedule(std::size_t index) {
  const simt::Schedule& schedule = kSchedules[index];
  simt::set_schedule(schedule);
  return fmt::format("{} order, seed {}, preemption {} in 1000", kOrders[static_cast<std::size_t>(schedule.order)],
                     schedule.seed, schedule.preempt_permille);
}

std::uint64_t launches_so_far() { return simt::stats().launches; }

bool limit_device_memory(std::size_t bytes) {
  simt::set_memory_limit(bytes);
  return true;
}
void lift_device_memory_limit() { simt::set_memory_limit(simt::kDefaultMemoryLimit); }

bool hide_devices() {
  simt::set_device_count(0);
  return true;
}
void show_devices() { simt::set_device_count(1); }

bool fail_next_launch() {
  simt::fail_launch(1);
  return true;
}

}  // namespace spineweave::test
