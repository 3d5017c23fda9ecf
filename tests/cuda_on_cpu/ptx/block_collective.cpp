// What threads do together: warp operations and barriers.
#include <bit>

#include "cuda_on_cpu/ptx/block.hpp"
#include "cuda_on_cpu/ptx/fault.hpp"

namespace ptx {
namespace {

template <typename Visit>
void for_each_lane(std::uint32_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

std::uint64_t cut(std::uint64_t value, std::uint8_t bytes) {
  return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

}  // namespace

// Does the operations for which all lanes of the mask that still live have come; false if there is none.
bool Block::resolve_warp(std::uint32_t warp_index) {
  Warp& warp = warps_[warp_index];
  bool any = false;
  for (std::uint32_t candidates = warp.waiting; candidates != 0;) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(candidates));
    const std::uint32_t needed = warp.masks[lane] & warp.live;
    candidates &= candidates - 1;
    if ((warp.waiting & needed) != needed || !agrees(warp_index, lane, needed)) continue;
    resolve_operation(warp_index, needed, *lane_thread(warp_index, lane).waits_at);
    for_each_lane(needed, [&](std::uint32_t member) { lane_thread(warp_index, member).wait = Thread::Wait::none; });
    warp.waiting &= ~needed;
    warp.ready |= needed;
    candidates &= ~needed;
    any = true;
  }
  return any;
}

// A lane with another mask may have an operation with others to do first; the same mask elsewhere is an error.
bool Block::agrees(std::uint32_t warp_index, std::uint32_t lane, std::uint32_t needed) {
  const Warp& warp = warps_[warp_index];
  const Thread& thread = lane_thread(warp_index, lane);
  bool agrees = true;
  for_each_lane(needed, [&](std::uint32_t member) {
    const Thread& other = lane_thread(warp_index, member);
    if (warp.masks[member] != warp.masks[lane]) {
      agrees = false;
    } else if (other.waits_at != thread.waits_at &&
               !(other.waits_at->op == Opcode::warp_barrier && thread.waits_at->op == Opcode::warp_barrier)) {
      fail(
          thread, *thread.waits_at,
          "divergent warp operation, another lane of the mask is elsewhere (" + describe(other, *other.waits_at) + ")");
    }
  });
  return agrees;
}

void Block::resolve_operation(std::uint32_t warp, std::uint32_t lanes, const Instruction& instruction) {
  switch (instruction.op) {
    case Opcode::warp_barrier:
      return;
    case Opcode::shuffle_up:
    case Opcode::shuffle_down:
    case Opcode::shuffle_butterfly:
    case Opcode::shuffle_index:
      return shuffle(warp, lanes, instruction);
    case Opcode::match_any:
    case Opcode::match_all:
      return match(warp, lanes, instruction);
    default:
      return vote(warp, lanes, instruction);
  }
}

void Block::shuffle(std::uint32_t warp, std::uint32_t lanes, const Instruction& i) {
  std::array<std::uint32_t, 32> values{};
  for_each_lane(lanes, [&](std::uint32_t lane) {
    values[lane] = static_cast<std::uint32_t>(lane_thread(warp, lane).frame()[i.slot[1]]);
  });
  for_each_lane(lanes, [&](std::uint32_t lane) {
    Thread& thread = lane_thread(warp, lane);
    std::uint64_t* const frame = thread.frame();
    const auto self = static_cast<std::int32_t>(lane);
    const auto amount = static_cast<std::int32_t>(frame[i.slot[2]] & 31);
    const auto clamp = static_cast<std::int32_t>(frame[i.slot[3]] & 31);
    const auto segment = static_cast<std::int32_t>((frame[i.slot[3]] >> 8) & 31);
    const std::int32_t limit = (self & segment) | (clamp & ~segment);
    std::int32_t source = 0;
    switch (i.op) {
      case Opcode::shuffle_up:
        source = self - amount;
        break;
      case Opcode::shuffle_down:
        source = self + amount;
        break;
      case Opcode::shuffle_butterfly:
        source = self ^ amount;
        break;
      default:
        source = (self & segment) | (amount & ~segment);
        break;
    }
    const bool in_range = i.op == Opcode::shuffle_up ? source >= limit : source <= limit;
    if (!in_range) source = self;
    if (((lanes >> source) & 1) == 0) {
      fail(thread, i, "shuffle from lane " + std::to_string(source) + ", which does not take part");
    }
    frame[i.slot[0]] = values[static_cast<std::size_t>(source)];
    frame[i.slot[kSecondResultSlot]] = in_range ? 1 : 0;
  });
}

void Block::vote(std::uint32_t warp, std::uint32_t lanes, const Instruction& i) {
  std::uint32_t ballot = 0;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    if ((lane_thread(warp, lane).frame()[i.slot[1]] & 1) != 0) ballot |= 1U << lane;
  });
  std::uint64_t result = ballot;
  if (i.op == Opcode::vote_any) result = ballot != 0 ? 1 : 0;
  if (i.op == Opcode::vote_all) result = ballot == lanes ? 1 : 0;
  if (i.op == Opcode::vote_uniform) result = ballot == lanes || ballot == 0 ? 1 : 0;
  for_each_lane(lanes, [&](std::uint32_t lane) { lane_thread(warp, lane).frame()[i.slot[0]] = result; });
}

void Block::match(std::uint32_t warp, std::uint32_t lanes, const Instruction& i) {
  std::array<std::uint64_t, 32> values{};
  for_each_lane(lanes,
                [&](std::uint32_t lane) { values[lane] = cut(lane_thread(warp, lane).frame()[i.slot[1]], i.width); });
  for_each_lane(lanes, [&](std::uint32_t lane) {
    std::uint32_t equal = 0;
    for_each_lane(lanes, [&](std::uint32_t other) {
      if (values[other] == values[lane]) equal |= 1U << other;
    });
    const bool all = equal == lanes;
    if (i.op == Opcode::match_all && !all) equal = 0;
    std::uint64_t* const frame = lane_thread(warp, lane).frame();
    frame[i.slot[0]] = equal;
    frame[i.slot[kSecondResultSlot]] = all ? 1 : 0;
  });
}

void Block::resolve_barriers() {
  for (std::uint32_t barrier = 0; barrier < arrived_.size(); ++barrier) {
    if (arrived_[barrier] != 0) resolve_barrier(barrier);
  }
}

// A barrier without a count is passed when every thread of the block that still lives has come.
void Block::resolve_barrier(std::uint32_t barrier) {
  // While only some have come, the search for the first of them would be wasted, except at a counted barrier.
  Thread* first = nullptr;
  std::uint32_t votes = 0;
  const auto is_here = [&](Thread& thread) {
    return thread.wait == Thread::Wait::barrier && thread.frame()[thread.waits_at->slot[1]] == barrier;
  };
  for (Thread& thread : threads_) {
    if (!is_here(thread)) continue;
    if (first == nullptr) {
      first = &thread;
      const std::uint64_t count = thread.frame()[thread.waits_at->slot[2]];
      if (arrived_[barrier] != (count != 0 ? count : num_live_)) return;
    }
    const bool is_counted = thread.frame()[thread.waits_at->slot[2]] != 0;
    if (!is_counted && thread.waits_at != first->waits_at) {
      fail(*first, *first->waits_at,
           "divergent barrier, another thread is elsewhere (" + describe(thread, *thread.waits_at) + ")");
    }
    if (thread.waits_at->reduction != Reduction::none && (thread.frame()[thread.waits_at->slot[3]] & 1) != 0) ++votes;
  }
  const std::uint32_t arrived = arrived_[barrier];
  arrived_[barrier] = 0;
  has_progress_ = true;
  is_stuck_ = false;
  for (Thread& thread : threads_) {
    if (!is_here(thread)) continue;
    std::uint64_t& result = thread.frame()[thread.waits_at->slot[0]];
    switch (thread.waits_at->reduction) {
      case Reduction::none:
        break;
      case Reduction::popc:
        result = votes;
        break;
      case Reduction::all:
        result = votes == arrived ? 1 : 0;
        break;
      case Reduction::any:
        result = votes != 0 ? 1 : 0;
        break;
    }
    thread.wait = Thread::Wait::none;
    warps_[thread.index / 32].ready |= 1U << (thread.index % 32);
  }
}

void Block::fail_deadlock() const {
  std::uint32_t at_barriers = 0;
  for (const std::uint32_t arrived : arrived_) at_barriers += arrived;
  for (const Thread& thread : threads_) {
    // A thread in a warp operation says more than the many that wait at the barrier behind it.
    if (thread.wait == Thread::Wait::warp || (thread.wait == Thread::Wait::barrier && at_barriers == num_live_)) {
      fail(thread, *thread.waits_at,
           "deadlock: of " + std::to_string(num_live_) + " threads " + std::to_string(at_barriers) +
               " wait at barriers and " + std::to_string(num_live_ - at_barriers) + " in warp operations");
    }
  }
  throw Fault(Fault::Kind::failure, "deadlock in kernel " + context_->kernel.entry().name);
}

}  // namespace ptx
