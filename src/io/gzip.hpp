// Inflating gzip in memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "spineweave/error.hpp"

namespace spineweave::io {

[[nodiscard]] bool is_gzip(std::string_view bytes);

class TooLongError : public Error {
 public:
  using Error::Error;
};

// Every member of a gzip file, one after the other. `name` is what errors call the file.
// Throws Error{bad_input} where it is truncated or damaged, TooLongError where it inflates to more than `most`
// bytes.
[[nodiscard]] std::string inflate_gzip(std::string_view bytes, const std::string& name, std::size_t most);

}  // namespace spineweave::io
