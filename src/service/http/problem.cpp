#include "service/http/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "spineweave/io.hpp"

namespace spineweave::service::http {
namespace {

struct Reason {
  std::uint16_t status;
  std::string_view text;
};
constexpr std::array kReasons = {
    Reason{200, "OK"},
    Reason{201, "Created"},
    Reason{202, "Accepted"},
    Reason{204, "No Content"},
    Reason{304, "Not Modified"},
    Reason{400, "Bad Request"},
    Reason{401, "Unauthorized"},
    Reason{403, "Forbidden"},
    Reason{404, "Not Found"},
    Reason{405, "Method Not Allowed"},
    Reason{408, "Request Timeout"},
    Reason{409, "Conflict"},
    Reason{410, "Gone"},
    Reason{411, "Length Required"},
    Reason{412, "Precondition Failed"},
    Reason{413, "Content Too Large"},
    Reason{415, "Unsupported Media Type"},
    Reason{417, "Expectation Failed"},
    Reason{421, "Misdirected Request"},
    Reason{422, "Unprocessable Content"},
    Reason{429, "Too Many Requests"},
    Reason{431, "Request Header Fields Too Large"},
    Reason{500, "Internal Server Error"},
    Reason{501, "Not Implemented"},
    Reason{503, "Service Unavailable"},
    Reason{505, "HTTP Version Not Supported"},
    Reason{507, "Insufficient Storage"},
};

}  // namespace

std::string_view reason_of(std::uint16_t status) {
  const auto* found = std::ranges::find(kReasons, status, &Reason::status);
  return found == kReasons.end() ? "Unknown" : found->text;
}

Response respond(Problem problem) {
  const Document document = Document::Object{{"type", fmt::format("urn:spineweave:problem:{}", problem.kind)},
                                             {"title", std::string(reason_of(problem.status))},
                                             {"status", std::uint32_t{problem.status}},
                                             {"detail", std::move(problem.detail)}};
  Response response = respond(problem.status, write_json_line(document), kProblemJson);
  response.headers = std::move(problem.headers);
  return response;
}

Problem problem_of(const Error& error) {
  switch (error.code()) {
    case ErrorCode::usage:
      return {400, "usage", error.what()};
    case ErrorCode::bad_input:
      return {422, "bad-input", error.what()};
    case ErrorCode::backend_unavailable:
      return {503, "backend-unavailable", error.what()};
    case ErrorCode::out_of_memory:
      return {503, "out-of-memory", error.what()};
    case ErrorCode::internal:
      break;
  }
  return {500, "internal", error.what()};
}

void refuse(std::uint16_t status, std::string_view kind, std::string detail) {
  throw ProblemError({status, kind, std::move(detail)});
}

}  // namespace spineweave::service::http
