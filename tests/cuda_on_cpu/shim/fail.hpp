// How the checks of the shim end the process.
#pragma once

#include <cstring>

namespace simt {

// Where in the kernel sources a thread is. Intrinsics take it as a defaulted last argument. (clang-tidy 14 does not
// know std::source_location.)
struct Site {
  const char* file = "";
  unsigned line = 0;

  static constexpr Site current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

inline bool same_site(const Site& a, const Site& b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

// Writes the message, the source line and the running block and thread, then aborts.
[[noreturn]] void fail(const char* message, const Site& where);

// The same for what concerns a launch as a whole.
[[noreturn]] void fail(const char* message);

}  // namespace simt
