#include "service/http/parsing.hpp"

#include <fmt/format.h>

#include <boost/beast/http/error.hpp>
#include <iterator>

namespace spineweave::service::http {
namespace {

std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

Head head_of(const HeadParser& parser) {
  const auto& message = parser.get();
  constexpr unsigned kVersion = 11;
  Head head{
      text_of(message.method_string()), text_of(message.target()), {}, std::nullopt, message.version() >= kVersion};
  for (const auto& field : message) head.headers.emplace_back(text_of(field.name_string()), text_of(field.value()));
  if (const auto length = parser.content_length()) head.content_length = *length;
  return head;
}

Problem problem_of(const boost::system::error_code& error, const Limits& limits) {
  using beast::http::error::body_limit;
  using beast::http::error::buffer_overflow;
  using beast::http::error::header_limit;
  if (error == header_limit || error == buffer_overflow)
    return {431, "head-too-long", fmt::format("the head has more than {} bytes", limits.header_bytes)};
  if (error == body_limit)
    return {413, "body-too-long", fmt::format("the body has more than {} bytes", limits.body_bytes)};
  const bool is_syntax = error.category() == beast::http::make_error_code(body_limit).category();
  const bool is_end = error == beast::http::error::end_of_stream || error == beast::http::error::partial_message;
  if (is_syntax && !is_end) return {400, "syntax", fmt::format("this is no HTTP/1.1: {}", error.message())};
  return {0, "", ""};
}

std::string head_text(const Response& response, const std::string& date, HeadStyle style) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "HTTP/1.1 {} {}\r\nDate: {}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n",
                 response.status, reason_of(response.status), date);
  if (!style.keep_alive) text += "Connection: close\r\n";
  if (style.is_chunked) {
    text += "Transfer-Encoding: chunked\r\n";
  } else if (response.status != 204) {
    fmt::format_to(out, "Content-Length: {}\r\n", response.body ? response.body->size() : 0);
  }
  if (response.body || style.is_chunked) fmt::format_to(out, "Content-Type: {}\r\n", response.content_type);
  for (const auto& [name, value] : response.headers) fmt::format_to(out, "{}: {}\r\n", name, value);
  text += "\r\n";
  return text;
}

}  // namespace spineweave::service::http
