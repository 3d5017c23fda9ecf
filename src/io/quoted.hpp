// Texts as JSON writes them, for those who write it by hand.
#pragma once

#include <string>

namespace spineweave::io {

// The text in quotes, escaped. Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string quoted(const std::string& text);

}  // namespace spineweave::io
