#include "service/http/message.hpp"

#include <algorithm>
#include <array>

namespace spineweave::service::http {
namespace {

struct NamedMethod {
  Method method;
  std::string_view name;
};
constexpr std::array kMethods = {NamedMethod{Method::get, "GET"},        NamedMethod{Method::head, "HEAD"},
                                 NamedMethod{Method::post, "POST"},      NamedMethod{Method::put, "PUT"},
                                 NamedMethod{Method::patch, "PATCH"},    NamedMethod{Method::delete_, "DELETE"},
                                 NamedMethod{Method::options, "OPTIONS"}};

// The locale has no say in what a header is called.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string_view name_of(Method method) { return std::ranges::find(kMethods, method, &NamedMethod::method)->name; }

std::optional<Method> method_of(std::string_view name) {
  const auto* found = std::ranges::find(kMethods, name, &NamedMethod::name);
  return found == kMethods.end() ? std::nullopt : std::optional(found->method);
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::optional<std::string_view> Request::header(std::string_view name) const {
  const auto found = std::ranges::find_if(headers, [&](const auto& h) { return equal_ignoring_case(h.first, name); });
  return found == headers.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

Response respond(std::uint16_t status, std::string body, std::string_view content_type) {
  return {status, content_type, std::make_shared<const std::string>(std::move(body)), {}};
}

Response respond_empty(std::uint16_t status, Fields headers) { return {status, kJson, nullptr, std::move(headers)}; }

}  // namespace spineweave::service::http
