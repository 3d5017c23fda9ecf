#include "service/api/json_body.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "spineweave/error.hpp"
#include "spineweave/io.hpp"
#include "util/text.hpp"

namespace spineweave::service::api {

JsonBody::JsonBody(std::string_view text, std::initializer_list<std::string_view> known)
    : JsonBody(parse_document(text, "body"), "body", known) {}

JsonBody::JsonBody(Document document, std::string where, std::initializer_list<std::string_view> known)
    : document_(std::move(document)), where_(std::move(where)) {
  if (!std::holds_alternative<Document::Object>(document_.value())) fail("is no JSON object");
  for (const auto& [key, value] : entries()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const std::vector<std::string_view> names(known);
    const std::string hint = util::suggest(key, names);
    fail(fmt::format("unknown key '{}'; {}", key,
                     hint.empty() ? fmt::format("the keys are {}", fmt::join(names, ", ")) : hint));
  }
}

void JsonBody::fail(const std::string& message) const {
  throw Error(ErrorCode::bad_input, fmt::format("{}: {}", where_, message));
}

void JsonBody::fail_missing(std::string_view key) const { fail(fmt::format("'{}' is missing", key)); }

void JsonBody::fail_type(std::string_view key, const Document& value, std::string_view expected) const {
  fail(fmt::format("{} is {}; expected {}", key, write_json_line(value), expected));
}

const Document* JsonBody::find(std::string_view key) const {
  const auto found = std::ranges::find(entries(), key, [](const auto& entry) { return std::string_view(entry.first); });
  return found == entries().end() ? nullptr : &found->second;
}

std::optional<std::string> JsonBody::text(std::string_view key) const {
  const Document* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto* text = std::get_if<std::string>(&value->value());
  if (text == nullptr) fail_type(key, *value, "a text");
  return *text;
}

std::optional<std::uint64_t> JsonBody::number(std::string_view key) const {
  const Document* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto* number = std::get_if<std::uint64_t>(&value->value());
  if (number == nullptr) fail_type(key, *value, "a whole number from 0");
  return *number;
}

std::optional<double> JsonBody::real(std::string_view key) const {
  const Document* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* whole = std::get_if<std::uint64_t>(&value->value())) return static_cast<double>(*whole);
  const auto* number = std::get_if<double>(&value->value());
  if (number == nullptr) fail_type(key, *value, "a number");
  return *number;
}

std::optional<bool> JsonBody::flag(std::string_view key) const {
  const Document* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto* flag = std::get_if<bool>(&value->value());
  if (flag == nullptr) fail_type(key, *value, "true or false");
  return *flag;
}

std::optional<std::uint64_t> JsonBody::duration_ns(std::string_view key) const {
  const auto value = text(key);
  if (!value) return std::nullopt;
  const auto duration = util::parse_duration_ns(*value);
  if (!duration) fail(fmt::format("{} is '{}'; expected a time with its unit, such as 50ms or 2s", key, *value));
  return duration;
}

const Document::Array& JsonBody::array(std::string_view key) const {
  const Document* value = find(key);
  if (value == nullptr) fail_missing(key);
  const auto* array = std::get_if<Document::Array>(&value->value());
  if (array == nullptr) fail_type(key, *value, "a list");
  return *array;
}

}  // namespace spineweave::service::api
