// Text on its way out in pieces, so that a long file is never held whole.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace spineweave::io {

using Sink = std::function<void(std::string_view)>;
using WritePieces = std::function<void(const Sink&)>;

// write_file for what `write` puts into a sink.
void save_pieces(const std::string& path, const WritePieces& write);

class TextStream {
 public:
  explicit TextStream(const Sink& sink) : sink_(sink) { text_.reserve(kPiece + kPiece / 4); }

  template <class... Values>
  void format(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }
  void operator+=(std::string_view text) { text_ += text; }

  // Between two elements: hands on what there is, once it is long enough.
  void pause() {
    if (text_.size() >= kPiece) finish();
  }
  void finish() {
    sink_(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 20U;
  const Sink& sink_;
  std::string text_;
};

// All that `write` puts into a sink, as one text.
[[nodiscard]] inline std::string whole_text(const WritePieces& write) {
  std::string text;
  write([&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace spineweave::io
