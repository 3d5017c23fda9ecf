#include "cuda_on_cpu/ptx/module.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda_on_cpu/ptx/fault.hpp"
#include "cuda_on_cpu/ptx/parser.hpp"
#include "cuda_on_cpu/ptx/text.hpp"

namespace ptx {

// Reads the level of a module: functions as text, variables with their initial values.
class ModuleReader {
 public:
  ModuleReader(Module& module, std::string_view text) : module_(module), text_(text) {}

  void read() {
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) read_item();
    // An initial value may name a variable that comes later.
    for (const auto& [declaration, values] : initial_values_) initialise(declaration, values);
  }

 private:
  [[noreturn]] static void fail(const std::string& what) { throw Fault(Fault::Kind::failure, "PTX: " + what); }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n;", at_), text_.size()); }

  std::string_view take_until(std::string_view stops) {
    const std::size_t end = text_.find_first_of(stops, at_);
    if (end == std::string_view::npos) fail("unexpected end of the module");
    const std::string_view taken = text_.substr(at_, end - at_);
    at_ = end;
    return trim(taken);
  }

  // From an opening bracket to the one that closes it; gives what is between.
  std::string_view take_bracketed(char open, char close) {
    int depth = 0;
    const std::size_t begin = at_ + 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == open) ++depth;
      if (text_[at_] == close && --depth == 0) return text_.substr(begin, at_++ - begin);
    }
    fail("unclosed bracket");
  }

  void read_item() {
    for (const std::string_view directive : {".version", ".target", ".address_size"}) {
      if (text_.substr(at_).starts_with(directive)) {
        at_ = std::min(text_.find('\n', at_), text_.size());
        return;
      }
    }
    const std::size_t begin = at_;
    std::string_view head = take_until("({;=");
    if (head.starts_with(".section")) {
      take_bracketed('{', '}');
      return;
    }
    for (const std::string_view directive : {".entry", ".func"}) {
      const std::size_t found = head.find(directive);
      if (found != std::string_view::npos) {
        at_ = text_.find(directive, begin) + directive.size();
        read_function(directive == ".entry" ? module_.entries_ : module_.functions_);
        return;
      }
    }
    read_variable(head);
  }

  void read_function(std::map<std::string, FunctionText>& functions) {
    FunctionText function;
    skip_blanks();
    if (text_[at_] == '(') function.results = take_bracketed('(', ')');
    skip_blanks();
    const std::string name(take_until("({; \t\r\n"));
    skip_blanks();
    if (text_[at_] == '(') function.parameters = take_bracketed('(', ')');
    std::string_view attributes = take_until("{;");
    for (std::string_view word = take_word(attributes); !word.empty(); word = take_word(attributes)) {
      if (word == ".maxntid") function.max_threads = parse_extent(attributes);
    }
    if (text_[at_] == '{') {
      function.body = take_bracketed('{', '}');
      function.has_body = true;
    }
    if (function.has_body || !functions.contains(name)) functions[name] = std::move(function);
  }

  // "256, 1, 1" and further attributes behind it.
  static std::uint32_t parse_extent(std::string_view attributes) {
    std::uint64_t product = 1;
    attributes = attributes.substr(0, attributes.find('.'));
    for (const std::string_view part : split_list(attributes)) {
      std::uint64_t extent = 1;
      if (!parse_integer(part, extent)) fail("extent " + std::string(part));
      product *= extent;
    }
    return static_cast<std::uint32_t>(product);
  }

  void read_variable(std::string_view head) {
    const Declaration declaration = parse_declaration(head);
    std::string_view values;
    if (text_[at_] == '=') {
      ++at_;
      values = take_until(";");
    } else if (text_[at_] != ';') {
      fail("cannot read \"" + std::string(head) + "\"");
    }
    if (head.find(".shared") != std::string_view::npos) {
      module_.shared_[declaration.name] = {declaration.alignment, static_cast<std::uint32_t>(declaration.bytes),
                                           !declaration.is_sized};
      return;
    }
    const bool is_memory =
        head.find(".global") != std::string_view::npos || head.find(".const") != std::string_view::npos;
    if (!is_memory) fail("cannot read \"" + std::string(head) + "\"");
    if (head.find(".extern") != std::string_view::npos) return;
    void* const storage = module_.memory_.allocate(declaration.bytes, Memory::Kind::variable);
    if (storage == nullptr) fail("no memory for " + declaration.name);
    std::memset(storage, 0, declaration.bytes);
    module_.variables_[declaration.name] = reinterpret_cast<std::uint64_t>(storage);
    if (!values.empty()) initial_values_.emplace_back(declaration, values);
  }

  void initialise(const Declaration& declaration, std::string_view values) const {
    std::string flat(values);
    std::replace(flat.begin(), flat.end(), '{', ' ');
    std::replace(flat.begin(), flat.end(), '}', ' ');
    auto* const storage = reinterpret_cast<std::byte*>(module_.variables_.at(declaration.name));
    std::size_t offset = 0;
    for (const std::string_view text : split_list(flat)) {
      const std::uint64_t value = initial_value(text);
      if (offset + declaration.element_bytes > declaration.bytes) fail("too many values for " + declaration.name);
      std::memcpy(storage + offset, &value, declaration.element_bytes);
      offset += declaration.element_bytes;
    }
  }

  std::uint64_t initial_value(std::string_view text) const {
    std::uint64_t value = 0;
    if (parse_number(text, value)) return value;
    if (text.starts_with("generic(")) text = trim(text.substr(8, text.find(')') - 8));
    std::uint64_t offset = 0;
    const std::size_t plus = text.find('+');
    if (plus != std::string_view::npos && !parse_integer(trim(text.substr(plus + 1)), offset)) fail(std::string(text));
    const auto found = module_.variables_.find(std::string(trim(text.substr(0, plus))));
    if (found == module_.variables_.end()) fail("initial value " + std::string(text));
    return found->second + offset;
  }

  Module& module_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::pair<Declaration, std::string_view>> initial_values_;
};

Module::Module(std::string_view ptx, Memory& memory) : memory_(memory) {
  const std::string text = strip_comments(ptx);
  ModuleReader(*this, text).read();
}

Module::~Module() {
  for (const auto& [name, address] : variables_) {
    memory_.release(reinterpret_cast<const void*>(address), Memory::Kind::variable);
  }
}

const Kernel* Module::kernel(const std::string& name) {
  if (const auto known = kernels_.find(name); known != kernels_.end()) return &known->second;
  const auto entry = entries_.find(name);
  if (entry == entries_.end()) return nullptr;
  return &kernels_.emplace(name, decode_kernel(*this, name, entry->second)).first->second;
}

const FunctionText* Module::function(const std::string& name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second;
}

const SharedArray* Module::shared_array(const std::string& name) const {
  const auto found = shared_.find(name);
  return found == shared_.end() ? nullptr : &found->second;
}

std::uint64_t Module::variable(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? 0 : found->second;
}

}  // namespace ptx
