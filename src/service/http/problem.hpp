// Errors as clients see them: application/problem+json (RFC 9457).
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

#include "service/http/message.hpp"
#include "spineweave/error.hpp"

namespace spineweave::service::http {

inline constexpr std::string_view kProblemJson = "application/problem+json";

struct Problem {
  std::uint16_t status = 500;
  std::string_view kind;  // "body-too-long": what programs tell errors apart by
  std::string detail;     // the library's own message
  Fields headers = {};
};

[[nodiscard]] Response respond(Problem problem);
// bad_input is the client's (422); a usage error too (400).
[[nodiscard]] Problem problem_of(const Error& error);

// A handler's way out.
class ProblemError : public std::exception {
 public:
  explicit ProblemError(Problem problem) : problem_(std::move(problem)) {}
  [[nodiscard]] const char* what() const noexcept override { return problem_.detail.c_str(); }
  [[nodiscard]] const Problem& problem() const { return problem_; }

 private:
  Problem problem_;
};

[[noreturn]] void refuse(std::uint16_t status, std::string_view kind, std::string detail);

// "Not Found"
[[nodiscard]] std::string_view reason_of(std::uint16_t status);

}  // namespace spineweave::service::http
