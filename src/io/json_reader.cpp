#include "io/json_reader.hpp"

#include <algorithm>
#include <charconv>

namespace spineweave::io {

namespace {

// Up to here, a number of Gbit/s with nine decimals has room for every bit/s in a double.
constexpr double kMostGbps = 1e6;

// Watches the parser for keys that stand twice.
class KeyWatch {
 public:
  explicit KeyWatch(const std::string& name) : name_(name) {}
  bool operator()(int /*depth*/, Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      std::vector<std::string>& keys = open_.back();
      if (std::find(keys.begin(), keys.end(), key) != keys.end())
        throw Error(ErrorCode::bad_input, fmt::format("{}: the key '{}' stands twice in one object", name_, key));
      // Objects of our schemas have few keys; what has more is refused by its first unknown key anyway.
      if (keys.size() < 64) keys.push_back(key);
    }
    return true;
  }

 private:
  const std::string& name_;
  std::vector<std::vector<std::string>> open_;  // the keys of each object that is not yet closed
};

}  // namespace

Json parse_json(std::string_view content, const std::string& name) {
  try {
    // By reference: the parser copies its callback.
    KeyWatch watch(name);
    return Json::parse(content,
                       [&](int depth, Json::parse_event_t event, Json& parsed) { return watch(depth, event, parsed); });
  } catch (const Json::parse_error& error) {
    const std::size_t byte = std::min(error.byte, content.size());
    const auto line = 1 + std::count(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
    const std::string_view what = error.what();
    const auto colon = what.rfind(": ");
    throw Error(ErrorCode::bad_input, fmt::format("{}:{}: is no valid JSON: {}", name, line,
                                                  colon == std::string_view::npos ? what : what.substr(colon + 2)));
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: is no valid JSON: {}", name, error.what()));
  }
}

std::string quoted(const std::string& text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

JsonObject::JsonObject(const Json& value, std::string place, std::initializer_list<std::string_view> known)
    : value_(value), place_(std::move(place)) {
  if (!value.is_object()) fail(fmt::format("is a JSON {}; expected an object", value.type_name()));
  for (const auto& [key, ignored] : value.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::vector<std::string_view> names(known);
    const std::string hint = util::suggest(key, names);
    fail(fmt::format("unknown key '{}'; {}", key,
                     hint.empty() ? fmt::format("the keys are {}", fmt::join(names, ", ")) : hint));
  }
}

const Json& JsonObject::at(const char* key) const {
  const auto found = value_.find(key);
  if (found == value_.end()) fail(fmt::format("'{}' is missing", key));
  return *found;
}

const std::string& JsonObject::text(const char* key) const {
  const Json& value = at(key);
  if (!value.is_string()) fail(fmt::format("{} is {}; expected a text", key, value.dump()));
  return value.get_ref<const std::string&>();
}

std::optional<std::string> JsonObject::optional_text(const char* key) const {
  return has(key) ? std::optional(text(key)) : std::nullopt;
}

std::uint64_t JsonObject::number(const char* key, std::uint64_t most) const {
  const Json& value = at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
    fail(fmt::format("{} is {}; expected a whole number from 0 to {}", key, value.dump(), most));
  return value.get<std::uint64_t>();
}

std::uint64_t JsonObject::number_or(const char* key, std::uint64_t fallback, std::uint64_t most) const {
  return has(key) ? number(key, most) : fallback;
}

std::uint64_t JsonObject::gbps(const char* key, bool least_zero) const {
  const Json& value = at(key);
  const double number = value.is_number() ? value.get<double>() : -1;
  if (!std::isfinite(number) || number < 0 || number > kMostGbps || (number == 0 && !least_zero))
    fail(fmt::format("{} is {}; expected a number {} 0 and at most {}", key, value.dump(),
                     least_zero ? "from" : "above", kMostGbps));
  // Above 2^43 bit/s the rounding of the product alone is more than a thousandth.
  const double bits = number * 1e9;
  if (std::abs(bits - std::round(bits)) > std::max(1e-3, bits * 0x1p-52))
    fail(fmt::format("{} is {}, which is no whole number of bit/s", key, value.dump()));
  return static_cast<std::uint64_t>(std::llround(bits));
}

const Json& JsonObject::array(const char* key, bool optional) const {
  static const Json empty = Json::array();
  if (optional && !has(key)) return empty;
  const Json& value = at(key);
  if (!value.is_array()) fail(fmt::format("{} is a JSON {}; expected an array", key, value.type_name()));
  return value;
}

std::uint64_t JsonObject::digest(const char* key) const {
  const std::string& digits = text(key);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != 16 || error != std::errc{} || end != digits.data() + digits.size())
    fail(fmt::format("{} is '{}'; expected 16 hexadecimal digits", key, digits));
  return value;
}

}  // namespace spineweave::io
