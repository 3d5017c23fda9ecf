// Requests and responses as handlers see them: plain values, free of the HTTP library.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spineweave::service::http {

enum class Method : std::uint8_t { get, head, post, put, patch, delete_, options };

[[nodiscard]] std::string_view name_of(Method method);
[[nodiscard]] std::optional<Method> method_of(std::string_view name);

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Request {
  Method method = Method::get;
  std::string target;                   // as sent
  std::vector<std::string> parameters;  // of the route's template, in its order, decoded
  Fields query;                         // decoded, in the order sent
  Fields headers;
  std::string body;  // inflated

  // The first of that name, whatever its case.
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
};

inline constexpr std::string_view kJson = "application/json";

// The body is shared, so that one rendering serves many clients.
struct Response {
  std::uint16_t status = 200;
  std::string_view content_type = kJson;  // of static storage
  std::shared_ptr<const std::string> body = nullptr;
  Fields headers = {};
};

[[nodiscard]] Response respond(std::uint16_t status, std::string body, std::string_view content_type = kJson);
[[nodiscard]] Response respond_empty(std::uint16_t status, Fields headers = {});

[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace spineweave::service::http
