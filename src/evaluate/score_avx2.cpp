// AVX2: 8 lanes.
#include <immintrin.h>
#include "evaluate/score_kernels.hpp"

namespace spineweave {
namespace {

struct Lanes {
  __m256i value;

  static Lanes all(std::uint32_t x) { return {_mm256_set1_epi32(static_cast<int>(x))}; }
  static Lanes count_up() { return {_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)}; }
  static Lanes load(const std::uint32_t* from) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))}; }
  // In a register: GCC would rather load twice what is used twice, and loads are what there is too much of.
  static Lanes hold(const std::uint32_t* from) {
    Lanes held = load(from);
    asm("" : "+x"(held.value));
    return held;
  }
  void store(std::uint32_t* to) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), value); }
};
constexpr std::uint32_t kLanes = 8;

Lanes operator+(Lanes a, Lanes b) { return {_mm256_add_epi32(a.value, b.value)}; }
Lanes operator-(Lanes a, Lanes b) { return {_mm256_sub_epi32(a.value, b.value)}; }
Lanes operator&(Lanes a, Lanes b) { return {_mm256_and_si256(a.value, b.value)}; }
Lanes operator*(Lanes a, Lanes b) { return {_mm256_mullo_epi32(a.value, b.value)}; }
Lanes operator>>(Lanes a, int bits) { return {_mm256_srl_epi32(a.value, _mm_cvtsi32_si128(bits))}; }
Lanes least(Lanes a, Lanes b) { return {_mm256_min_epu32(a.value, b.value)}; }
Lanes most(Lanes a, Lanes b) { return {_mm256_max_epu32(a.value, b.value)}; }
std::uint32_t least_of(Lanes a) {
  __m128i x = _mm_min_epu32(_mm256_castsi256_si128(a.value), _mm256_extracti128_si256(a.value, 1));
  x = _mm_min_epu32(x, _mm_shuffle_epi32(x, _MM_SHUFFLE(1, 0, 3, 2)));
  x = _mm_min_epu32(x, _mm_shuffle_epi32(x, _MM_SHUFFLE(2, 3, 0, 1)));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(x));
}
Lanes where_equal(Lanes a, Lanes b, Lanes then, Lanes otherwise) {
  return {_mm256_blendv_epi8(otherwise.value, then.value, _mm256_cmpeq_epi32(a.value, b.value))};
}
// Of two vectors, then of two such, then of two halves: lanes of one vector meet, those of several stay apart.
Lanes least_of_pairs(Lanes a, Lanes b) {
  return least({_mm256_unpacklo_epi32(a.value, b.value)}, {_mm256_unpackhi_epi32(a.value, b.value)});
}
Lanes least_of_fours(Lanes a, Lanes b) {
  return least({_mm256_unpacklo_epi64(a.value, b.value)}, {_mm256_unpackhi_epi64(a.value, b.value)});
}
Lanes least_of_eights(Lanes a, Lanes b) {
  return least({_mm256_permute2x128_si256(a.value, b.value, 0x20)},
               {_mm256_permute2x128_si256(a.value, b.value, 0x31)});
}
Lanes least_of_each(const std::uint32_t* vectors) {
  const auto four = [vectors](std::uint32_t first) {
    const auto at = [&](std::uint32_t i) { return Lanes::load(vectors + (first + i) * kLanes); };
    return least_of_fours(least_of_pairs(at(0), at(1)), least_of_pairs(at(2), at(3)));
  };
  return least_of_eights(four(0), four(4));
}

#include "evaluate/score_rows.inc"

}  // namespace

extern const ScoreKernels kAvx2Kernels;
const ScoreKernels kAvx2Kernels = {"avx2", best_moves, raise_row, sum_squares};

}  // namespace spineweave
