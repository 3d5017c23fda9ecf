// Strict reading of JSON objects: every key is known, every value has its type, every error says where.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave::io {

using Json = nlohmann::json;

// Parses the text. Throws Error{bad_input} with the line where it is no JSON,
// and for a key that stands twice in one object, of which the library would silently keep the last.
[[nodiscard]] Json parse_json(std::string_view content, const std::string& name);

// The text in quotes, escaped. Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string quoted(const std::string& text);

// One object, seen with its place ("fabric.json: links[17]").
class JsonObject {
 public:
  // Throws where `value` is no object or has a key that is not among `known`.
  JsonObject(const Json& value, std::string place, std::initializer_list<std::string_view> known);

  [[noreturn]] void fail(std::string_view message) const {
    throw Error(ErrorCode::bad_input, fmt::format("{}: {}", place_, message));
  }
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] bool has(const char* key) const { return value_.contains(key); }

  [[nodiscard]] const std::string& text(const char* key) const;
  [[nodiscard]] std::optional<std::string> optional_text(const char* key) const;
  [[nodiscard]] std::uint64_t number(const char* key, std::uint64_t most = ~std::uint64_t{0}) const;
  [[nodiscard]] std::uint64_t number_or(const char* key, std::uint64_t fallback,
                                        std::uint64_t most = ~std::uint64_t{0}) const;
  // A number of Gbit/s above 0, in bit/s; `least_zero` allows 0.
  [[nodiscard]] std::uint64_t gbps(const char* key, bool least_zero = false) const;
  // The array under the key; an empty one where the key is optional and not there.
  [[nodiscard]] const Json& array(const char* key, bool optional = false) const;
  // 16 hexadecimal digits.
  [[nodiscard]] std::uint64_t digest(const char* key) const;
  // The place of an item of an array under the key.
  [[nodiscard]] std::string item(const char* key, std::size_t index) const {
    return fmt::format("{}: {}[{}]", place_, key, index);
  }

 private:
  [[nodiscard]] const Json& at(const char* key) const;
  const Json& value_;
  std::string place_;
};

}  // namespace spineweave::io
