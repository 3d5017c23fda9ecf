// "key=value" lines, as Java writes them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spineweave::io {

// A range of whole numbers, both ends included.
struct NumberRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  [[nodiscard]] std::uint64_t size() const { return last - first + 1; }
};

struct Property {
  std::string_view key;
  std::string_view value;
  std::size_t line = 0;
};

class Properties {
 public:
  // `content` and `name` (what errors call the file) must outlive this object.
  // Throws Error{bad_input} on a line without "=", a key not among `known`, or a key given twice.
  Properties(std::string_view content, const std::string& name, std::span<const std::string_view> known);

  // Throw Error{bad_input} where the key is missing or its value has another form.
  [[nodiscard]] const Property& required(std::string_view key) const;
  [[nodiscard]] std::uint64_t number(std::string_view key) const;
  // "incl_range(0,63)", "incl_range(5)", "incl_range(0,3,8)"? only the first two and lists of "a:b" occur;
  [[nodiscard]] NumberRange range(std::string_view key) const;
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  const std::string& name_;
  std::vector<Property> properties_;
};

}  // namespace spineweave::io
