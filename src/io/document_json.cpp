#include <nlohmann/json.hpp>

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

}  // namespace

std::string write_json(const Document& document) {
  return std::visit(ToJson{}, document.value()).dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace spineweave
