#include <nlohmann/json.hpp>

#include "io/json_parser.hpp"
#include "spineweave/io.hpp"

namespace spineweave {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct ToJson {
  OrderedJson operator()(std::monostate) const { return nullptr; }
  template <class Plain>
  OrderedJson operator()(const Plain& value) const {
    return value;
  }
  OrderedJson operator()(const Document::Array& items) const {
    OrderedJson json = OrderedJson::array();
    for (const Document& item : items) json.push_back(std::visit(*this, item.value()));
    return json;
  }
  OrderedJson operator()(const Document::Object& entries) const {
    OrderedJson json = OrderedJson::object();
    for (const auto& [key, value] : entries) json[key] = std::visit(*this, value.value());
    return json;
  }
};

std::string dump(const Document& document, int indentation) {
  return std::visit(ToJson{}, document.value()).dump(indentation, ' ', false, OrderedJson::error_handler_t::replace);
}

Document to_document(const io::Json& json) {
  switch (json.type()) {
    case io::Json::value_t::boolean:
      return json.get<bool>();
    case io::Json::value_t::number_unsigned:
      return json.get<std::uint64_t>();
    case io::Json::value_t::number_integer:
      return json.get<std::int64_t>();
    case io::Json::value_t::number_float:
      return json.get<double>();
    case io::Json::value_t::string:
      return json.get_ref<const std::string&>();
    case io::Json::value_t::array: {
      Document::Array items;
      items.reserve(json.size());
      for (const io::Json& item : json) items.push_back(to_document(item));
      return items;
    }
    case io::Json::value_t::object: {
      Document::Object entries;
      entries.reserve(json.size());
      for (const auto& [key, value] : json.items()) entries.emplace_back(key, to_document(value));
      return entries;
    }
    case io::Json::value_t::null:
    case io::Json::value_t::binary:     // not in JSON text
    case io::Json::value_t::discarded:  // nor this
      break;
  }
  return {};
}

}  // namespace

std::string write_json(const Document& document) { return dump(document, 2) + "\n"; }

std::string write_json_line(const Document& document) { return dump(document, -1); }

Document parse_document(std::string_view content, const std::string& name) {
  return to_document(io::parse_json(content, name));
}

}  // namespace spineweave
