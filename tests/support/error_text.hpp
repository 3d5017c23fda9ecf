// What a call that must fail says.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "spineweave/error.hpp"

namespace spineweave::test {

// The message of the Error with that code that `call` throws; a failed expectation and "" otherwise.
template <class Call>
[[nodiscard]] std::string error_text(ErrorCode code, Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "expected an Error, but nothing was thrown";
  return {};
}

}  // namespace spineweave::test
