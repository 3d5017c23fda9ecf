// What stands beside a request's body: the query, and the revision that a change expects.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "service/control/snapshot.hpp"
#include "service/http/message.hpp"

namespace spineweave::service::api {

// Throws Error{usage} that names the parameter, the value found and what was expected; so do its functions.
class Query {
 public:
  Query(const http::Request& request, std::initializer_list<std::string_view> known);

  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  [[nodiscard]] std::optional<std::uint64_t> number(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;  // true, false or absent
  // "wait=30s", at most kLongestWait; absent: nothing.
  [[nodiscard]] std::optional<Nanoseconds> wait() const;

  static constexpr Nanoseconds kLongestWait = std::chrono::minutes(10);

 private:
  http::Fields values_;
};

// The revision in If-Match: "17" in quotes or without. Throws Error{usage}.
[[nodiscard]] std::optional<Revision> expected_revision(const http::Request& request);
// "\"17\"": of a resource at that revision.
[[nodiscard]] std::string entity_tag(Revision revision);
// True where the client says that it has that revision: If-None-Match.
[[nodiscard]] bool has_already(const http::Request& request, Revision revision);

}  // namespace spineweave::service::api
