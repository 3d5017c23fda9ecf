#include "cuda_on_cpu/shim/collective.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace simt {
namespace {

template <class Visit>
void for_each_bit(std::uint32_t bits, Visit visit) {
  for (; bits != 0; bits &= bits - 1) visit(std::countr_zero(bits));
}

// The lane to read from; none where CUDA returns the caller's own value.
std::optional<int> source_lane(int lane, const CollectiveCall& call) {
  const int first = lane / call.width * call.width;
  const int end = first + call.width;
  switch (call.kind) {
    case Collective::shuffle:
      return first + (call.argument & (call.width - 1));
    case Collective::shuffle_up:
      return lane - call.argument >= first ? std::optional(lane - call.argument) : std::nullopt;
    case Collective::shuffle_down:
      return lane + call.argument < end ? std::optional(lane + call.argument) : std::nullopt;
    default: {
      const int source = lane ^ (call.argument & (warpSize - 1));
      return source < end ? std::optional(source) : std::nullopt;
    }
  }
}

void resolve_shuffle(std::span<Lane> warp, std::uint32_t participants) {
  for_each_bit(participants, [&](int lane) {
    Lane& reader = warp[static_cast<std::size_t>(lane)];
    const int source = source_lane(lane, reader.call).value_or(lane);
    if (source >= warpSize || (participants >> source & 1U) == 0) {
      threadIdx = reader.index;
      fail("shuffle reads from a lane that does not take part", reader.where);
    }
    reader.result = warp[static_cast<std::size_t>(source)].call.value;
  });
}

void resolve_match(std::span<Lane> warp, std::uint32_t participants) {
  for_each_bit(participants, [&](int lane) {
    Lane& asking = warp[static_cast<std::size_t>(lane)];
    asking.result = 0;
    for_each_bit(participants, [&](int other) {
      if (warp[static_cast<std::size_t>(other)].call.value == asking.call.value) asking.result |= 1U << other;
    });
  });
}

std::uint32_t combine(Collective kind, std::uint32_t a, std::uint32_t b) {
  const auto as_signed = [](std::uint32_t value) { return static_cast<std::int32_t>(value); };
  switch (kind) {
    case Collective::add:
      return a + b;
    case Collective::min_unsigned:
      return std::min(a, b);
    case Collective::max_unsigned:
      return std::max(a, b);
    case Collective::min_signed:
      return as_signed(a) < as_signed(b) ? a : b;
    case Collective::max_signed:
      return as_signed(a) > as_signed(b) ? a : b;
    case Collective::bit_and:
      return a & b;
    case Collective::bit_or:
      return a | b;
    default:
      return a ^ b;
  }
}

std::uint64_t common_result(std::span<Lane> warp, std::uint32_t participants) {
  const Collective kind = warp[static_cast<std::size_t>(std::countr_zero(participants))].call.kind;
  std::uint32_t votes = 0;
  std::optional<std::uint32_t> reduced;
  for_each_bit(participants, [&](int lane) {
    const auto value = static_cast<std::uint32_t>(warp[static_cast<std::size_t>(lane)].call.value);
    if (value != 0) votes |= 1U << lane;
    reduced = reduced ? combine(kind, *reduced, value) : value;
  });
  switch (kind) {
    case Collective::sync:
      return 0;
    case Collective::ballot:
      return votes;
    case Collective::any:
      return votes != 0 ? 1 : 0;
    case Collective::all:
      return votes == participants ? 1 : 0;
    default:
      return *reduced;
  }
}

}  // namespace

void resolve(std::span<Lane> warp, std::uint32_t participants) {
  switch (warp[static_cast<std::size_t>(std::countr_zero(participants))].call.kind) {
    case Collective::shuffle:
    case Collective::shuffle_up:
    case Collective::shuffle_down:
    case Collective::shuffle_xor:
      resolve_shuffle(warp, participants);
      return;
    case Collective::match_any:
      resolve_match(warp, participants);
      return;
    default:
      break;
  }
  const std::uint64_t result = common_result(warp, participants);
  for_each_bit(participants, [&](int lane) { warp[static_cast<std::size_t>(lane)].result = result; });
}

}  // namespace simt
