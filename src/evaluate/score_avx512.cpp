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
  // In a register: GCC would rather load twice what is used twice, and loads are what there is too much of.
  static Lanes hold(const std::uint32_t* from) {
    Lanes held = load(from);
    asm("" : "+v"(held.value));
    return held;
  }
  void store(std::uint32_t* to) const { _mm512_storeu_si512(to, value); }
};
constexpr std::uint32_t kLanes = 16;

Lanes operator+(Lanes a, Lanes b) { return {_mm512_add_epi32(a.value, b.value)}; }
Lanes operator-(Lanes a, Lanes b) { return {_mm512_sub_epi32(a.value, b.value)}; }
Lanes operator&(Lanes a, Lanes b) { return {_mm512_and_si512(a.value, b.value)}; }
Lanes operator*(Lanes a, Lanes b) { return {_mm512_mullo_epi32(a.value, b.value)}; }
Lanes operator>>(Lanes a, int bits) { return {_mm512_srl_epi32(a.value, _mm_cvtsi32_si128(bits))}; }
Lanes least(Lanes a, Lanes b) { return {_mm512_min_epu32(a.value, b.value)}; }
Lanes most(Lanes a, Lanes b) { return {_mm512_max_epu32(a.value, b.value)}; }
std::uint32_t least_of(Lanes a) { return _mm512_reduce_min_epu32(a.value); }
Lanes where_equal(Lanes a, Lanes b, Lanes then, Lanes otherwise) {
  return {_mm512_mask_blend_epi32(_mm512_cmpeq_epi32_mask(a.value, b.value), otherwise.value, then.value)};
}
// Of two vectors, then of two such, then twice of two quarters: lanes of one vector meet, those of several
// stay apart.
Lanes least_of_pairs(Lanes a, Lanes b) {
  return least({_mm512_unpacklo_epi32(a.value, b.value)}, {_mm512_unpackhi_epi32(a.value, b.value)});
}
Lanes least_of_fours(Lanes a, Lanes b) {
  return least({_mm512_unpacklo_epi64(a.value, b.value)}, {_mm512_unpackhi_epi64(a.value, b.value)});
}
Lanes least_of_quarters(Lanes a, Lanes b) {
  return least({_mm512_shuffle_i32x4(a.value, b.value, _MM_SHUFFLE(2, 0, 2, 0))},
               {_mm512_shuffle_i32x4(a.value, b.value, _MM_SHUFFLE(3, 1, 3, 1))});
}
Lanes least_of_each(const std::uint32_t* vectors) {
  const auto four = [vectors](std::uint32_t first) {
    const auto at = [&](std::uint32_t i) { return Lanes::load(vectors + (first + i) * kLanes); };
    return least_of_fours(least_of_pairs(at(0), at(1)), least_of_pairs(at(2), at(3)));
  };
  return least_of_quarters(least_of_quarters(four(0), four(4)), least_of_quarters(four(8), four(12)));
}

#include "evaluate/score_rows.inc"

}  // namespace

extern const ScoreKernels kAvx512Kernels;
const ScoreKernels kAvx512Kernels = {"avx512", best_moves, raise_row, sum_squares};

}  // namespace spineweave
