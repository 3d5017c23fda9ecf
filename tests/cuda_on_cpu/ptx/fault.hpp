// What a kernel did wrong, with the text that a developer needs.
#pragma once

#include <stdexcept>
#include <string>

namespace ptx {

class Fault : public std::runtime_error {
 public:
  enum class Kind { illegal_address, failure };
  Fault(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace ptx
