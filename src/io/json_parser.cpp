#include "io/json_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "spineweave/error.hpp"

namespace spineweave::io {
namespace {

constexpr std::size_t kMostLevels = 64;

// Builds the value from the library's events. The library could do so itself and call back for each
// element, but then it walks through an array again with every item.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string_view content, const std::string& name, const std::vector<JsonItems>& streamed)
      : content_(content), name_(name), file_(name), streamed_(streamed) {}

  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }  // not in JSON text

  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& value) override {
    Level& level = levels_.back();
    const auto [entry, is_new] = level.value->get_ref<Json::object_t&>().emplace(value, nullptr);
    if (!is_new)
      throw Error(ErrorCode::bad_input, fmt::format("{}: the key '{}' stands twice in one object", name_, value));
    level.entry = &*entry;
    return true;
  }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/, const Json::exception& error) override {
    const auto* syntax = dynamic_cast<const Json::parse_error*>(&error);
    if (syntax == nullptr)
      throw Error(ErrorCode::bad_input, fmt::format("{}: is no valid JSON: {}", name_, error.what()));
    const std::size_t byte = std::min(syntax->byte, content_.size());
    const auto line = 1 + std::count(content_.begin(), content_.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
    const std::string_view what = error.what();
    const auto colon = what.rfind(": ");
    throw Error(ErrorCode::bad_input, fmt::format("{}:{}: is no valid JSON: {}", name_, line,
                                                  colon == std::string_view::npos ? what : what.substr(colon + 2)));
  }

 private:
  // An object or array that is still open.
  struct Level {
    Json* value = nullptr;
    Json::object_t::value_type* entry = nullptr;  // object: the last key and its value
    const JsonItems* items = nullptr;             // array: streamed
    std::size_t num_items = 0;
    Json item;  // the one that is being read, where streamed
  };

  // Puts a value where it belongs.
  Json& place(Json&& value) {
    if (levels_.empty()) return root_ = std::move(value);
    Level& level = levels_.back();
    if (level.entry != nullptr) return level.entry->second = std::move(value);
    if (level.items != nullptr) return level.item = std::move(value);
    level.value->push_back(std::move(value));
    return level.value->back();
  }

  template <class Plain>
  bool add(Plain&& value) {
    place(Json(std::forward<Plain>(value)));
    return complete();
  }

  bool open(Json&& value) {
    if (levels_.size() == kMostLevels)
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: nests deeper than the {} levels that any format needs", name_, kMostLevels));
    const JsonItems* items = value.is_array() ? find_items() : nullptr;
    Json& placed = place(std::move(value));
    levels_.push_back({&placed, nullptr, items, 0, nullptr});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return complete();
  }

  // A value is complete; if it is an item of a streamed array, hand it out.
  bool complete() {
    if (levels_.empty()) return true;
    Level& level = levels_.back();
    if (level.items == nullptr) return true;
    const std::vector<std::string_view>& keys = level.items->keys;
    if (keys.size() == 1) {
      level.items->read(level.item, JsonPlace(file_, keys[0], level.num_items));
    } else {
      const JsonPlace outer(file_, keys[0], levels_[1].num_items);
      level.items->read(level.item, JsonPlace(outer, keys[1], level.num_items));
    }
    level.item = nullptr;
    ++level.num_items;
    return true;
  }

  // What streams the array that opens under the present key. Levels 0, 1 and 2 are the outermost object,
  // its array and that array's item.
  [[nodiscard]] const JsonItems* find_items() const {
    const auto key_at = [&](std::size_t level) {
      return levels_[level].entry == nullptr ? std::string_view() : std::string_view(levels_[level].entry->first);
    };
    for (const JsonItems& items : streamed_) {
      const bool outer = items.keys.size() == 1 && levels_.size() == 1 && key_at(0) == items.keys[0];
      const bool inner = items.keys.size() == 2 && levels_.size() == 3 && levels_[1].items != nullptr &&
                         key_at(0) == items.keys[0] && key_at(2) == items.keys[1];
      if (outer || inner) return &items;
    }
    return nullptr;
  }

  std::string_view content_;
  const std::string& name_;
  JsonPlace file_;
  const std::vector<JsonItems>& streamed_;
  Json root_;
  std::deque<Level> levels_;  // its elements stay in their place
};

}  // namespace

std::string JsonPlace::text() const {
  if (parent_ == nullptr) return std::string(key_);
  if (index_ == kNoIndex) return fmt::format("{}: {}", parent_->text(), key_);
  return fmt::format("{}: {}[{}]", parent_->text(), key_, index_);
}

Json parse_json(std::string_view content, const std::string& name, const std::vector<JsonItems>& streamed) {
  Builder builder(content, name, streamed);
  (void)Json::sax_parse(content, &builder);
  return builder.take();
}

std::string quoted(const std::string& text) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::ranges::all_of(text, is_plain)) return '"' + text + '"';
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace spineweave::io
