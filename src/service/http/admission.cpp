#include "service/http/admission.hpp"

#include <fmt/format.h>

#include <vector>

#include "io/gzip.hpp"
#include "service/http/url.hpp"

namespace spineweave::service::http {
namespace {

std::string allowed_text(const std::vector<Method>& methods) {
  std::string text(name_of(Method::options));
  for (const Method method : methods) text += fmt::format(", {}", name_of(method));
  return text;
}

// "[::1]:8080" -> "[::1]", "localhost" -> "localhost"
std::string_view without_port(std::string_view host) {
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  return has_port ? host.substr(0, colon) : host;
}

bool names_loopback(std::string_view host) {
  const std::string_view name = without_port(host);
  return equal_ignoring_case(name, "localhost") || name == "[::1]" || name.starts_with("127.");
}

// "https://host:port" -> "host:port"
std::string_view authority_of(std::string_view origin) {
  const std::size_t slashes = origin.find("://");
  return slashes == std::string_view::npos ? origin : origin.substr(slashes + 3);
}

}  // namespace

std::variant<Admitted, Response> Doorkeeper::admit(Head head) const {
  const auto target = parse_target(head.target);
  if (!target) refuse(400, "target", fmt::format("the target '{}' is no path with an optional query", head.target));
  const auto method = method_of(head.method);
  if (!method) refuse(501, "method", fmt::format("the method {} is not known here", head.method));

  Match match = router_.find(*method, target->path);
  if (match.route == nullptr && match.allowed.empty())
    refuse(404, "no-such-path", fmt::format("there is no {}; /openapi.json lists what there is", target->path));
  Request request{*method, head.target, std::move(match.parameters), target->query, std::move(head.headers), {}};
  check_origin(request, head.speaks_1_1);
  if (match.route == nullptr) {
    Fields allow = {{"Allow", allowed_text(match.allowed)}};
    if (*method == Method::options) return respond_empty(204, std::move(allow));
    throw ProblemError({405, "method-not-allowed",
                        fmt::format("{} does not take {}; it takes {}", target->path, head.method, allow[0].second),
                        std::move(allow)});
  }
  if (match.route->access == Access::token) check_token(request);
  check_body(head, request);
  return Admitted{match.route, std::move(request)};
}

// Browsers send along what they are asked to by any page. A page of another site gives itself away by its
// Origin; one that made its own name resolve to this machine, by the Host it asks for.
void Doorkeeper::check_origin(const Request& request, bool speaks_1_1) const {
  const auto host = request.header("Host");
  if (!host && speaks_1_1) refuse(400, "syntax", "a Host is missing, which HTTP/1.1 asks for");
  if (const auto origin = request.header("Origin"); origin && authority_of(*origin) != host.value_or(""))
    refuse(403, "foreign-origin", fmt::format("the page {} is none of this service", *origin));
  if (is_loopback_ && !token_ && host && !names_loopback(*host))
    refuse(421, "foreign-host",
           fmt::format("the host '{}' is not this machine's loopback; other names need a token", *host));
}

void Doorkeeper::check_token(const Request& request) const {
  if (!token_) return;
  const auto shown = request.header("Authorization");
  if (shown && token_->is_shown_by(*shown)) return;
  throw ProblemError({401,
                      "token",
                      shown ? "the token is not the service's" : "a token is missing: Authorization: Bearer TOKEN",
                      {{"WWW-Authenticate", "Bearer"}}});
}

void Doorkeeper::check_body(const Head& head, const Request& request) const {
  if (head.content_length.value_or(0) > limits_.body_bytes)
    refuse(413, "body-too-long",
           fmt::format("the body has {} bytes; {} are the most", *head.content_length, limits_.body_bytes));
  const auto encoding = request.header("Content-Encoding");
  if (encoding && !equal_ignoring_case(*encoding, "gzip") && !equal_ignoring_case(*encoding, "identity"))
    refuse(415, "content-encoding", fmt::format("Content-Encoding is '{}'; expected gzip or none", *encoding));
  const auto expectation = request.header("Expect");
  if (expectation && !equal_ignoring_case(*expectation, "100-continue"))
    refuse(417, "expectation", fmt::format("Expect is '{}'; expected 100-continue or none", *expectation));
}

void inflate_body(Request& request, const Limits& limits) {
  if (!io::is_gzip(request.body)) {
    const auto encoding = request.header("Content-Encoding");
    if (encoding && equal_ignoring_case(*encoding, "gzip") && !request.body.empty())
      refuse(400, "content-encoding", "the body is no gzip, though Content-Encoding says so");
    return;
  }
  try {
    request.body = io::inflate_gzip(request.body, "body", limits.inflated_bytes);
  } catch (const io::TooLongError& error) {
    refuse(413, "inflated-body-too-long", error.what());
  } catch (const Error& error) {
    refuse(400, "content-encoding", error.what());
  }
}

}  // namespace spineweave::service::http
