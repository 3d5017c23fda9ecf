// Walking through a text by lines, and errors that name the line.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "spineweave/error.hpp"

namespace spineweave::io {

// "file:line: message"
[[noreturn]] inline void fail_at(const std::string& name, std::size_t line, std::string_view message) {
  throw Error(ErrorCode::bad_input, fmt::format("{}:{}: {}", name, line, message));
}

// The lines of a text, numbered from 1, without their ends.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  // Moves on to the next line; false at the end of the text.
  bool next() {
    if (rest_.empty()) return false;
    const auto end = rest_.find('\n');
    text_ = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (text_.ends_with('\r')) text_.remove_suffix(1);
    ++number_;
    return true;
  }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view text_;
  std::size_t number_ = 0;
};

}  // namespace spineweave::io
