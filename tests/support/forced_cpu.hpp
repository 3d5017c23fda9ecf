// Runs a scope under SPINEWEAVE_CPU, or without it.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace spineweave::test {

class ForcedCpu {
 public:
  explicit ForcedCpu(const char* name) {
    if (const char* const before = std::getenv(kVariable)) before_ = before;
    set(name);
  }
  ~ForcedCpu() { set(before_ ? before_->c_str() : nullptr); }
  ForcedCpu(const ForcedCpu&) = delete;
  ForcedCpu& operator=(const ForcedCpu&) = delete;

 private:
  static constexpr const char* kVariable = "SPINEWEAVE_CPU";
  static void set(const char* value) {
    if (value == nullptr) {
      unsetenv(kVariable);
    } else {
      setenv(kVariable, value, 1);
    }
  }

  std::optional<std::string> before_;
};

}  // namespace spineweave::test
