// A text with one piece of it changed.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace spineweave::test {

inline std::string with(std::string text, const std::string& old, const std::string& replacement) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), replacement);
}

}  // namespace spineweave::test
