// One integer at a time: for every machine, and to hold the vector code against.
#include "evaluate/score_kernels.hpp"

namespace spineweave {
namespace {

struct Lanes {
  std::uint32_t value;

  static Lanes all(std::uint32_t x) { return {x}; }
  static Lanes count_up() { return {0}; }
  static Lanes load(const std::uint32_t* from) { return {*from}; }
  static Lanes hold(const std::uint32_t* from) { return load(from); }
  void store(std::uint32_t* to) const { *to = value; }
};
constexpr std::uint32_t kLanes = 1;

Lanes operator+(Lanes a, Lanes b) { return {a.value + b.value}; }
Lanes operator-(Lanes a, Lanes b) { return {a.value - b.value}; }
Lanes operator&(Lanes a, Lanes b) { return {a.value & b.value}; }
Lanes operator*(Lanes a, Lanes b) { return {a.value * b.value}; }
Lanes operator>>(Lanes a, int bits) { return {a.value >> bits}; }
Lanes least(Lanes a, Lanes b) { return a.value < b.value ? a : b; }
Lanes most(Lanes a, Lanes b) { return a.value < b.value ? b : a; }
std::uint32_t least_of(Lanes a) { return a.value; }
Lanes where_equal(Lanes a, Lanes b, Lanes then, Lanes otherwise) { return a.value == b.value ? then : otherwise; }
Lanes least_of_each(const std::uint32_t* vectors) { return Lanes::load(vectors); }

#include "evaluate/score_rows.inc"

}  // namespace

extern const ScoreKernels kScalarKernels;
const ScoreKernels kScalarKernels = {"scalar", best_moves, raise_row, sum_squares};

}  // namespace spineweave
