// From the HTTP library's parser to our own types.
#pragma once

#include <utility>  // before Asio's headers

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/system/error_code.hpp>

#include "service/http/admission.hpp"

namespace spineweave::service::http {

namespace beast = boost::beast;

using HeadParser = beast::http::request_parser<beast::http::empty_body>;
using BodyParser = beast::http::request_parser<beast::http::string_body>;

[[nodiscard]] Head head_of(const HeadParser& parser);

// What an error of the parser means to the client; status 0 where there is nobody left to tell.
[[nodiscard]] Problem problem_of(const boost::system::error_code& error, const Limits& limits);

// Status line and fields, with the empty line that ends them.
struct HeadStyle {
  bool keep_alive = true;
  bool is_chunked = false;
};
[[nodiscard]] std::string head_text(const Response& response, const std::string& date, HeadStyle style);

}  // namespace spineweave::service::http
