// Taking an opcode with its modifiers and types apart.
#include <algorithm>

#include "cuda_on_cpu/ptx/arithmetic.hpp"

namespace ptx {

Type parse_type(std::string_view text) {
  if (text == "pred") return {'p', 1};
  if (text.size() < 2 || std::string_view("usbf").find(text[0]) == std::string_view::npos) return {};
  for (const unsigned bits : {8U, 16U, 32U, 64U}) {
    if (text.substr(1) == std::to_string(bits)) return {text[0], bits};
  }
  return {};
}

bool Mnemonic::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

Mnemonic parse_mnemonic(std::string_view text) {
  Mnemonic result;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    if (begin == 0) {
      result.base = part;
    } else if (const Type type = parse_type(part); type.bits != 0) {
      result.types.push_back(type);
    } else if (!part.empty()) {
      result.modifiers.emplace_back(part);
    }
    begin = end + 1;
  }
  return result;
}

}  // namespace ptx
