// What is decided about a request by its head alone, before a byte of its body is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "service/http/limits.hpp"
#include "service/http/message.hpp"
#include "service/http/problem.hpp"
#include "service/http/router.hpp"
#include "service/http/token.hpp"

namespace spineweave::service::http {

// The head of a request.
struct Head {
  std::string method, target;
  Fields headers;
  std::optional<std::uint64_t> content_length;
  bool speaks_1_1 = true;  // else HTTP/1.0
};

struct Admitted {
  const Route* route = nullptr;
  Request request;  // all but its body
};

class Doorkeeper {
 public:
  Doorkeeper(const Router& router, const Limits& limits, bool is_loopback)
      : router_(router), limits_(limits), is_loopback_(is_loopback) {}

  void set_token(std::optional<Token> token) { token_ = std::move(token); }
  // Throws ProblemError: no such path or method, no token, a body that is too long or encoded in an unknown
  // way, a page of another site in a browser.
  [[nodiscard]] std::variant<Admitted, Response> admit(Head head) const;

 private:
  void check_origin(const Request& request, bool speaks_1_1) const;
  void check_token(const Request& request) const;
  void check_body(const Head& head, const Request& request) const;

  const Router& router_;
  const Limits& limits_;
  bool is_loopback_;
  std::optional<Token> token_;
};

// Inflates the body where it is gzip, declared or not. Throws ProblemError.
void inflate_body(Request& request, const Limits& limits);

}  // namespace spineweave::service::http
