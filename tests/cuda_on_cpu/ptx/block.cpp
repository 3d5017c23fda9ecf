#include "cuda_on_cpu/ptx/block.hpp"

#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "cuda_on_cpu/ptx/fault.hpp"

namespace ptx {
namespace {

constexpr std::uint32_t kWarpSize = 32;

// A thread that spins must let the one run for which it waits.
constexpr std::uint64_t kTurnLength = 20'000;
constexpr int kStrongLoadsPerTurn = 32;
// In the random order one turn in eight is short, so that threads also change places between plain accesses.
constexpr std::uint64_t kShortTurnLength = 64;
// Operations that a warp may do before the next warp has its turn.
constexpr int kWarpStreak = 16;

std::uint64_t mix(std::uint64_t value) {  // splitmix64 (Steele, Lea, Flood 2014)
  value += 0x9E3779B97F4A7C15;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return value ^ (value >> 31);
}

std::string to_text(const Extent& extent) {
  return "(" + std::to_string(extent.x) + "," + std::to_string(extent.y) + "," + std::to_string(extent.z) + ")";
}

Extent position_of(std::uint64_t index, const Extent& extent) {
  return {static_cast<std::uint32_t>(index % extent.x), static_cast<std::uint32_t>(index / extent.x % extent.y),
          static_cast<std::uint32_t>(index / extent.x / extent.y)};
}

}  // namespace

std::uint64_t LaunchContext::random() { return mix(random_state++); }

void Block::start(LaunchContext& context, std::uint64_t index) {
  context_ = &context;
  position_ = position_of(index, context.grid);
  const auto num_threads = static_cast<std::uint32_t>(context.block.size());
  shared_.resize(context.kernel.shared_bytes + context.dynamic_shared_bytes);
  for (std::size_t byte = 0; byte < shared_.size(); byte += sizeof(std::uint64_t)) {
    const std::uint64_t poison = mix(mix(context.schedule.seed ^ (index << 20)) + byte);
    std::memcpy(shared_.data() + byte, &poison, std::min(sizeof(poison), shared_.size() - byte));
  }
  warps_.assign((num_threads + kWarpSize - 1) / kWarpSize, Warp{});
  warp_order_.resize(warps_.size());
  std::iota(warp_order_.begin(), warp_order_.end(), 0U);
  threads_.resize(num_threads);
  for (std::uint32_t thread = 0; thread < num_threads; ++thread) {
    threads_[thread].start(context.kernel.entry(), thread);
    set_special_registers(threads_[thread]);
    warps_[thread / kWarpSize].live |= 1U << (thread % kWarpSize);
  }
  for (Warp& warp : warps_) warp.ready = warp.live;
  num_live_ = num_threads;
  arrived_.fill(0);
}

void Block::set_special_registers(Thread& thread) {
  std::uint64_t* const frame = thread.frame();
  const Extent position = position_of(thread.index, context_->block);
  const auto set = [&](std::uint32_t first, const Extent& extent) {
    frame[first] = extent.x;
    frame[first + 1] = extent.y;
    frame[first + 2] = extent.z;
  };
  set(tid_x, position);
  set(ntid_x, context_->block);
  set(ctaid_x, position_);
  set(nctaid_x, context_->grid);
  const std::uint32_t lane = thread.index % kWarpSize;
  const std::uint32_t equal = 1U << lane;
  frame[laneid] = lane;
  frame[lanemask_eq] = equal;
  frame[lanemask_lt] = equal - 1;
  frame[lanemask_le] = (equal - 1) | equal;
  frame[lanemask_gt] = ~((equal - 1) | equal);
  frame[lanemask_ge] = ~(equal - 1);
  frame[warpid] = thread.index / kWarpSize;
  frame[nwarpid] = warps_.size();
  frame[dynamic_smem_size] = context_->dynamic_shared_bytes;
  frame[total_smem_size] = shared_.size();
}

std::uint64_t Block::footprint_bytes() const {
  const Function& entry = context_->kernel.entry();
  return threads_.size() * (entry.frame.size() * sizeof(std::uint64_t) + entry.local_bytes) + shared_.size();
}

Block::Progress Block::run_round() {
  has_progress_ = false;
  is_stuck_ = true;
  const auto num_warps = static_cast<std::uint32_t>(warps_.size());
  if (context_->schedule.order == Order::random) {
    for (std::uint32_t left = num_warps; left > 1; --left) {
      std::swap(warp_order_[left - 1], warp_order_[context_->random() % left]);
    }
  }
  const bool descending = context_->schedule.order == Order::descending;
  for (std::uint32_t turn = 0; turn < num_warps; ++turn) {
    run_warp(warp_order_[descending ? num_warps - 1 - turn : turn]);
  }
  if (num_live_ == 0) return Progress::ended;
  resolve_barriers();
  if (is_stuck_) fail_deadlock();
  return has_progress_ ? Progress::some : Progress::none;
}

void Block::run_warp(std::uint32_t warp) {
  const Order order = context_->schedule.order;
  const int streak = order == Order::random ? 1 : kWarpStreak;
  for (int operation = 0; operation < streak; ++operation) {
    const std::uint32_t ready = warps_[warp].ready;
    if (ready != 0) is_stuck_ = false;
    const auto first = order == Order::random ? static_cast<std::uint32_t>(context_->random()) : 0;
    const std::uint32_t stride = (first >> 8) | 1;  // odd: visits every lane
    for (std::uint32_t turn = 0; ready != 0 && turn < kWarpSize; ++turn) {
      const std::uint32_t lane = order == Order::ascending    ? turn
                                 : order == Order::descending ? kWarpSize - 1 - turn
                                                              : (first + turn * stride) % kWarpSize;
      if (((ready >> lane) & 1) != 0) run_lane(warp, lane);
    }
    if (!resolve_warp(warp)) return;
    is_stuck_ = false;
  }
}

void Block::run_lane(std::uint32_t warp_index, std::uint32_t lane) {
  Thread& thread = lane_thread(warp_index, lane);
  run_thread(thread, turn_length());
  if (thread.wait == Thread::Wait::none) return;
  Warp& warp = warps_[warp_index];
  const std::uint32_t bit = 1U << lane;
  warp.ready &= ~bit;
  switch (thread.wait) {
    case Thread::Wait::none:
      break;
    case Thread::Wait::ended:
      warp.live &= ~bit;
      --num_live_;
      has_progress_ = true;
      break;
    case Thread::Wait::warp: {
      const auto mask = static_cast<std::uint32_t>(thread.frame()[thread.waits_at->slot[kAddressSlot]]);
      if ((mask & bit) == 0) fail(thread, *thread.waits_at, "the mask of the warp operation lacks its own lane");
      warp.masks[lane] = mask;
      warp.waiting |= bit;
      break;
    }
    case Thread::Wait::barrier: {
      const std::uint64_t barrier = thread.frame()[thread.waits_at->slot[1]];
      if (barrier >= arrived_.size()) fail(thread, *thread.waits_at, "no such barrier");
      ++arrived_[barrier];
      break;
    }
  }
}

std::uint64_t Block::turn_length() {
  if (context_->schedule.order != Order::random) return kTurnLength;
  const std::uint64_t number = context_->random();
  return number % 8 == 0 ? 1 + (number >> 8) % kShortTurnLength : kTurnLength;
}

bool Block::preempts() { return context_->schedule.order != Order::random || context_->random() % 2 == 0; }

void Block::run_thread(Thread& thread, std::uint64_t limit) {
  const Instruction* code = thread.function().code.data();
  const Instruction* at = code + thread.position;
  std::uint64_t* frame = thread.frame();
  std::uint64_t left = limit;
  int strong_loads = 0;
  const auto wait = [&](Thread::Wait what, const Instruction& instruction) {
    thread.wait = what;
    thread.waits_at = &instruction;
  };
  const auto follow_thread = [&] {
    code = thread.function().code.data();
    at = code + thread.position;
    frame = thread.frame();
  };
  for (bool runs = true; runs && left > 0; --left) {
    const Instruction& i = *at++;
    switch (i.op) {
      case Opcode::compute:
        i.compute(frame, i);
        break;
      case Opcode::branch:
        at = code + i.target;
        break;
      case Opcode::branch_if:
        if ((frame[i.slot[0]] & 1) != 0) at = code + i.target;
        break;
      case Opcode::branch_unless:
        if ((frame[i.slot[0]] & 1) == 0) at = code + i.target;
        break;
      case Opcode::branch_indexed: {
        const std::vector<std::uint32_t>& targets = thread.function().targets[i.target];
        const auto index = static_cast<std::uint32_t>(frame[i.slot[1]]);
        if (index >= targets.size()) fail(thread, i, "index beyond the list of targets");
        at = code + targets[index];
        break;
      }
      case Opcode::call:
        thread.position = static_cast<std::uint32_t>(at - code);
        thread.enter(context_->kernel, thread.function().calls[i.target]);
        follow_thread();
        break;
      case Opcode::ret:
        thread.leave();
        follow_thread();
        break;
      case Opcode::exit:
        wait(Thread::Wait::ended, i);
        runs = false;
        break;
      case Opcode::trap:
        fail(thread, i, "trap");
      case Opcode::load:
        load(thread, i);
        if (i.is_strong && ++strong_loads == kStrongLoadsPerTurn) runs = false;
        break;
      case Opcode::store:
        store(thread, i);
        break;
      case Opcode::atomic:
        update(thread, i);
        runs = !preempts();
        break;
      case Opcode::barrier:
        wait(Thread::Wait::barrier, i);
        runs = false;
        break;
      case Opcode::warp_barrier:
      case Opcode::shuffle_up:
      case Opcode::shuffle_down:
      case Opcode::shuffle_butterfly:
      case Opcode::shuffle_index:
      case Opcode::vote_ballot:
      case Opcode::vote_any:
      case Opcode::vote_all:
      case Opcode::vote_uniform:
      case Opcode::match_any:
      case Opcode::match_all:
        wait(Thread::Wait::warp, i);
        runs = false;
        break;
      // Which lanes run together is up to the machine: each runs alone.
      case Opcode::activemask:
        frame[i.slot[0]] = frame[lanemask_eq];
        break;
      case Opcode::fence:
      case Opcode::sleep:
        runs = false;
        break;
      case Opcode::local_address:
        frame[i.slot[0]] = thread.frame_memory() + static_cast<std::uint64_t>(i.offset);
        break;
      case Opcode::is_space:
        frame[i.slot[0]] = space_of(frame[i.slot[1]]) == i.space ? 1 : 0;
        break;
      case Opcode::clock:
        frame[i.slot[0]] = context_->instructions + limit - left;
        break;
      case Opcode::assert_failed:
        fail_assertion(thread, i);
      case Opcode::nothing:
        break;
      case Opcode::unsupported:
        fail(thread, i, "instruction not supported");
    }
  }
  thread.position = static_cast<std::uint32_t>(at - code);
  context_->instructions += limit - left;
}

std::string Block::describe(const Thread& thread, const Instruction& instruction) const {
  const Function& function = thread.function();
  const auto index = static_cast<std::size_t>(&instruction - function.code.data());
  std::string result = "kernel " + context_->kernel.entry().name;
  if (&function != &context_->kernel.entry()) result += ", function " + function.name;
  return result + ", block " + to_text(position_) + ", thread " + to_text(position_of(thread.index, context_->block)) +
         ", at \"" + function.text[index] + "\"";
}

void Block::fail(const Thread& thread, const Instruction& instruction, const std::string& what) const {
  throw Fault(Fault::Kind::failure, what + ": " + describe(thread, instruction));
}

}  // namespace ptx
