#include "cuda_on_cpu/shim/scheduler.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <utility>

#include "cuda_on_cpu/shim/atomics.hpp"

// NOLINTBEGIN(readability-identifier-naming)
constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local dim3 blockDim{};
constinit thread_local dim3 gridDim{};
// NOLINTEND(readability-identifier-naming)

namespace simt {

constinit thread_local bool pauses_at_atomics = false;

namespace {

constinit thread_local Scheduler* scheduler_in_kernel = nullptr;

std::uint32_t lane_bit(const Lane& lane) { return 1U << (lane.linear % warpSize); }

}  // namespace

Scheduler& Scheduler::of_this_thread() {
  static thread_local Scheduler scheduler;
  return scheduler;
}

Scheduler* Scheduler::running() { return scheduler_in_kernel; }

Scheduler::~Scheduler() {
  // Every fiber is idle here. Each leaves for good once, for the sake of sanitizers.
  closing_ = true;
  scheduler_in_kernel = this;
  for (const auto& fiber : fibers_) own_.switch_to(*fiber);
  scheduler_in_kernel = nullptr;
}

void Scheduler::begin_grid(dim3 grid, dim3 block, const Body& body, const Schedule& schedule) {
  body_ = body;
  schedule_ = schedule;
  stats_ = {};
  gridDim = grid;
  blockDim = block;
  lanes_.assign(std::size_t{block.x} * block.y * block.z, Lane{});
  start_order_.resize(lanes_.size());
  warps_.resize((lanes_.size() + warpSize - 1) / warpSize);
  unsigned linear = 0;
  for (unsigned z = 0; z < block.z; ++z)
    for (unsigned y = 0; y < block.y; ++y)
      for (unsigned x = 0; x < block.x; ++x, ++linear) {
        lanes_[linear].index = {x, y, z};
        lanes_[linear].linear = linear;
      }
  scheduler_in_kernel = this;
  pauses_at_atomics = schedule.order == Order::random && schedule.preempt_permille > 0;
}

Stats Scheduler::end_grid() {
  scheduler_in_kernel = nullptr;
  pauses_at_atomics = false;
  return stats_;
}

void Scheduler::run_block(uint3 block) {
  blockIdx = block;
  const std::uint64_t number = block.x + std::uint64_t{gridDim.x} * (block.y + std::uint64_t{gridDim.y} * block.z);
  random_state_ = mix(schedule_.seed, 2 * number);
  shared_memory_.begin_block(mix(schedule_.seed, 2 * number + 1));

  const auto count = static_cast<unsigned>(lanes_.size());
  for (Warp& warp : warps_) warp = {.live = ~0U, .waiting = 0};
  if (count % warpSize != 0) warps_.back().live = (1U << count % warpSize) - 1;
  for (unsigned i = 0; i < count; ++i) {
    lanes_[i].state = LaneState::runnable;
    start_order_[i] = schedule_.order == Order::descending ? count - 1 - i : i;
  }
  if (schedule_.order == Order::random)
    for (unsigned i = count; i > 1; --i) std::swap(start_order_[i - 1], start_order_[random() % i]);
  started_ = 0;
  live_ = count;
  at_barrier_ = 0;
  predicates_ = 0;

  wait();
  stats_.threads += count;
}

std::uint64_t Scheduler::random() {
  random_state_ += 0x9E3779B97F4A7C15U;
  return mix(0, random_state_);
}

// ---- fibers ----

void Scheduler::fiber_main() noexcept {
  Fiber::started();
  Scheduler& self = *scheduler_in_kernel;
  do {
    self.start_next_lane();
    self.body_.run(self.body_.argument);
    self.exit_lane();
    self.retire_fiber();
  } while (!self.closing_);
  self.fiber_->leave_for(self.own_);
}

void Scheduler::start_next_lane() {
  Lane& lane = lanes_[start_order_[started_++]];
  lane.fiber = fiber_;
  current_ = &lane;
  threadIdx = lane.index;
}

void Scheduler::exit_lane() {
  Lane& lane = *current_;
  lane.state = LaneState::exited;
  --live_;
  Warp& warp = warps_[lane.linear / warpSize];
  warp.live &= ~lane_bit(lane);
  // Those who wait for this lane wait no longer.
  for (std::uint32_t left = warp.waiting; left != 0; left &= left - 1) {
    Lane& waiting = warp_of(lane)[static_cast<std::size_t>(std::countr_zero(left))];
    if (waiting.state == LaneState::in_collective) complete_collective(waiting);
  }
  if (live_ > 0 && at_barrier_ == live_) release_barrier();
}

// Comes back when the fiber shall run another thread, at once where nothing else could run.
void Scheduler::retire_fiber() {
  if (runnable_count_ == 0 && started_ < start_order_.size()) return;
  idle_.push_back(fiber_);
  wait();
}

// Goes on with another fiber, and comes back when it is this one's turn again.
void Scheduler::wait() {
  Fiber& from = *fiber_;
  Fiber& to = next_fiber();
  if (&from == &to) return;
  fiber_ = &to;
  from.switch_to(to);
  // Whoever switched back has set current_ and threadIdx, and fiber_ unless the scheduler closes.
  fiber_ = &from;
}

Fiber& Scheduler::next_fiber() {
  const std::size_t fresh = start_order_.size() - started_;
  const bool fresh_first = runnable_count_ == 0 || (schedule_.order == Order::random && fresh > 0 &&
                                                    random() % (runnable_count_ + fresh) >= runnable_count_);
  if (!fresh_first) {
    current_ = &take_runnable();
    threadIdx = current_->index;
    return *current_->fiber;
  }
  if (fresh > 0) return idle_fiber();
  if (live_ > 0) report_deadlock();
  current_ = nullptr;
  return own_;
}

Fiber& Scheduler::idle_fiber() {
  if (idle_.empty()) {
    fibers_.push_back(std::make_unique<Fiber>(&Scheduler::fiber_main));
    idle_.push_back(fibers_.back().get());
  }
  Fiber& fiber = *idle_.back();
  idle_.pop_back();
  return fiber;
}

// ---- lanes that can go on ----

void Scheduler::make_runnable(Lane& lane) {
  lane.state = LaneState::runnable;
  runnable_[(runnable_begin_ + runnable_count_++) % runnable_.size()] = &lane;
}

Lane& Scheduler::take_runnable() {
  Lane*& first = runnable_[runnable_begin_];
  if (schedule_.order == Order::random)
    std::swap(first, runnable_[(runnable_begin_ + random() % runnable_count_) % runnable_.size()]);
  runnable_begin_ = (runnable_begin_ + 1) % runnable_.size();
  --runnable_count_;
  return *first;
}

template <class Wanted>
void Scheduler::wake(std::span<Lane> lanes, Wanted wanted) {
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    Lane& lane = lanes[schedule_.order == Order::descending ? lanes.size() - 1 - i : i];
    if (wanted(lane)) make_runnable(lane);
  }
}

void Scheduler::maybe_pause() {
  constexpr std::uint64_t permille = 1000;
  if (random() % permille >= schedule_.preempt_permille) return;
  make_runnable(*current_);
  wait();
}

// ---- barriers and collectives ----

int Scheduler::barrier(bool predicate, const Site& where) {
  if (at_barrier_ > 0 && !same_site(barrier_site_, where)) {
    std::fprintf(stderr, "simt: other threads of the block wait at %s:%u\n", barrier_site_.file, barrier_site_.line);
    fail("a block's threads reach barriers at different source lines", where);
  }
  Lane& self = *current_;
  barrier_site_ = where;
  self.where = where;
  self.state = LaneState::at_barrier;
  ++at_barrier_;
  if (predicate) ++predicates_;
  if (at_barrier_ == live_) release_barrier();
  wait();
  return static_cast<int>(self.result);
}

void Scheduler::release_barrier() {
  ++stats_.barriers;
  for (Lane& lane : lanes_)
    if (lane.state == LaneState::at_barrier) lane.result = static_cast<std::uint64_t>(predicates_);
  wake(lanes_, [](const Lane& lane) { return lane.state == LaneState::at_barrier; });
  at_barrier_ = 0;
  predicates_ = 0;
}

std::uint64_t Scheduler::collective(Collective kind, std::uint32_t mask, std::uint64_t value, int argument, int width,
                                    const Site& where) {
  Lane& self = *current_;
  if ((mask & lane_bit(self)) == 0) fail("a warp intrinsic's mask lacks the calling lane", where);
  if (width <= 0 || width > warpSize || (width & (width - 1)) != 0)
    fail("a shuffle's width is not a power of two up to 32", where);
  self.call = {.kind = kind, .mask = mask, .argument = argument, .width = width, .value = value};
  self.where = where;
  self.state = LaneState::in_collective;
  warps_[self.linear / warpSize].waiting |= lane_bit(self);
  complete_collective(self);
  wait();
  return self.result;
}

namespace {

// Two lanes that wait for each other in different calls can never go on.
bool wait_in_vain(const Lane& a, const Lane& b) {
  return a.state == LaneState::in_collective && b.state == LaneState::in_collective &&
         (a.call.mask & lane_bit(b)) != 0 && (b.call.mask & lane_bit(a)) != 0 && !same_call(a, b);
}

[[noreturn]] void report_mismatch(const Lane& lane, const Lane& other) {
  std::fprintf(stderr, "simt: lane %u of the mask waits at %s:%u\n", other.linear % warpSize, other.where.file,
               other.where.line);
  threadIdx = lane.index;
  fail("the lanes of one mask are at different warp intrinsics, source lines or masks", lane.where);
}

}  // namespace

// Wakes the lanes of the mask if all of them wait in the same call.
void Scheduler::complete_collective(Lane& lane) {
  Warp& warp = warps_[lane.linear / warpSize];
  const std::uint32_t needed = lane.call.mask & warp.live;
  if ((warp.waiting & needed) != needed) return;
  const std::span<Lane> lanes = warp_of(lane);
  for (std::uint32_t left = needed; left != 0; left &= left - 1) {
    const Lane& other = lanes[static_cast<std::size_t>(std::countr_zero(left))];
    if (wait_in_vain(lane, other)) report_mismatch(lane, other);
    // A lane that waits for others only may come to this call later.
    if (!same_call(lane, other)) return;
  }
  ++stats_.collectives;
  resolve(lanes, needed);
  warp.waiting &= ~needed;
  wake(lanes, [needed](const Lane& each) { return (needed & lane_bit(each)) != 0; });
}

std::span<Lane> Scheduler::warp_of(const Lane& lane) {
  const std::size_t first = lane.linear / warpSize * std::size_t{warpSize};
  return std::span(lanes_).subspan(first, std::min<std::size_t>(warpSize, lanes_.size() - first));
}

void Scheduler::report_deadlock() {
  for (const Lane& lane : lanes_)
    for (const Lane& other : warp_of(lane))
      if (wait_in_vain(lane, other)) report_mismatch(lane, other);
  constexpr int shown_limit = 8;
  int shown = 0;
  const Lane* first = nullptr;
  for (const Lane& lane : lanes_) {
    if (lane.state == LaneState::exited) continue;
    if (first == nullptr) first = &lane;
    if (shown++ == shown_limit) break;
    std::fprintf(stderr, "simt: thread (%u,%u,%u) waits at %s:%u ", lane.index.x, lane.index.y, lane.index.z,
                 lane.where.file, lane.where.line);
    if (lane.state == LaneState::at_barrier)
      std::fprintf(stderr, "for its block\n");
    else
      std::fprintf(stderr, "for the lanes %08x\n", lane.call.mask);
  }
  threadIdx = first->index;
  fail("deadlock: no thread of the block can go on", first->where);
}

}  // namespace simt
