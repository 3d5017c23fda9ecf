#include "io/json_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace spineweave::io {

namespace {

// Up to here, a number of Gbit/s with nine decimals has room for every bit/s in a double.
constexpr double kMostGbps = 1e6;

}  // namespace

JsonObject::JsonObject(const Json& value, const JsonPlace& place, std::initializer_list<std::string_view> known)
    : value_(value), place_(place) {
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
