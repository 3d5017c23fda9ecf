// The small integer types that every module shares.
#pragma once

#include <cstdint>

namespace spineweave {

using NodeId = std::uint32_t;      // endpoints are 0 .. num_endpoints - 1, switches follow
using EndpointId = std::uint32_t;  // a NodeId below num_endpoints
using LinkId = std::uint32_t;      // a directed link
using JobId = std::uint32_t;
using FlowId = std::uint32_t;
using PathIndex = std::uint32_t;  // rank of a candidate path within its flow's candidates

inline constexpr std::uint32_t kNone = 0xffffffffU;

}  // namespace spineweave
