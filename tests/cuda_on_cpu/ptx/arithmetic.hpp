// The register-to-register operations and the atomic updates, chosen once when a kernel is decoded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cuda_on_cpu/ptx/instruction.hpp"

namespace ptx {

// The element type of an instruction: ".s32" is {'s', 32}; no bits: no type.
struct Type {
  char kind = 'b';  // u, s, b, f, p (predicate)
  unsigned bits = 0;
};

Type parse_type(std::string_view text);

// "mul.wide.u32": base "mul", modifiers {"wide"}, types {u32}.
struct Mnemonic {
  std::string base;
  std::vector<std::string> modifiers;
  std::vector<Type> types;

  bool has(std::string_view modifier) const;
  Type type(std::size_t index = 0) const { return index < types.size() ? types[index] : Type{}; }
};

Mnemonic parse_mnemonic(std::string_view text);

// Null if the operation, or a modifier or type of it, is not known.
Compute find_compute(const Mnemonic& mnemonic, std::size_t num_operands);
AtomicUpdate find_atomic(const Mnemonic& mnemonic);

}  // namespace ptx
