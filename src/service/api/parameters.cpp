#include "service/api/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave::service::api {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::usage, message); }

std::string_view without_quotes(std::string_view tag) {
  const bool is_quoted = tag.size() >= 2 && tag.front() == '"' && tag.back() == '"';
  return is_quoted ? tag.substr(1, tag.size() - 2) : tag;
}

}  // namespace

Query::Query(const http::Request& request, std::initializer_list<std::string_view> known) : values_(request.query) {
  const std::vector<std::string_view> names(known);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::string& name = values_[i].first;
    if (std::ranges::find(names, name) == names.end())
      refuse(util::with_hint(fmt::format("unknown parameter '{}'; known are: {}", name, fmt::join(names, ", ")), name,
                             names));
    for (std::size_t k = 0; k < i; ++k)
      if (values_[k].first == name) refuse(fmt::format("the parameter '{}' stands twice", name));
  }
}

std::optional<std::string> Query::text(std::string_view name) const {
  const auto found = std::ranges::find(values_, name, [](const auto& v) { return std::string_view(v.first); });
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> Query::number(std::string_view name) const {
  const auto value = text(name);
  if (!value) return std::nullopt;
  const auto number = util::parse_unsigned(*value);
  if (!number) refuse(fmt::format("{} is '{}'; expected a whole number from 0", name, *value));
  return number;
}

bool Query::flag(std::string_view name) const {
  const auto value = text(name);
  if (!value || *value == "false") return false;
  if (*value != "true") refuse(fmt::format("{} is '{}'; expected true or false", name, *value));
  return true;
}

std::optional<Nanoseconds> Query::wait() const {
  const auto value = text("wait");
  if (!value) return std::nullopt;
  const auto duration = util::parse_duration_ns(*value);
  if (!duration || *duration > static_cast<std::uint64_t>(kLongestWait.count()))
    refuse(fmt::format("wait is '{}'; expected a time with its unit, such as 30s, and at most 10min", *value));
  return Nanoseconds(*duration);
}

std::optional<Revision> expected_revision(const http::Request& request) {
  const auto tag = request.header("If-Match");
  if (!tag) return std::nullopt;
  const auto revision = util::parse_unsigned(without_quotes(*tag));
  if (!revision) refuse(fmt::format("If-Match is '{}'; expected a revision, such as \"17\"", *tag));
  return revision;
}

std::string entity_tag(Revision revision) { return fmt::format("\"{}\"", revision); }

bool has_already(const http::Request& request, Revision revision) {
  const auto tag = request.header("If-None-Match");
  return tag && *tag == entity_tag(revision);
}

}  // namespace spineweave::service::api
