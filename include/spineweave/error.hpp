// The one exception type, and the exit codes that its codes stand for.
#pragma once

#include <stdexcept>
#include <string>

namespace spineweave {

enum class ErrorCode {
  usage = 2,                // an option or a spec that cannot be understood
  bad_input = 3,            // a file, a fabric, a job or a routing that does not hold together
  backend_unavailable = 4,  // a backend asked for by name that cannot run here
  internal = 5,             // a broken promise of our own
  out_of_memory = 6,        // the host's or the device's
};

// What went wrong, where (file, line or key), the value found and what was expected.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace spineweave
