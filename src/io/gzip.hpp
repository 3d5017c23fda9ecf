// Inflating gzip in memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace spineweave::io {

[[nodiscard]] bool is_gzip(std::string_view bytes);

// Every member of a gzip file, one after the other. `name` is what errors call the file.
// Throws Error{bad_input} where it is truncated, damaged, or inflates to more than `most` bytes.
[[nodiscard]] std::string inflate_gzip(std::string_view bytes, const std::string& name, std::size_t most);

}  // namespace spineweave::io
