// SSE4.2: 4 lanes.
#include <nmmintrin.h>
#include "evaluate/score_kernels.hpp"

namespace spineweave {
namespace {

struct Lanes {
  __m128i value;

  static Lanes all(std::uint32_t x) { return {_mm_set1_epi32(static_cast<int>(x))}; }
  static Lanes count_up() { return {_mm_setr_epi32(0, 1, 2, 3)}; }
  static Lanes load(const std::uint32_t* from) { return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))}; }
  // In a register: GCC would rather load twice what is used twice, and loads are what there is too much of.
  static Lanes hold(const std::uint32_t* from) {
    Lanes held = load(from);
    asm("" : "+x"(held.value));
    return held;
  }
  void store(std::uint32_t* to) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value); }
};
constexpr std::uint32_t kLanes = 4;

Lanes operator+(Lanes a, Lanes b) { return {_mm_add_epi32(a.value, b.value)}; }
Lanes operator-(Lanes a, Lanes b) { return {_mm_sub_epi32(a.value, b.value)}; }
Lanes operator&(Lanes a, Lanes b) { return {_mm_and_si128(a.value, b.value)}; }
Lanes operator*(Lanes a, Lanes b) { return {_mm_mullo_epi32(a.value, b.value)}; }
Lanes operator>>(Lanes a, int bits) { return {_mm_srl_epi32(a.value, _mm_cvtsi32_si128(bits))}; }
Lanes least(Lanes a, Lanes b) { return {_mm_min_epu32(a.value, b.value)}; }
Lanes most(Lanes a, Lanes b) { return {_mm_max_epu32(a.value, b.value)}; }
std::uint32_t least_of(Lanes a) {
  __m128i x = _mm_min_epu32(a.value, _mm_shuffle_epi32(a.value, _MM_SHUFFLE(1, 0, 3, 2)));
  x = _mm_min_epu32(x, _mm_shuffle_epi32(x, _MM_SHUFFLE(2, 3, 0, 1)));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(x));
}
Lanes where_equal(Lanes a, Lanes b, Lanes then, Lanes otherwise) {
  return {_mm_blendv_epi8(otherwise.value, then.value, _mm_cmpeq_epi32(a.value, b.value))};
}
// Of two vectors, then of two such: lanes of one vector meet, those of several stay apart.
Lanes least_of_pairs(Lanes a, Lanes b) {
  return least({_mm_unpacklo_epi32(a.value, b.value)}, {_mm_unpackhi_epi32(a.value, b.value)});
}
Lanes least_of_fours(Lanes a, Lanes b) {
  return least({_mm_unpacklo_epi64(a.value, b.value)}, {_mm_unpackhi_epi64(a.value, b.value)});
}
Lanes least_of_each(const std::uint32_t* vectors) {
  const auto at = [vectors](std::uint32_t i) { return Lanes::load(vectors + i * kLanes); };
  return least_of_fours(least_of_pairs(at(0), at(1)), least_of_pairs(at(2), at(3)));
}

#include "evaluate/score_rows.inc"

}  // namespace

extern const ScoreKernels kSse42Kernels;
const ScoreKernels kSse42Kernels = {"sse42", best_moves, raise_row, sum_squares};

}  // namespace spineweave
