// AVX-512 (F): 16 lanes.
#include <immintrin.h>
#include "evaluate/score_kernels.hpp"

namespace spineweave {
namespace {

struct Lanes {
  __m512i value;

  static Lanes all(std::uint32_t x) { return {_mm512_set1_epi32(static_cast<int>(x))}; }
  static Lanes count_up() { return {_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)}; }
  static Lanes load(const std::uint32_t* from) { return {_mm512_loadu_si512(from)}; }
  void store(std::uint32_t* to) const { _mm512_storeu_si512(to, value); }
};
constexpr std::uint32_t kLanes = 16;

Lanes operator+(Lanes a, Lanes b) { return {_mm512_add_epi32(a.value, b.value)}; }
Lanes operator*(Lanes a, Lanes b) { return {_mm512_mullo_epi32(a.value, b.value)}; }
Lanes operator>>(Lanes a, int bits) { return {_mm512_srl_epi32(a.value, _mm_cvtsi32_si128(bits))}; }
Lanes least(Lanes a, Lanes b) { return {_mm512_min_epu32(a.value, b.value)}; }
Lanes most(Lanes a, Lanes b) { return {_mm512_max_epu32(a.value, b.value)}; }
std::uint32_t least_of(Lanes a) { return _mm512_reduce_min_epu32(a.value); }

#include "evaluate/score_rows.inc"

}  // namespace

extern const ScoreKernels kAvx512Kernels;
const ScoreKernels kAvx512Kernels = {"avx512", best_moves, raise_row, sum_squares};

}  // namespace spineweave
