#include "cuda_on_cpu/ptx/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <unordered_map>

namespace ptx {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u128 = unsigned __int128;
using i128 = __int128;

// What stands above the width of a value in its slot is of no account: every reader cuts it off.
template <typename T>
T read(const u64* frame, u32 slot) {
  if constexpr (std::same_as<T, float>) {
    return std::bit_cast<float>(static_cast<u32>(frame[slot]));
  } else if constexpr (std::same_as<T, double>) {
    return std::bit_cast<double>(frame[slot]);
  } else if constexpr (std::same_as<T, bool>) {
    return (frame[slot] & 1) != 0;
  } else {
    return static_cast<T>(frame[slot]);
  }
}

template <typename T>
void write(u64* frame, u32 slot, T value) {
  if constexpr (std::same_as<T, float>) {
    frame[slot] = std::bit_cast<u32>(value);
  } else if constexpr (std::same_as<T, double>) {
    frame[slot] = std::bit_cast<u64>(value);
  } else {
    frame[slot] = static_cast<u64>(value);
  }
}

template <typename T, typename Operation>
void unary(u64* frame, const Instruction& i) {
  write<T>(frame, i.slot[0], Operation{}(read<T>(frame, i.slot[1])));
}

template <typename T, typename Operation>
void binary(u64* frame, const Instruction& i) {
  write<T>(frame, i.slot[0], Operation{}(read<T>(frame, i.slot[1]), read<T>(frame, i.slot[2])));
}

template <typename T, typename Operation>
void ternary(u64* frame, const Instruction& i) {
  write<T>(frame, i.slot[0],
           Operation{}(read<T>(frame, i.slot[1]), read<T>(frame, i.slot[2]), read<T>(frame, i.slot[3])));
}

template <typename T>
struct WiderOf;
template <>
struct WiderOf<u16> : std::type_identity<u32> {};
template <>
struct WiderOf<i16> : std::type_identity<i32> {};
template <>
struct WiderOf<u32> : std::type_identity<u64> {};
template <>
struct WiderOf<i32> : std::type_identity<i64> {};
template <>
struct WiderOf<u64> : std::type_identity<u128> {};
template <>
struct WiderOf<i64> : std::type_identity<i128> {};
template <typename T>
using Wider = typename WiderOf<T>::type;

struct Move {
  template <typename T>
  T operator()(T a) const {
    return a;
  }
};
struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Subtract {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a - b);
  }
};
struct Multiply {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::same_as<T, u16>) return static_cast<T>(u32{a} * b);  // u16 would promote to int and overflow
    return static_cast<T>(a * b);
  }
};
struct MultiplyHigh {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>((static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b)) >> (8 * sizeof(T)));
  }
};
struct MultiplyAdd {
  template <typename T>
  T operator()(T a, T b, T c) const {
    return static_cast<T>(Multiply{}(a, b) + c);
  }
};
struct MultiplyHighAdd {
  template <typename T>
  T operator()(T a, T b, T c) const {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(MultiplyHigh{}(a, b)) + static_cast<Unsigned>(c));
  }
};
struct FusedMultiplyAdd {
  template <typename T>
  T operator()(T a, T b, T c) const {
    return std::fma(a, b, c);
  }
};
// A division by zero has no defined result in PTX; the GPU gives these.
struct Divide {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>) {
      return a / b;
    } else {
      if (b == 0) return static_cast<T>(~T{0});
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return static_cast<T>(std::make_unsigned_t<T>{0} - static_cast<std::make_unsigned_t<T>>(a));
      }
      return static_cast<T>(a / b);
    }
  }
};
struct Remainder {
  template <typename T>
  T operator()(T a, T b) const {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
struct Negate {
  template <typename T>
  T operator()(T a) const {
    if constexpr (std::floating_point<T>) {
      return -a;
    } else {
      return static_cast<T>(0 - a);
    }
  }
};
struct Absolute {
  template <typename T>
  T operator()(T a) const {
    if constexpr (std::floating_point<T>) {
      return std::fabs(a);
    } else {
      return a < 0 ? static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a)) : a;
    }
  }
};
struct Minimum {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>) return std::fmin(a, b);
    return std::min(a, b);
  }
};
struct Maximum {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>) return std::fmax(a, b);
    return std::max(a, b);
  }
};
struct And {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <typename T>
  T operator()(T a) const {
    if constexpr (std::same_as<T, bool>) {
      return !a;
    } else {
      return static_cast<T>(~a);
    }
  }
};
struct SquareRoot {
  template <typename T>
  T operator()(T a) const {
    return std::sqrt(a);
  }
};
struct Reciprocal {
  template <typename T>
  T operator()(T a) const {
    return 1 / a;
  }
};
struct ReverseBits {
  template <typename T>
  T operator()(T a) const {
    T result = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) {
      result = static_cast<T>((result << 1) | (a & 1));
      a = static_cast<T>(a >> 1);
    }
    return result;
  }
};
struct SumOfDifferences {
  template <typename T>
  T operator()(T a, T b, T c) const {
    using Unsigned = std::make_unsigned_t<T>;
    const Unsigned high = static_cast<Unsigned>(std::max(a, b));
    const Unsigned low = static_cast<Unsigned>(std::min(a, b));
    return static_cast<T>(static_cast<Unsigned>(c) + static_cast<Unsigned>(high - low));
  }
};

template <typename T>
void multiply_wide(u64* frame, const Instruction& i) {
  write<Wider<T>>(frame, i.slot[0],
                  static_cast<Wider<T>>(read<T>(frame, i.slot[1])) * static_cast<Wider<T>>(read<T>(frame, i.slot[2])));
}

template <typename T>
void multiply_wide_add(u64* frame, const Instruction& i) {
  using Unsigned = std::make_unsigned_t<Wider<T>>;
  const auto product =
      static_cast<Wider<T>>(read<T>(frame, i.slot[1])) * static_cast<Wider<T>>(read<T>(frame, i.slot[2]));
  write<Unsigned>(frame, i.slot[0],
                  static_cast<Unsigned>(static_cast<Unsigned>(product) + read<Unsigned>(frame, i.slot[3])));
}

template <typename T>
void shift_left(u64* frame, const Instruction& i) {
  const u32 amount = read<u32>(frame, i.slot[2]);
  const T value = read<T>(frame, i.slot[1]);
  write<T>(frame, i.slot[0], amount >= 8 * sizeof(T) ? T{0} : static_cast<T>(value << amount));
}

template <typename T>
void shift_right(u64* frame, const Instruction& i) {
  constexpr u32 bits = 8 * sizeof(T);
  const u32 amount = read<u32>(frame, i.slot[2]);
  const T value = read<T>(frame, i.slot[1]);
  if (amount < bits) {
    write<T>(frame, i.slot[0], static_cast<T>(value >> amount));
  } else {
    write<T>(frame, i.slot[0], static_cast<T>(std::is_signed_v<T> && value < T{0} ? ~T{0} : T{0}));
  }
}

template <bool left, bool wrap>
void funnel_shift(u64* frame, const Instruction& i) {
  const u64 value = (u64{read<u32>(frame, i.slot[2])} << 32) | read<u32>(frame, i.slot[1]);
  const u32 raw = read<u32>(frame, i.slot[3]);
  const u32 amount = wrap ? raw & 31 : std::min(raw, u32{32});
  write<u32>(frame, i.slot[0], static_cast<u32>(left ? (value << amount) >> 32 : value >> amount));
}

template <typename T>
void select(u64* frame, const Instruction& i) {
  write<T>(frame, i.slot[0], read<T>(frame, i.slot[read<bool>(frame, i.slot[3]) ? 1 : 2]));
}

template <typename T>
void count_bits(u64* frame, const Instruction& i) {
  write<u32>(frame, i.slot[0], static_cast<u32>(std::popcount(read<T>(frame, i.slot[1]))));
}

template <typename T>
void count_leading_zeros(u64* frame, const Instruction& i) {
  write<u32>(frame, i.slot[0], static_cast<u32>(std::countl_zero(read<T>(frame, i.slot[1]))));
}

template <typename T, bool shift_amount>
void find_leading_bit(u64* frame, const Instruction& i) {
  T value = read<T>(frame, i.slot[1]);
  if constexpr (std::is_signed_v<T>) value = value < 0 ? static_cast<T>(~value) : value;
  const int zeros = std::countl_zero(static_cast<std::make_unsigned_t<T>>(value));
  const int position = shift_amount ? zeros : static_cast<int>(8 * sizeof(T)) - 1 - zeros;
  write<u32>(frame, i.slot[0], value == 0 ? ~u32{0} : static_cast<u32>(position));
}

template <typename T>
void extract_bits(u64* frame, const Instruction& i) {
  constexpr u32 bits = 8 * sizeof(T);
  const T value = read<T>(frame, i.slot[1]);
  const u32 position = read<u32>(frame, i.slot[2]) & 255;
  const u32 length = read<u32>(frame, i.slot[3]) & 255;
  const bool negative = std::is_signed_v<T> && length != 0 &&
                        ((static_cast<u64>(value) >> std::min(position + length - 1, bits - 1)) & 1) != 0;
  u64 result = negative ? ~u64{0} : 0;
  for (u32 bit = 0; bit < std::min(length, bits) && position + bit < bits; ++bit) {
    const u64 one = (static_cast<u64>(value) >> (position + bit)) & 1;
    result = (result & ~(u64{1} << bit)) | (one << bit);
  }
  write<T>(frame, i.slot[0], static_cast<T>(result));
}

template <typename T>
void insert_bits(u64* frame, const Instruction& i) {
  const u64 source = read<T>(frame, i.slot[1]);
  u64 result = read<T>(frame, i.slot[2]);
  const u32 position = read<u32>(frame, i.slot[3]) & 255;
  const u32 length = read<u32>(frame, i.slot[4]) & 255;
  for (u32 bit = 0; bit < length && position + bit < 8 * sizeof(T); ++bit) {
    const u64 mask = u64{1} << (position + bit);
    result = ((source >> bit) & 1) != 0 ? result | mask : result & ~mask;
  }
  write<T>(frame, i.slot[0], static_cast<T>(result));
}

template <bool wrap>
void make_bit_mask(u64* frame, const Instruction& i) {
  u32 position = read<u32>(frame, i.slot[1]);
  u32 length = read<u32>(frame, i.slot[2]);
  position = wrap ? position & 31 : std::min(position, u32{32});
  length = wrap ? length & 31 : std::min(length, u32{32});
  write<u32>(frame, i.slot[0], static_cast<u32>(((u64{1} << length) - 1) << position));
}

void logic_3(u64* frame, const Instruction& i) {
  const u32 a = read<u32>(frame, i.slot[1]);
  const u32 b = read<u32>(frame, i.slot[2]);
  const u32 c = read<u32>(frame, i.slot[3]);
  const u32 table = read<u32>(frame, i.slot[4]);
  u32 result = 0;
  for (u32 row = 0; row < 8; ++row) {
    if (((table >> row) & 1) != 0) {
      result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
    }
  }
  write<u32>(frame, i.slot[0], result);
}

void permute_bytes(u64* frame, const Instruction& i) {
  const u64 bytes = (u64{read<u32>(frame, i.slot[2])} << 32) | read<u32>(frame, i.slot[1]);
  const u32 selectors = read<u32>(frame, i.slot[3]);
  u32 result = 0;
  for (u32 byte = 0; byte < 4; ++byte) {
    const u32 selector = (selectors >> (4 * byte)) & 15;
    u32 value = static_cast<u32>(bytes >> (8 * (selector & 7))) & 255;
    if ((selector & 8) != 0) value = (value & 128) != 0 ? 255 : 0;  // replicates the sign of the byte
    result |= value << (8 * byte);
  }
  write<u32>(frame, i.slot[0], result);
}

// Splits a value into 2 or 4 parts (results in slots 0 to 3), or joins as many (sources in slots 0 to 3).
void unpack(u64* frame, const Instruction& i) {
  const u64 value = frame[i.slot[kAddressSlot]];
  const u32 bits = u32{i.width} * 8;
  for (u32 part = 0; part < i.count; ++part) {
    frame[i.slot[part]] = (value >> (bits * part)) & ((u64{1} << bits) - 1);
  }
}

void pack(u64* frame, const Instruction& i) {
  const u32 bits = u32{i.width} * 8;
  u64 value = 0;
  for (u32 part = 0; part < i.count; ++part) {
    value |= (frame[i.slot[part]] & ((u64{1} << bits) - 1)) << (bits * part);
  }
  frame[i.slot[kAddressSlot]] = value;
}

template <typename To, typename From>
void convert(u64* frame, const Instruction& i) {
  write<To>(frame, i.slot[0], static_cast<To>(read<From>(frame, i.slot[1])));
}

enum class Rounding { nearest, zero, down, up };

template <Rounding rounding, typename T>
T round(T value) {
  switch (rounding) {
    case Rounding::nearest:
      return std::nearbyint(value);
    case Rounding::zero:
      return std::trunc(value);
    case Rounding::down:
      return std::floor(value);
    case Rounding::up:
      return std::ceil(value);
  }
  return value;
}

// Out of range gives the nearest end of the range, and a NaN 0.
template <typename To, typename From, Rounding rounding>
void convert_to_integer(u64* frame, const Instruction& i) {
  const From value = round<rounding>(read<From>(frame, i.slot[1]));
  if constexpr (std::floating_point<To>) {
    write<To>(frame, i.slot[0], static_cast<To>(value));
  } else {
    using Limits = std::numeric_limits<To>;
    // One past the largest integer is a power of two, which both floating-point types hold exactly.
    const From end = std::ldexp(From{1}, Limits::digits);
    To result = 0;
    if (value >= end) {
      result = Limits::max();
    } else if (value < static_cast<From>(Limits::min())) {
      result = Limits::min();
    } else if (!std::isnan(value)) {
      result = static_cast<To>(value);
    }
    write<To>(frame, i.slot[0], result);
  }
}

struct Equal {
  template <typename T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};
struct NotEqual {  // false for a NaN, as the ordered comparisons are
  template <typename T>
  bool operator()(T a, T b) const {
    if constexpr (std::floating_point<T>) return a < b || a > b;
    return a != b;
  }
};
struct Less {
  template <typename T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};
struct LessEqual {
  template <typename T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct Greater {
  template <typename T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};
struct GreaterEqual {
  template <typename T>
  bool operator()(T a, T b) const {
    return a >= b;
  }
};
template <typename Opposite>
struct Unordered {  // true for a NaN
  template <typename T>
  bool operator()(T a, T b) const {
    return !Opposite{}(a, b);
  }
};
struct IsNan {
  template <typename T>
  bool operator()(T a, T b) const {
    return a != a || b != b;
  }
};

enum class Combine { none, with_and, with_or, with_xor };

template <Combine combine>
bool combined(bool value, bool with) {
  switch (combine) {
    case Combine::none:
      return value;
    case Combine::with_and:
      return value && with;
    case Combine::with_or:
      return value || with;
    case Combine::with_xor:
      return value != with;
  }
  return value;
}

template <typename T, typename Comparison, Combine combine>
void compare(u64* frame, const Instruction& i) {
  const bool value = Comparison{}(read<T>(frame, i.slot[1]), read<T>(frame, i.slot[2]));
  const bool with = combine != Combine::none && read<bool>(frame, i.slot[3]);
  write<bool>(frame, i.slot[0], combined<combine>(value, with));
  write<bool>(frame, i.slot[kSecondResultSlot], combined<combine>(!value, with));
}

template <typename T>
struct Tag {
  using type = T;
};

// Calls `choose` with the type's tag, if it is one of the types listed; else gives null.
template <typename... Types, typename Choose>
Compute choose_type(Type type, Choose choose) {
  Compute result = nullptr;
  const auto try_type = [&]<typename T>(Tag<T> tag) {
    constexpr char kind = std::same_as<T, bool> ? 'p' : std::floating_point<T> ? 'f' : std::is_signed_v<T> ? 's' : 'u';
    constexpr unsigned bits = std::same_as<T, bool> ? 1 : 8 * sizeof(T);
    const char wanted = type.kind == 'b' ? 'u' : type.kind;
    if (wanted == kind && type.bits == bits) result = choose(tag);
  };
  (try_type(Tag<Types>{}), ...);
  return result;
}

// Types for which signedness does not matter are done as unsigned.
Type without_sign(Type type) { return type.kind == 's' ? Type{'u', type.bits} : type; }
Type without_kind(Type type) { return type.kind == 'p' ? type : Type{'u', type.bits}; }

template <typename Operation>
Compute any_number_binary(Type type) {
  return choose_type<u16, u32, u64, float, double>(without_sign(type),
                                                   []<typename T>(Tag<T>) -> Compute { return &binary<T, Operation>; });
}

template <typename Operation>
Compute signed_binary(Type type) {
  return choose_type<u16, u32, u64, i16, i32, i64, float, double>(
      type, []<typename T>(Tag<T>) -> Compute { return &binary<T, Operation>; });
}

template <typename Operation>
Compute logic_binary(Type type) {
  return choose_type<bool, u16, u32, u64>(without_kind(type),
                                          []<typename T>(Tag<T>) -> Compute { return &binary<T, Operation>; });
}

template <typename Operation>
Compute integer_ternary(Type type) {
  return choose_type<u16, u32, u64, i16, i32, i64>(
      type, []<typename T>(Tag<T>) -> Compute { return &ternary<T, Operation>; });
}

template <typename Operation>
Compute unsigned_unary(Type type) {
  return choose_type<u32, u64>(without_kind(type), []<typename T>(Tag<T>) -> Compute { return &unary<T, Operation>; });
}

template <typename Operation>
Compute float_unary(Type type) {
  return choose_type<float, double>(type, []<typename T>(Tag<T>) -> Compute { return &unary<T, Operation>; });
}

template <typename Comparison, typename... Types>
Compute choose_comparison(const Mnemonic& m) {
  return choose_type<Types...>(m.type(), [&]<typename T>(Tag<T>) -> Compute {
    if (m.has("and")) return &compare<T, Comparison, Combine::with_and>;
    if (m.has("or")) return &compare<T, Comparison, Combine::with_or>;
    if (m.has("xor")) return &compare<T, Comparison, Combine::with_xor>;
    return &compare<T, Comparison, Combine::none>;
  });
}

template <typename Comparison>
Compute number_comparison(const Mnemonic& m) {
  return choose_comparison<Comparison, u16, u32, u64, i16, i32, i64, float, double>(m);
}

template <typename Comparison>
Compute float_comparison(const Mnemonic& m) {
  return choose_comparison<Comparison, float, double>(m);
}

Compute choose_setp(const Mnemonic& m) {
  if (m.modifiers.empty()) return nullptr;
  const std::string& name = m.modifiers.front();
  if (name == "eq") return number_comparison<Equal>(m);
  if (name == "ne") return number_comparison<NotEqual>(m);
  if (name == "lt" || name == "lo") return number_comparison<Less>(m);
  if (name == "le" || name == "ls") return number_comparison<LessEqual>(m);
  if (name == "gt" || name == "hi") return number_comparison<Greater>(m);
  if (name == "ge" || name == "hs") return number_comparison<GreaterEqual>(m);
  if (name == "equ") return float_comparison<Unordered<NotEqual>>(m);
  if (name == "neu") return float_comparison<Unordered<Equal>>(m);
  if (name == "ltu") return float_comparison<Unordered<GreaterEqual>>(m);
  if (name == "leu") return float_comparison<Unordered<Greater>>(m);
  if (name == "gtu") return float_comparison<Unordered<LessEqual>>(m);
  if (name == "geu") return float_comparison<Unordered<Less>>(m);
  if (name == "nan") return float_comparison<IsNan>(m);
  if (name == "num") return float_comparison<Unordered<IsNan>>(m);
  return nullptr;
}

template <typename To, typename From>
Compute choose_conversion(const Mnemonic& m) {
  if constexpr (std::floating_point<From>) {
    if (m.has("rni")) return &convert_to_integer<To, From, Rounding::nearest>;
    if (m.has("rzi")) return &convert_to_integer<To, From, Rounding::zero>;
    if (m.has("rmi")) return &convert_to_integer<To, From, Rounding::down>;
    if (m.has("rpi")) return &convert_to_integer<To, From, Rounding::up>;
    if constexpr (!std::floating_point<To>) return nullptr;
  }
  return &convert<To, From>;
}

Compute choose_cvt(const Mnemonic& m) {
  return choose_type<u8, u16, u32, u64, i8, i16, i32, i64, float, double>(
      m.type(0), [&]<typename To>(Tag<To>) -> Compute {
        return choose_type<u8, u16, u32, u64, i8, i16, i32, i64, float, double>(
            m.type(1), [&]<typename From>(Tag<From>) -> Compute { return choose_conversion<To, From>(m); });
      });
}

Compute choose_mul(const Mnemonic& m) {
  if (m.has("wide")) {
    return choose_type<u16, u32, i16, i32>(m.type(), []<typename T>(Tag<T>) -> Compute { return &multiply_wide<T>; });
  }
  if (m.has("hi")) {
    return choose_type<u16, u32, u64, i16, i32, i64>(
        m.type(), []<typename T>(Tag<T>) -> Compute { return &binary<T, MultiplyHigh>; });
  }
  return any_number_binary<Multiply>(m.type());
}

Compute choose_mad(const Mnemonic& m) {
  if (m.has("wide")) {
    return choose_type<u16, u32, i16, i32>(m.type(),
                                           []<typename T>(Tag<T>) -> Compute { return &multiply_wide_add<T>; });
  }
  if (m.has("hi")) return integer_ternary<MultiplyHighAdd>(m.type());
  return integer_ternary<MultiplyAdd>(without_sign(m.type()));
}

Compute choose_fma(const Mnemonic& m) {
  return choose_type<float, double>(m.type(),
                                    []<typename T>(Tag<T>) -> Compute { return &ternary<T, FusedMultiplyAdd>; });
}

Compute choose_shf(const Mnemonic& m) {
  if (m.has("l")) return m.has("wrap") ? &funnel_shift<true, true> : &funnel_shift<true, false>;
  return m.has("wrap") ? &funnel_shift<false, true> : &funnel_shift<false, false>;
}

Compute choose_bfind(const Mnemonic& m) {
  return choose_type<u32, u64, i32, i64>(m.type(), [&]<typename T>(Tag<T>) -> Compute {
    return m.has("shiftamt") ? &find_leading_bit<T, true> : &find_leading_bit<T, false>;
  });
}

Compute choose_by_base(const Mnemonic& m, std::size_t num_operands) {
  using Choose = Compute (*)(const Mnemonic&);
  static const std::unordered_map<std::string, Choose> table = {
      {"mov",
       [](const Mnemonic& x) {
         return choose_type<bool, u16, u32, u64>(without_kind(x.type()),
                                                 []<typename T>(Tag<T>) -> Compute { return &unary<T, Move>; });
       }},
      {"add", [](const Mnemonic& x) { return any_number_binary<Add>(x.type()); }},
      {"sub", [](const Mnemonic& x) { return any_number_binary<Subtract>(x.type()); }},
      {"mul", choose_mul},
      {"mad", choose_mad},
      {"fma", choose_fma},
      {"sad", [](const Mnemonic& x) { return integer_ternary<SumOfDifferences>(x.type()); }},
      {"div", [](const Mnemonic& x) { return signed_binary<Divide>(x.type()); }},
      {"rem",
       [](const Mnemonic& x) {
         return choose_type<u16, u32, u64, i16, i32, i64>(
             x.type(), []<typename T>(Tag<T>) -> Compute { return &binary<T, Remainder>; });
       }},
      {"min", [](const Mnemonic& x) { return signed_binary<Minimum>(x.type()); }},
      {"max", [](const Mnemonic& x) { return signed_binary<Maximum>(x.type()); }},
      {"neg",
       [](const Mnemonic& x) {
         return choose_type<u16, u32, u64, float, double>(
             without_sign(x.type()), []<typename T>(Tag<T>) -> Compute { return &unary<T, Negate>; });
       }},
      {"abs",
       [](const Mnemonic& x) {
         return choose_type<i16, i32, i64, float, double>(
             x.type(), []<typename T>(Tag<T>) -> Compute { return &unary<T, Absolute>; });
       }},
      {"sqrt", [](const Mnemonic& x) { return float_unary<SquareRoot>(x.type()); }},
      {"rcp", [](const Mnemonic& x) { return float_unary<Reciprocal>(x.type()); }},
      {"and", [](const Mnemonic& x) { return logic_binary<And>(x.type()); }},
      {"or", [](const Mnemonic& x) { return logic_binary<Or>(x.type()); }},
      {"xor", [](const Mnemonic& x) { return logic_binary<Xor>(x.type()); }},
      {"not",
       [](const Mnemonic& x) {
         return choose_type<bool, u16, u32, u64>(without_kind(x.type()),
                                                 []<typename T>(Tag<T>) -> Compute { return &unary<T, Not>; });
       }},
      {"shl",
       [](const Mnemonic& x) {
         return choose_type<u16, u32, u64>(x.type(), []<typename T>(Tag<T>) -> Compute { return &shift_left<T>; });
       }},
      {"shr",
       [](const Mnemonic& x) {
         return choose_type<u16, u32, u64, i16, i32, i64>(
             x.type(), []<typename T>(Tag<T>) -> Compute { return &shift_right<T>; });
       }},
      {"shf", choose_shf},
      {"setp", choose_setp},
      {"selp",
       [](const Mnemonic& x) {
         return choose_type<u16, u32, u64>(without_kind(x.type()),
                                           []<typename T>(Tag<T>) -> Compute { return &select<T>; });
       }},
      {"cvt", choose_cvt},
      {"popc",
       [](const Mnemonic& x) {
         return choose_type<u32, u64>(x.type(), []<typename T>(Tag<T>) -> Compute { return &count_bits<T>; });
       }},
      {"clz",
       [](const Mnemonic& x) {
         return choose_type<u32, u64>(x.type(), []<typename T>(Tag<T>) -> Compute { return &count_leading_zeros<T>; });
       }},
      {"brev", [](const Mnemonic& x) { return unsigned_unary<ReverseBits>(x.type()); }},
      {"bfind", choose_bfind},
      {"bfe",
       [](const Mnemonic& x) {
         return choose_type<u32, u64, i32, i64>(x.type(),
                                                []<typename T>(Tag<T>) -> Compute { return &extract_bits<T>; });
       }},
      {"bfi",
       [](const Mnemonic& x) {
         return choose_type<u32, u64>(x.type(), []<typename T>(Tag<T>) -> Compute { return &insert_bits<T>; });
       }},
      {"bmsk",
       [](const Mnemonic& x) -> Compute { return x.has("wrap") ? &make_bit_mask<true> : &make_bit_mask<false>; }},
      {"lop3", [](const Mnemonic&) -> Compute { return &logic_3; }},
      {"prmt", [](const Mnemonic&) -> Compute { return &permute_bytes; }},
      {"unpack", [](const Mnemonic&) -> Compute { return &unpack; }},
      {"pack", [](const Mnemonic&) -> Compute { return &pack; }},
  };
  // A wrong number of operands would read slots that were never set.
  static const std::unordered_map<std::string, std::size_t> operands = {
      {"mov", 2}, {"neg", 2},  {"abs", 2},   {"sqrt", 2}, {"rcp", 2},    {"not", 2},  {"cvt", 2}, {"popc", 2},
      {"clz", 2}, {"brev", 2}, {"bfind", 2}, {"mad", 4},  {"fma", 4},    {"sad", 4},  {"shf", 4}, {"selp", 4},
      {"bfe", 4}, {"prmt", 4}, {"bfi", 5},   {"lop3", 5}, {"unpack", 0}, {"pack", 0},
  };
  const auto found = table.find(m.base);
  if (found == table.end()) return nullptr;
  const auto wanted = operands.find(m.base);
  const std::size_t expected = wanted != operands.end() ? wanted->second : 3;
  const bool combines = m.base == "setp" && (m.has("and") || m.has("or") || m.has("xor"));
  if (expected != 0 && num_operands != expected + (combines ? 1 : 0)) return nullptr;
  return found->second(m);
}

bool is_known_modifier(const std::string& modifier) {
  static const std::initializer_list<std::string_view> known = {
      "lo",    "hi",       "wide", "rn",  "rni", "rzi", "rmi", "rpi", "l",   "r",  "wrap",
      "clamp", "shiftamt", "and",  "or",  "xor", "eq",  "ne",  "lt",  "le",  "gt", "ge",
      "ls",    "hs",       "equ",  "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
  return std::find(known.begin(), known.end(), modifier) != known.end();
}

template <typename T, typename Operation>
u64 update_with(u64 old, u64 operand, u64 /*replacement*/) {
  u64 frame[2] = {old, operand};
  write<T>(frame, 0, Operation{}(read<T>(frame, 0), read<T>(frame, 1)));
  return frame[0];
}

u64 exchange(u64 /*old*/, u64 operand, u64 /*replacement*/) { return operand; }

template <typename T>
u64 compare_and_swap(u64 old, u64 operand, u64 replacement) {
  return static_cast<T>(old) == static_cast<T>(operand) ? replacement : old;
}

template <typename T>
u64 increment(u64 old, u64 operand, u64 /*replacement*/) {
  return static_cast<T>(old) >= static_cast<T>(operand) ? 0 : old + 1;
}

template <typename T>
u64 decrement(u64 old, u64 operand, u64 /*replacement*/) {
  return static_cast<T>(old) == 0 || static_cast<T>(old) > static_cast<T>(operand) ? operand : old - 1;
}

template <typename Operation>
AtomicUpdate choose_update(Type type) {
  const bool wide = type.bits == 64;
  if (type.bits != 32 && !wide) return nullptr;
  if (type.kind == 's') return wide ? &update_with<i64, Operation> : &update_with<i32, Operation>;
  if (type.kind != 'f') return wide ? &update_with<u64, Operation> : &update_with<u32, Operation>;
  return nullptr;
}

}  // namespace

Compute find_compute(const Mnemonic& mnemonic, std::size_t num_operands) {
  // Extended-precision carries, saturation, flushing and directed rounding would change results silently.
  for (const std::string& modifier : mnemonic.modifiers) {
    if (!is_known_modifier(modifier)) return nullptr;
  }
  return choose_by_base(mnemonic, num_operands);
}

AtomicUpdate find_atomic(const Mnemonic& m) {
  const Type type = m.type();
  if (m.has("add")) {
    if (type.kind == 'f') return type.bits == 32 ? &update_with<float, Add> : &update_with<double, Add>;
    return choose_update<Add>(without_sign(type));
  }
  if (m.has("min")) return choose_update<Minimum>(type);
  if (m.has("max")) return choose_update<Maximum>(type);
  if (m.has("and")) return choose_update<And>(without_kind(type));
  if (m.has("or")) return choose_update<Or>(without_kind(type));
  if (m.has("xor")) return choose_update<Xor>(without_kind(type));
  if (m.has("exch")) return &exchange;
  if (m.has("cas")) {
    return type.bits == 64 ? &compare_and_swap<u64> : type.bits == 32 ? &compare_and_swap<u32> : &compare_and_swap<u16>;
  }
  if (m.has("inc")) return &increment<u32>;
  if (m.has("dec")) return &decrement<u32>;
  return nullptr;
}

}  // namespace ptx
