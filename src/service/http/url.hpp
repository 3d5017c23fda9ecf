// Targets of requests: "/v1/jobs/a%20b?wait=30s".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service/http/message.hpp"

namespace spineweave::service::http {

// Nothing for a '%' that two hexadecimal digits do not follow, and for a zero byte.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);
// Every byte but letters, digits and "-._~" escaped: safe as one segment of a path.
[[nodiscard]] std::string percent_encoded(std::string_view text);

struct Target {
  std::string_view path;  // still encoded: its segments are split before they are decoded
  Fields query;
};
// Nothing where it is no absolute path or cannot be decoded. Lives as long as the text.
[[nodiscard]] std::optional<Target> parse_target(std::string_view text);

}  // namespace spineweave::service::http
