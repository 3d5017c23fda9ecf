#include "order_moves.hpp"

#include "check.hpp"
#include "thrust_policy.cuh"
#include "util/host_device.hpp"

#include <thrust/copy.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/sort.h>

namespace spineweave::gpu {
namespace {

struct LeadsElsewhere {
  const PathIndex* routing;
  SPINEWEAVE_HOST_DEVICE bool operator()(const BestMove& move) const { return move.to != routing[move.flow]; }
};

struct HelpsMore {
  SPINEWEAVE_HOST_DEVICE bool operator()(const BestMove& a, const BestMove& b) const {
    return a.pressure_change != b.pressure_change ? a.pressure_change < b.pressure_change : a.flow < b.flow;
  }
};

struct WithOrigin {
  const PathIndex* routing;
  SPINEWEAVE_HOST_DEVICE Move operator()(const BestMove& move) const {
    return {move.flow, routing[move.flow], move.to};
  }
};

struct IsKept {
  SPINEWEAVE_HOST_DEVICE bool operator()(Claim claim) const { return claim == Claim::kept; }
};

}  // namespace

std::uint32_t order_helping_moves(const BestMove* moves, std::uint32_t num_moves, const PathIndex* routing,
                                  BestMove* ordered, Scratch& scratch, cudaStream_t stream) {
  if (num_moves == 0) return 0;
  return with_thrust(scratch, stream, [&](const auto& policy) {
    BestMove* const end = thrust::copy_if(policy, moves, moves + num_moves, ordered, LeadsElsewhere{routing});
    thrust::sort(policy, ordered, end, HelpsMore());
    return static_cast<std::uint32_t>(end - ordered);
  });
}

std::uint32_t collect_kept_moves(const BestMove* ordered, const Claim* claims, std::uint32_t num_moves,
                                 const PathIndex* routing, Move* kept, Scratch& scratch, cudaStream_t stream) {
  if (num_moves == 0) return 0;
  return with_thrust(scratch, stream, [&](const auto& policy) {
    const auto moves = thrust::make_transform_iterator(ordered, WithOrigin{routing});
    return static_cast<std::uint32_t>(thrust::copy_if(policy, moves, moves + num_moves, claims, kept, IsKept()) - kept);
  });
}

}  // namespace spineweave::gpu
