// Telling a spec from a file name.
#pragma once

#include <algorithm>
#include <string_view>

namespace spineweave::util {

// True for "word:" and "word:key=...", the word of letters and hyphens, the key of letters and
// underscores. A misspelt kind still looks like a spec, so that its error can list the kinds.
inline bool looks_like_spec(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view word = text.substr(0, colon);
  if (!std::all_of(word.begin(), word.end(), [&](char c) { return is_letter(c) || c == '-'; })) return false;
  const std::string_view rest = text.substr(colon + 1);
  if (rest.empty()) return true;
  const auto equals = rest.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  const std::string_view key = rest.substr(0, equals);
  return std::all_of(key.begin(), key.end(), [&](char c) { return is_letter(c) || c == '_'; });
}

}  // namespace spineweave::util
