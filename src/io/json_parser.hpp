// Parsing JSON with errors that name the line, and long arrays item by item.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "io/quoted.hpp"

namespace spineweave::io {

using Json = nlohmann::json;

// Where a value stands, put into words only where an error needs them: "fabric.json: links[17]".
class JsonPlace {
 public:
  explicit JsonPlace(std::string_view file) : key_(file) {}
  JsonPlace(const JsonPlace& parent, std::string_view key) : parent_(&parent), key_(key) {}
  JsonPlace(const JsonPlace& parent, std::string_view key, std::size_t index)
      : parent_(&parent), key_(key), index_(index) {}

  // The parents and the names must still live.
  [[nodiscard]] std::string text() const;
  // Of the item in its array.
  [[nodiscard]] std::size_t index() const { return index_; }

 private:
  static constexpr std::size_t kNoIndex = ~std::size_t{0};
  const JsonPlace* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = kNoIndex;
};

// An array under a key of the outermost object, or, with two keys, under the second key of the items of
// such an array. Each item is handed out once it is complete and then forgotten; what remains is an
// empty array.
struct JsonItems {
  std::vector<std::string_view> keys;
  std::function<void(const Json& item, const JsonPlace& place)> read;
};

// Parses the text. Throws Error{bad_input} with the line where it is no JSON, and for a key that stands
// twice in one object, of which the library would silently keep the last.
[[nodiscard]] Json parse_json(std::string_view content, const std::string& name,
                              const std::vector<JsonItems>& streamed = {});

}  // namespace spineweave::io
