// Small helpers for reading PTX.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptx {

std::string_view trim(std::string_view text);

// The first word, which ends at a blank; `text` loses it and the blanks behind it.
std::string_view take_word(std::string_view& text);

// Split at commas that stand outside all brackets; parts are trimmed. Nothing gives no parts.
std::vector<std::string_view> split_list(std::string_view text);

// Without comments and without the lines that only debuggers read.
std::string strip_comments(std::string_view text);

bool parse_integer(std::string_view text, std::uint64_t& value);

// An integer, or the bits of a floating-point literal: 0f3F800000, 0d3FF0000000000000.
bool parse_number(std::string_view text, std::uint64_t& value);

// ".param .align 8 .b8 name[24]", ".reg .b32 %r<9>" and the like. `bytes` is of the whole thing.
struct Declaration {
  std::string name;
  char kind = 'b';
  std::uint32_t alignment = 1;
  std::uint32_t element_bytes = 0;
  std::uint64_t bytes = 0;
  bool is_array = false;
  bool is_sized = true;  // false for name[]
};

Declaration parse_declaration(std::string_view text);

}  // namespace ptx
