// A JSON object of a request's body, read strictly: every key is known, every value has its type.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "spineweave/document.hpp"

namespace spineweave::service::api {

class JsonBody {
 public:
  // All of these throw Error{bad_input} that names the key, the value found and what was expected.
  JsonBody(std::string_view text, std::initializer_list<std::string_view> known);
  // An object within it; errors say where: "body: links[3]".
  JsonBody(Document document, std::string where, std::initializer_list<std::string_view> known);

  [[nodiscard]] const Document* find(std::string_view key) const;  // null: it is not there
  [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
  [[nodiscard]] std::optional<std::uint64_t> number(std::string_view key) const;
  [[nodiscard]] std::optional<double> real(std::string_view key) const;
  [[nodiscard]] std::optional<bool> flag(std::string_view key) const;
  // A time with its unit: "50ms".
  [[nodiscard]] std::optional<std::uint64_t> duration_ns(std::string_view key) const;
  [[nodiscard]] const Document::Array& array(std::string_view key) const;  // required

  template <class Value>
  [[nodiscard]] Value required(std::string_view key, std::optional<Value> value) const {
    if (!value) fail_missing(key);
    return *std::move(value);
  }
  [[noreturn]] void fail(const std::string& message) const;

 private:
  [[noreturn]] void fail_missing(std::string_view key) const;
  [[noreturn]] void fail_type(std::string_view key, const Document& value, std::string_view expected) const;

  [[nodiscard]] const Document::Object& entries() const { return std::get<Document::Object>(document_.value()); }

  Document document_;  // an object
  std::string where_;
};

}  // namespace spineweave::service::api
