// What a reader says to bad input.
#pragma once

#include <string>
#include <utility>

#include "support/error_text.hpp"

namespace spineweave::test {

template <class Call>
[[nodiscard]] std::string input_error(Call&& call) {
  return error_text(ErrorCode::bad_input, std::forward<Call>(call));
}

}  // namespace spineweave::test
