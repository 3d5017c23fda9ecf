#include "cuda_on_cpu/ptx/kernel_builder.hpp"

#include "cuda_on_cpu/ptx/function_decoder.hpp"
#include "cuda_on_cpu/ptx/parser.hpp"

namespace ptx {
namespace {

constexpr std::uint32_t kDynamicAlignment = 16;

std::uint32_t round_up(std::uint32_t value, std::uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

Function& KernelBuilder::add_function(const std::string& name) {
  kernel_.functions.push_back(std::make_unique<Function>());
  kernel_.functions.back()->name = name;
  return *kernel_.functions.back();
}

std::optional<std::uint32_t> KernelBuilder::function_index(const std::string& name) {
  if (const auto known = indices_.find(name); known != indices_.end()) return known->second;
  const FunctionText* const text = module_.function(name);
  if (text == nullptr || !text->has_body) return std::nullopt;
  const auto index = static_cast<std::uint32_t>(kernel_.functions.size());
  indices_[name] = index;
  add_function(name);
  return index;
}

std::uint32_t KernelBuilder::place_shared(const std::string& name, const SharedArray& array) {
  const auto [entry, is_new] = shared_offsets_.try_emplace(name, round_up(kernel_.shared_bytes, array.alignment));
  if (is_new) kernel_.shared_bytes = entry->second + array.bytes;
  return entry->second;
}

void KernelBuilder::declare_shared(const std::string& name, const SharedArray& array) { place_shared(name, array); }

bool KernelBuilder::bind_shared(const std::string& name, Function& function, std::uint32_t slot) {
  if (const auto placed = shared_offsets_.find(name); placed != shared_offsets_.end()) {
    function.frame[slot] = placed->second;
    return true;
  }
  const SharedArray* const array = module_.shared_array(name);
  if (array == nullptr) return false;
  if (array->is_dynamic) {
    dynamic_uses_.push_back({&function, slot});
  } else {
    function.frame[slot] = place_shared(name, *array);
  }
  return true;
}

Kernel KernelBuilder::build(const std::string& name, const FunctionText& text) {
  kernel_.max_threads = text.max_threads;
  FunctionDecoder(*this, add_function(name), text, true).decode();
  for (std::size_t index = 1; index < kernel_.functions.size(); ++index) {
    Function& function = *kernel_.functions[index];
    FunctionDecoder(*this, function, *module_.function(function.name), false).decode();
  }
  for (const Parameter& parameter : kernel_.entry().parameters) {
    kernel_.parameter_bytes = parameter.offset + parameter.bytes;
  }
  kernel_.shared_bytes = round_up(kernel_.shared_bytes, kDynamicAlignment);
  for (const DynamicUse& use : dynamic_uses_) use.function->frame[use.slot] = kernel_.shared_bytes;
  return std::move(kernel_);
}

Kernel decode_kernel(const Module& module, const std::string& name, const FunctionText& text) {
  return KernelBuilder(module).build(name, text);
}

}  // namespace ptx
