// Refusals that a client can tell apart. All else that a client did wrong is a plain Error{bad_input} or {usage}.
#pragma once

#include <string>

#include "spineweave/error.hpp"

namespace spineweave::service {

// The change goes against the present state.
class ConflictError : public Error {
 public:
  explicit ConflictError(const std::string& message) : Error(ErrorCode::bad_input, message) {}
};

// The resource has another revision than the client expected.
class RevisionError : public Error {
 public:
  explicit RevisionError(const std::string& message) : Error(ErrorCode::bad_input, message) {}
};

class NotFoundError : public Error {
 public:
  explicit NotFoundError(const std::string& message) : Error(ErrorCode::bad_input, message) {}
};

// The revision is older than what is kept.
class GoneError : public Error {
 public:
  explicit GoneError(const std::string& message) : Error(ErrorCode::bad_input, message) {}
};

// The state directory: held by another service, full, read-only, damaged, or of a newer version. Nothing was changed.
class StoreError : public Error {
 public:
  explicit StoreError(const std::string& message) : Error(ErrorCode::internal, message) {}
};

}  // namespace spineweave::service
