// What one instruction set offers for scoring the rows of a Clos, as a table of functions on plain
// pointers. Units that are compiled for an instruction set include this header, <cstdint>, intrinsics
// and score_rows.inc alone: an inline function shared with other units would take vector instructions
// to where they must not run.
#pragma once

#include <cstdint>

#include "spineweave/move.hpp"

namespace spineweave {

// A flow of one phase and one block whose rows hold links of one scale, so that it adds the same amount
// to each of their cells. Cells count from the first phase's first. Small: all flows pass through the
// caches in each call.
struct RowFlow {
  static constexpr std::uint32_t kUnfit = 3;
  std::uint32_t height = kUnfit;   // as in PathBlock; kUnfit: not such a flow
  std::uint32_t up = 0, down = 0;  // first cells of the leaves' rows
  std::uint32_t added = 0;         // congestion of the flow on a cell of its rows
  std::int64_t slope = 0;          // its pressure for each 1 of the sum's field in its key
  // Where all flows have a path: congestion of the access links, and what they leave to be compared of it
  // before the flow is added, in whole units.
  std::uint32_t ends = 0, floor = 0;
};

// What is asked more rarely about it.
struct RowFlowDetails {
  std::uint32_t access_up = 0, access_down = 0;  // cells
  std::uint32_t access_up_added = 0, access_down_added = 0;
  std::uint32_t up_pod = 0, down_pod = 0;  // first places of the leaves' pods in agg_row
  std::uint32_t plane = 0;                 // first cell of the phase
  std::uint32_t phase_weight = 0;
};

// A candidate's key in one word, by which the least word is the best candidate:
//   | largest congestion | sum of congestion, in units | slot |
// All congestion in rows of one scale is a multiple of 2^unit_bits: the largest keeps its place, and
// what it leaves free below holds the sum, which orders candidates by pressure, and the slot. Dead
// candidates are at least kDeadCongestion.
struct RowKeys {
  std::uint32_t unit_bits = 0;
  std::uint32_t slot_bits = 0;
};

struct RowTable {
  const RowFlow* flows = nullptr;           // [num_flows]
  const RowFlowDetails* details = nullptr;  // [num_flows]
  const std::uint32_t* agg_row = nullptr;   // as in PathView, like all below
  std::uint32_t leaf_slots = 0, leaf_stride = 0;
  std::uint32_t core_slots = 0, core_stride = 0;
  std::uint32_t agg_up = 0, agg_down = 0;
  RowKeys keys;
  bool floors = true;  // whether any RowFlow::floor is above 0
};

struct FrozenRows {
  const std::uint32_t* congestion = nullptr;  // no live cell too large for the table's keys
  const PathIndex* routing = nullptr;
  bool complete = false;  // all flows have a path, and the access links what RowFlow::ends says
};

struct RowPair {
  const std::uint32_t* up = nullptr;
  const std::uint32_t* down = nullptr;
  const std::uint32_t* up_scales = nullptr;
  const std::uint32_t* down_scales = nullptr;
  std::uint32_t weight = 0;
  std::uint32_t cells = 0;  // a multiple of 16
};

// The sum of the squares of live cells, and the fullest of them.
struct RowSum {
  std::uint64_t squares = 0;
  std::uint32_t most = 0;
};

// The most slots that a leaf's row may have for best_moves.
inline constexpr std::uint32_t kMostSlots = 256;

struct ScoreKernels {
  const char* name;

  // The best moves of flows[0 .. count): as far as the first that needs another way to be scored, whose
  // place is returned.
  std::uint32_t (*best_moves)(const RowTable& table, const FrozenRows& rows, const FlowId* flows, std::uint32_t count,
                              BestMove* moves);

  // Raises worst[i] to the fuller of the pair's i-th cells with the flow on both. Returns the least.
  std::uint32_t (*raise_row)(const RowPair& pair, std::uint32_t* worst);

  RowSum (*sum_squares)(const std::uint32_t* cells, std::uint32_t count);
};

}  // namespace spineweave
