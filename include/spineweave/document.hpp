// A plain tree of values: what reports and files are made of before they become text.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace spineweave {

class Document {
 public:
  using Array = std::vector<Document>;
  using Object = std::vector<std::pair<std::string, Document>>;  // keys keep their order

  Document() = default;
  Document(bool value) : value_(value) {}
  Document(std::int64_t value) : value_(value) {}
  Document(std::uint64_t value) : value_(value) {}
  Document(std::int32_t value) : value_(static_cast<std::int64_t>(value)) {}
  Document(std::uint32_t value) : value_(static_cast<std::uint64_t>(value)) {}
  Document(double value) : value_(value) {}
  Document(std::string value) : value_(std::move(value)) {}
  Document(const char* value) : value_(std::string(value)) {}
  Document(Array value) : value_(std::move(value)) {}
  Document(Object value) : value_(std::move(value)) {}

  using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;
  [[nodiscard]] const Value& value() const noexcept { return value_; }

 private:
  Value value_;
};

}  // namespace spineweave
