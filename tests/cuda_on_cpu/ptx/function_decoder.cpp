#include "cuda_on_cpu/ptx/function_decoder.hpp"

#include <algorithm>
#include <stdexcept>

#include "cuda_on_cpu/ptx/fault.hpp"

namespace ptx {
namespace {

// Never leaves this file: it turns a statement into an instruction that faults when it is reached.
class Unsupported : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a register holds that was never written.
constexpr std::uint64_t kPoison = 0xA5A5'5A5A'A5A5'5A5A;

std::optional<std::uint32_t> special_register(std::string_view name) {
  static const std::map<std::string, std::uint32_t, std::less<>> known = {
      {"%tid.x", tid_x},
      {"%tid.y", tid_y},
      {"%tid.z", tid_z},
      {"%ntid.x", ntid_x},
      {"%ntid.y", ntid_y},
      {"%ntid.z", ntid_z},
      {"%ctaid.x", ctaid_x},
      {"%ctaid.y", ctaid_y},
      {"%ctaid.z", ctaid_z},
      {"%nctaid.x", nctaid_x},
      {"%nctaid.y", nctaid_y},
      {"%nctaid.z", nctaid_z},
      {"%laneid", laneid},
      {"%lanemask_eq", lanemask_eq},
      {"%lanemask_lt", lanemask_lt},
      {"%lanemask_le", lanemask_le},
      {"%lanemask_gt", lanemask_gt},
      {"%lanemask_ge", lanemask_ge},
      {"%warpid", warpid},
      {"%nwarpid", nwarpid},
      {"%dynamic_smem_size", dynamic_smem_size},
      {"%total_smem_size", total_smem_size},
  };
  const auto found = known.find(name);
  if (found == known.end()) return std::nullopt;
  return found->second;
}

bool is_label(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t\r\n.,") == std::string_view::npos;
}

std::string_view inside(std::string_view bracketed) { return trim(bracketed.substr(1, bracketed.size() - 2)); }

void expect(bool condition, const char* what) {
  if (!condition) throw Unsupported(what);
}

std::uint8_t bytes_of(Type type) {
  expect(type.bits >= 8, "no type of known width");
  return static_cast<std::uint8_t>(type.bits / 8);
}

}  // namespace

FunctionDecoder::FunctionDecoder(KernelBuilder& kernel, Function& function, const FunctionText& text, bool is_entry)
    : kernel_(kernel), function_(function), text_(text), is_entry_(is_entry), scopes_(1) {
  function_.frame.assign(special_end, 0);
}

void FunctionDecoder::decode() {
  std::uint32_t kernel_bytes = 0;
  for (const std::string_view text : split_list(text_.parameters)) {
    const Declaration declaration = parse_declaration(text);
    if (is_entry_) {
      const std::uint32_t offset =
          (kernel_bytes + declaration.alignment - 1) / declaration.alignment * declaration.alignment;
      const Parameter parameter{offset, static_cast<std::uint32_t>(declaration.bytes)};
      kernel_bytes = offset + parameter.bytes;
      kernel_parameters_[declaration.name] = parameter;
      function_.parameters.push_back(parameter);
    } else {
      function_.parameters.push_back(place(declaration));
    }
  }
  for (const std::string_view text : split_list(text_.results)) {
    function_.results.push_back(place(parse_declaration(text)));
  }
  read_statements(text_.body);
  statement_ = "end of " + function_.name;
  emit({.op = is_entry_ ? Opcode::exit : Opcode::ret});
  resolve_labels();
}

void FunctionDecoder::read_statements(std::string_view body) {
  std::size_t begin = 0;
  int vector_depth = 0;
  for (std::size_t at = 0; at < body.size(); ++at) {
    const char c = body[at];
    if (c != '{' && c != '}' && c != ';' && c != ':') continue;
    const std::string_view text = trim(body.substr(begin, at - begin));
    if (c == ';') {
      read_statement(text);
      begin = at + 1;
    } else if (c == ':') {
      if (!is_label(text)) continue;
      read_label(text);
      begin = at + 1;
    } else if (text.empty() && vector_depth == 0) {
      if (c == '{') {
        scopes_.emplace_back();
      } else if (scopes_.size() > 1) {
        scopes_.pop_back();
      }
      begin = at + 1;
    } else {
      vector_depth += c == '{' ? 1 : -1;
    }
  }
}

void FunctionDecoder::read_label(std::string_view label) {
  last_label_ = label;
  labels_[last_label_] = position();
}

void FunctionDecoder::read_statement(std::string_view statement) {
  if (statement.empty()) return;
  if (statement.starts_with('.')) {
    declare(statement);
    return;
  }
  statement_.clear();
  for (std::string_view rest = statement; !rest.empty();) {
    statement_.append(statement_.empty() ? "" : " ").append(take_word(rest));
  }
  const std::uint32_t first = position();
  try {
    decode_instruction(statement);
  } catch (const Unsupported& error) {
    mark_unsupported(first, error.what());
  }
}

void FunctionDecoder::mark_unsupported(std::uint32_t first, const std::string& reason) {
  function_.code.resize(first);
  function_.text.resize(first);
  std::erase_if(fixups_, [&](const Fixup& fixup) { return fixup.instruction >= first; });
  statement_ += " (" + reason + ")";
  emit({.op = Opcode::unsupported});
}

void FunctionDecoder::declare(std::string_view statement) {
  std::string_view rest = statement;
  const std::string_view directive = take_word(rest);
  if (directive == ".branchtargets") {
    for (const std::string_view label : split_list(rest)) target_lists_[last_label_].emplace_back(label);
  } else if (directive == ".reg") {
    take_word(rest);  // the type: each use says how it is read
    for (const std::string_view name : split_list(rest)) {
      const std::size_t open = name.find('<');
      std::uint64_t count = 0;
      if (open == std::string_view::npos) {
        scopes_.back().slots[std::string(name)] = new_slot(kPoison);
      } else if (parse_integer(name.substr(open + 1, name.find('>') - open - 1), count)) {
        scopes_.back().ranges[std::string(name.substr(0, open))] = count;
      }
    }
  } else if (directive == ".local" || directive == ".param") {
    place(parse_declaration(statement));
  } else if (directive == ".shared") {
    const Declaration declaration = parse_declaration(statement);
    kernel_.declare_shared(declaration.name,
                           {declaration.alignment, static_cast<std::uint32_t>(declaration.bytes), false});
  }
}

Parameter FunctionDecoder::place(const Declaration& declaration) {
  const std::uint32_t offset =
      (function_.local_bytes + declaration.alignment - 1) / declaration.alignment * declaration.alignment;
  const Parameter result{offset, static_cast<std::uint32_t>(declaration.bytes)};
  function_.local_bytes = result.offset + result.bytes;
  scopes_.back().memory[declaration.name] = result;
  return result;
}

void FunctionDecoder::resolve_labels() {
  const auto find = [&](const std::string& label) {
    const auto found = labels_.find(label);
    if (found == labels_.end()) throw Fault(Fault::Kind::failure, function_.name + ": no label " + label);
    return found->second;
  };
  for (const Fixup& fixup : fixups_) function_.code[fixup.instruction].target = find(fixup.label);
  for (const Fixup& fixup : indexed_fixups_) {
    std::vector<std::uint32_t> targets;
    for (const std::string& label : target_lists_[fixup.label]) targets.push_back(find(label));
    function_.code[fixup.instruction].target = static_cast<std::uint32_t>(function_.targets.size());
    function_.targets.push_back(std::move(targets));
  }
}

void FunctionDecoder::emit(Instruction instruction) {
  instruction.id = kernel_.next_instruction_id();
  function_.code.push_back(instruction);
  function_.text.push_back(statement_);
}

void FunctionDecoder::decode_instruction(std::string_view statement) {
  std::optional<std::uint32_t> predicate;
  bool negated = false;
  if (statement.starts_with('@')) {
    std::string_view name = take_word(statement).substr(1);
    negated = name.starts_with('!');
    if (negated) name.remove_prefix(1);
    predicate = value_slot(name);
  }
  std::string_view rest = statement;
  const std::string_view opcode = take_word(rest);
  if (opcode == "bra" || opcode == "bra.uni") {
    decode_branch(rest, predicate, negated);
    return;
  }
  // Only branches carry a predicate when they run; all else is jumped over.
  const std::uint32_t skip = position();
  if (predicate) {
    emit({.op = negated ? Opcode::branch_if : Opcode::branch_unless, .slot = {*predicate}});
  }
  const std::uint32_t first = position();
  try {
    decode_operation(parse_mnemonic(opcode), rest);
  } catch (const Unsupported& error) {
    mark_unsupported(first, error.what());  // but only where the predicate lets it run
  }
  if (predicate) function_.code[skip].target = position();
}

void FunctionDecoder::decode_operation(const Mnemonic& m, std::string_view rest) {
  const std::string& base = m.base;
  const Operands operands = split_list(rest);
  if (base == "call") return decode_call(rest);
  if (base == "brx") return decode_indexed_branch(operands);
  if (base == "ret") return emit({.op = is_entry_ ? Opcode::exit : Opcode::ret});
  if (base == "exit") return emit({.op = Opcode::exit});
  if (base == "trap" || base == "brkpt") return emit({.op = Opcode::trap});
  if (base == "ld" || base == "ldu") return decode_load(m, operands);
  if (base == "st") return decode_store(m, operands);
  if (base == "atom") return decode_atomic(m, operands, true);
  if (base == "red") return decode_atomic(m, operands, false);
  if (base == "bar" || base == "barrier") return decode_barrier(m, operands);
  if (base == "shfl") return decode_shuffle(m, operands);
  if (base == "vote") return decode_vote(m, operands);
  if (base == "match") return decode_match(m, operands);
  if (base == "activemask") {
    expect(operands.size() == 1, "operands");
    return emit({.op = Opcode::activemask, .slot = {result_slot(operands[0])}});
  }
  if (base == "membar" || base == "fence") return emit({.op = Opcode::fence});
  if (base == "nanosleep") return emit({.op = Opcode::sleep});
  if (base == "prefetch" || base == "prefetchu") return emit({.op = Opcode::nothing});
  if (base == "cvta") return decode_address_conversion(m, operands);
  if (base == "isspacep") return decode_space_test(m, operands);
  if (base == "mov" && decode_special_move(m, operands)) return;
  decode_compute(m, operands);
}

void FunctionDecoder::decode_branch(std::string_view label, std::optional<std::uint32_t> predicate, bool negated) {
  fixups_.push_back({position(), std::string(trim(label))});
  if (!predicate) return emit({.op = Opcode::branch});
  emit({.op = negated ? Opcode::branch_unless : Opcode::branch_if, .slot = {*predicate}});
}

void FunctionDecoder::decode_indexed_branch(const Operands& operands) {
  expect(operands.size() == 2, "operands");
  const std::uint32_t index = value_slot(operands[0]);
  indexed_fixups_.push_back({position(), std::string(operands[1])});
  emit({.op = Opcode::branch_indexed, .slot = {0, index}});
}

// "(results), name, (arguments)"; results and arguments may be missing.
void FunctionDecoder::decode_call(std::string_view rest) {
  Operands operands = split_list(rest);
  CallSite site;
  const auto offsets = [&](std::string_view list) {
    std::vector<std::uint32_t> result;
    for (const std::string_view name : split_list(inside(list))) {
      const Parameter* const memory = frame_memory(name);
      expect(memory != nullptr, "argument that is not a .param");
      result.push_back(memory->offset);
    }
    return result;
  };
  if (!operands.empty() && operands.front().starts_with('(')) {
    site.results = offsets(operands.front());
    operands.erase(operands.begin());
  }
  expect(!operands.empty(), "call of nothing");
  const std::string name(operands.front());
  if (operands.size() > 1 && operands[1].starts_with('(')) site.arguments = offsets(operands[1]);
  const auto target = static_cast<std::uint32_t>(function_.calls.size());
  if (name == "__assertfail") {
    expect(site.arguments.size() == 5, "arguments");
    function_.calls.push_back(std::move(site));
    return emit({.op = Opcode::assert_failed, .target = target});
  }
  const auto index = kernel_.function_index(name);
  expect(index.has_value(), "call of a function without a body");
  site.function = *index;
  function_.calls.push_back(std::move(site));
  emit({.op = Opcode::call, .target = target});
}

bool FunctionDecoder::decode_special_move(const Mnemonic& m, const Operands& operands) {
  expect(operands.size() == 2, "operands");
  if (operands[1] == "%clock" || operands[1] == "%clock64" || operands[1] == "%globaltimer") {
    emit({.op = Opcode::clock, .slot = {result_slot(operands[0])}});
    return true;
  }
  const bool splits = operands[0].starts_with('{');
  if (!splits && !operands[1].starts_with('{')) return false;
  Instruction instruction{.op = Opcode::compute};
  set_elements(instruction, operands[splits ? 0 : 1], splits);
  instruction.slot[kAddressSlot] = splits ? value_slot(operands[1]) : result_slot(operands[0]);
  instruction.width = static_cast<std::uint8_t>(bytes_of(m.type()) / instruction.count);
  instruction.compute = find_compute({.base = splits ? "unpack" : "pack", .modifiers = {}, .types = {}}, 0);
  emit(instruction);
  return true;
}

void FunctionDecoder::decode_compute(const Mnemonic& m, Operands operands) {
  Instruction instruction{.op = Opcode::compute};
  instruction.compute = find_compute(m, operands.size());
  expect(instruction.compute != nullptr, "no such operation here");
  expect(operands.size() >= 2 && operands.size() <= 5, "operands");
  for (std::size_t source = 1; source < operands.size(); ++source) {
    instruction.slot[source] = value_slot(operands[source]);
  }
  set_result(instruction, operands[0]);
  emit(instruction);
}

Space FunctionDecoder::space_of(const Mnemonic& m) const {
  for (const std::string& modifier : m.modifiers) {
    if (modifier == "global" || modifier == "const") return Space::global;
    if (modifier == "shared" || modifier == "shared::cta") return Space::shared;
    if (modifier == "local") return Space::local;
    if (modifier == "param") return is_entry_ ? Space::parameter : Space::local;
    expect(modifier != "shared::cluster", "no clusters here");
  }
  return Space::generic;
}

void FunctionDecoder::set_address(Instruction& instruction, std::string_view operand) {
  expect(operand.starts_with('[') && operand.ends_with(']'), "address expected");
  operand = inside(operand);
  const std::size_t plus = operand.find('+');
  std::uint64_t offset = 0;
  expect(plus == std::string_view::npos || parse_integer(trim(operand.substr(plus + 1)), offset), "offset");
  const std::string_view base = trim(operand.substr(0, plus));
  instruction.offset = static_cast<std::int64_t>(offset);
  if (const Parameter* const memory = frame_memory(base); memory != nullptr) {
    instruction.space = Space::frame;
    instruction.offset += memory->offset;
    instruction.slot[kAddressSlot] = constant_slot(0);
  } else {
    instruction.slot[kAddressSlot] = value_slot(base);
  }
}

void FunctionDecoder::set_elements(Instruction& instruction, std::string_view operand, bool is_result) {
  Operands elements{operand};
  if (operand.starts_with('{')) elements = split_list(inside(operand));
  expect(elements.size() == 1 || elements.size() == 2 || elements.size() == 4, "vector of this length");
  instruction.count = static_cast<std::uint8_t>(elements.size());
  for (std::size_t element = 0; element < elements.size(); ++element) {
    instruction.slot[element] = is_result ? result_slot(elements[element]) : value_slot(elements[element]);
  }
}

void FunctionDecoder::set_result(Instruction& instruction, std::string_view operand) {
  const std::size_t bar = operand.find('|');
  instruction.slot[0] = result_slot(trim(operand.substr(0, bar)));
  if (bar != std::string_view::npos) {
    instruction.slot[kSecondResultSlot] = result_slot(trim(operand.substr(bar + 1)));
  }
}

void FunctionDecoder::decode_load(const Mnemonic& m, const Operands& operands) {
  expect(operands.size() == 2, "operands");
  Instruction instruction{.op = Opcode::load, .space = space_of(m), .width = bytes_of(m.type())};
  instruction.is_signed = m.type().kind == 's';
  instruction.is_strong = m.has("volatile") || m.has("relaxed") || m.has("acquire") || m.has("cv") || m.has("mmio");
  set_address(instruction, operands[1]);
  set_elements(instruction, operands[0], true);
  emit(instruction);
}

void FunctionDecoder::decode_store(const Mnemonic& m, const Operands& operands) {
  expect(operands.size() == 2, "operands");
  Instruction instruction{.op = Opcode::store, .space = space_of(m), .width = bytes_of(m.type())};
  set_address(instruction, operands[0]);
  set_elements(instruction, operands[1], false);
  emit(instruction);
}

void FunctionDecoder::decode_atomic(const Mnemonic& m, const Operands& operands, bool has_result) {
  const std::size_t first = has_result ? 1 : 0;
  const std::size_t wanted = first + (m.has("cas") ? 3 : 2);
  expect(operands.size() == wanted, "operands");
  Instruction instruction{.op = Opcode::atomic, .space = space_of(m), .width = bytes_of(m.type())};
  instruction.update = find_atomic(m);
  expect(instruction.update != nullptr, "no such atomic operation here");
  set_address(instruction, operands[first]);
  instruction.slot[0] = has_result ? result_slot(operands[0]) : kSink;
  instruction.slot[1] = value_slot(operands[first + 1]);
  instruction.slot[2] = m.has("cas") ? value_slot(operands[first + 2]) : kSink;
  emit(instruction);
}

void FunctionDecoder::decode_barrier(const Mnemonic& m, const Operands& operands) {
  expect(!m.has("arrive"), "no one-sided barriers here");
  if (m.has("warp")) {
    expect(operands.size() == 1, "operands");
    return emit({.op = Opcode::warp_barrier, .slot = {0, 0, 0, 0, value_slot(operands[0])}});
  }
  Instruction instruction{.op = Opcode::barrier};
  const bool reduces = m.has("red");
  if (reduces) {
    instruction.reduction = m.has("popc") ? Reduction::popc : m.has("and") ? Reduction::all : Reduction::any;
  }
  // red: d, barrier, {count,} predicate; sync: barrier {, count}
  const std::size_t first = reduces ? 1 : 0;
  const std::size_t last = operands.size() - (reduces ? 1 : 0);
  expect(operands.size() > (reduces ? 2U : 0U) && last - first <= 2, "operands");
  instruction.slot[1] = value_slot(operands[first]);
  instruction.slot[2] = last - first == 2 ? value_slot(operands[first + 1]) : constant_slot(0);
  if (reduces) {
    instruction.slot[3] = value_slot(operands.back());
    instruction.slot[0] = result_slot(operands[0]);
  }
  emit(instruction);
}

void FunctionDecoder::decode_shuffle(const Mnemonic& m, const Operands& operands) {
  expect(m.has("sync") && operands.size() == 5, "operands");
  Instruction instruction{.op = m.has("up")     ? Opcode::shuffle_up
                                : m.has("down") ? Opcode::shuffle_down
                                : m.has("bfly") ? Opcode::shuffle_butterfly
                                                : Opcode::shuffle_index};
  for (std::size_t source = 1; source < 5; ++source) instruction.slot[source] = value_slot(operands[source]);
  set_result(instruction, operands[0]);
  emit(instruction);
}

// The mask of every warp operation is in slot 4, where the shuffle has it.
void FunctionDecoder::decode_vote(const Mnemonic& m, const Operands& operands) {
  expect(m.has("sync") && operands.size() == 3, "operands");
  Instruction instruction{.op = m.has("ballot") ? Opcode::vote_ballot
                                : m.has("any")  ? Opcode::vote_any
                                : m.has("all")  ? Opcode::vote_all
                                                : Opcode::vote_uniform};
  instruction.width = 1;
  instruction.slot[1] = value_slot(operands[1]);
  instruction.slot[4] = value_slot(operands[2]);
  set_result(instruction, operands[0]);
  emit(instruction);
}

void FunctionDecoder::decode_match(const Mnemonic& m, const Operands& operands) {
  expect(m.has("sync") && operands.size() == 3, "operands");
  Instruction instruction{.op = m.has("any") ? Opcode::match_any : Opcode::match_all, .width = bytes_of(m.type())};
  instruction.slot[1] = value_slot(operands[1]);
  instruction.slot[4] = value_slot(operands[2]);
  set_result(instruction, operands[0]);
  emit(instruction);
}

void FunctionDecoder::decode_address_conversion(const Mnemonic& m, const Operands& operands) {
  expect(operands.size() == 2, "operands");
  std::uint64_t window = 0;
  if (m.has("shared") || m.has("shared::cta")) window = kSharedWindow;
  if (m.has("local")) window = kLocalWindow;
  if (m.has("param")) window = is_entry_ ? kParameterWindow : kLocalWindow;
  Instruction instruction{.op = Opcode::compute};
  instruction.slot[1] = value_slot(operands[1]);
  instruction.slot[2] = constant_slot(m.has("to") ? 0 - window : window);
  instruction.slot[0] = result_slot(operands[0]);
  instruction.compute = find_compute({.base = "add", .modifiers = {}, .types = {{'u', 64}}}, 3);
  emit(instruction);
}

void FunctionDecoder::decode_space_test(const Mnemonic& m, const Operands& operands) {
  expect(operands.size() == 2, "operands");
  Instruction instruction{.op = Opcode::is_space, .space = space_of(m)};
  instruction.slot[1] = value_slot(operands[1]);
  instruction.slot[0] = result_slot(operands[0]);
  emit(instruction);
}

std::uint32_t FunctionDecoder::new_slot(std::uint64_t initial) {
  function_.frame.push_back(initial);
  return static_cast<std::uint32_t>(function_.frame.size() - 1);
}

std::uint32_t FunctionDecoder::constant_slot(std::uint64_t value) {
  const auto [entry, is_new] = constants_.try_emplace(value, 0);
  if (is_new) entry->second = new_slot(value);
  return entry->second;
}

std::optional<std::uint32_t> FunctionDecoder::register_slot(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const std::string_view stem = last == std::string_view::npos ? std::string_view() : name.substr(0, last + 1);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto known = scope->slots.find(name); known != scope->slots.end()) return known->second;
    const auto range = scope->ranges.find(stem);
    std::uint64_t number = 0;
    if (range != scope->ranges.end() && parse_integer(name.substr(stem.size()), number) && number < range->second) {
      return scope->slots[std::string(name)] = new_slot(kPoison);
    }
  }
  return std::nullopt;
}

const Parameter* FunctionDecoder::frame_memory(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto known = scope->memory.find(name); known != scope->memory.end()) return &known->second;
  }
  return nullptr;
}

// The address of a kernel parameter, of a shared array or of a variable.
std::optional<std::uint32_t> FunctionDecoder::symbol_slot(std::string_view name) {
  if (const auto known = symbols_.find(name); known != symbols_.end()) return known->second;
  if (const auto known = kernel_parameters_.find(name); known != kernel_parameters_.end()) {
    return constant_slot(known->second.offset);
  }
  if (const std::uint64_t address = kernel_.module().variable(std::string(name)); address != 0) {
    return constant_slot(address);
  }
  const std::uint32_t slot = new_slot(0);
  if (!kernel_.bind_shared(std::string(name), function_, slot)) return std::nullopt;
  symbols_.emplace(name, slot);
  return slot;
}

std::uint32_t FunctionDecoder::result_slot(std::string_view name) {
  if (name == "_") return kSink;
  const auto slot = register_slot(name);
  expect(slot.has_value(), "result that is not a register");
  return *slot;
}

std::uint32_t FunctionDecoder::value_slot(std::string_view text) {
  if (text.starts_with('!')) {
    Instruction instruction{.op = Opcode::compute};
    instruction.compute = find_compute({.base = "not", .modifiers = {}, .types = {{'p', 1}}}, 2);
    instruction.slot[1] = value_slot(trim(text.substr(1)));
    instruction.slot[0] = new_slot(0);
    emit(instruction);
    return instruction.slot[0];
  }
  if (const auto slot = register_slot(text)) return *slot;
  if (const auto slot = special_register(text)) return *slot;
  std::uint64_t value = 0;
  if (parse_number(text, value)) return constant_slot(value);
  if (text == "WARP_SZ") return constant_slot(32);
  if (const Parameter* const memory = frame_memory(text); memory != nullptr) {
    const Instruction instruction{.op = Opcode::local_address, .slot = {new_slot(0)}, .offset = memory->offset};
    emit(instruction);
    return instruction.slot[0];
  }
  const auto slot = symbol_slot(text);
  expect(slot.has_value(), "unknown operand");
  return *slot;
}

}  // namespace ptx
