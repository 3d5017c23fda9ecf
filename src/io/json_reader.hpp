// Strict reading of JSON objects: every key is known, every value has its type, every error says where.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json_parser.hpp"
#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave::io {

// One object, seen with its place ("fabric.json: links[17]").
class JsonObject {
 public:
  // Throws where `value` is no object or has a key that is not among `known`.
  JsonObject(const Json& value, const JsonPlace& place, std::initializer_list<std::string_view> known);

  [[noreturn]] void fail(std::string_view message) const {
    throw Error(ErrorCode::bad_input, fmt::format("{}: {}", place_.text(), message));
  }
  [[nodiscard]] const JsonPlace& place() const { return place_; }
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
  // The object under the key.
  [[nodiscard]] JsonObject object(const char* key, std::initializer_list<std::string_view> known) const {
    return {at(key), JsonPlace(place_, key), known};
  }
  // 16 hexadecimal digits.
  [[nodiscard]] std::uint64_t digest(const char* key) const;
  // The place of an item of an array under the key.
  [[nodiscard]] JsonPlace item(const char* key, std::size_t index) const { return {place_, key, index}; }

 private:
  [[nodiscard]] const Json& at(const char* key) const;
  const Json& value_;
  JsonPlace place_;
};

// Runs `work`; an error of the fabric builder, which knows no files, gets the place in front.
template <class Work>
auto naming_place(const JsonPlace& place, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    throw Error(error.code(), place.text() + ": " + error.what());
  }
}

}  // namespace spineweave::io
