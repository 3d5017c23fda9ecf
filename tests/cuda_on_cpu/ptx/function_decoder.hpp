// Decodes the body of one function, statement by statement.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_on_cpu/ptx/arithmetic.hpp"
#include "cuda_on_cpu/ptx/kernel_builder.hpp"
#include "cuda_on_cpu/ptx/text.hpp"

namespace ptx {

class FunctionDecoder {
 public:
  FunctionDecoder(KernelBuilder& kernel, Function& function, const FunctionText& text, bool is_entry);
  void decode();

 private:
  // What a name stands for in the innermost scope that knows it.
  struct Scope {
    std::map<std::string, std::uint32_t, std::less<>> slots;
    std::map<std::string, std::uint64_t, std::less<>> ranges;  // %r<9> declares %r0 to %r8
    std::map<std::string, Parameter, std::less<>> memory;      // .local and .param, in the frame's memory
  };
  struct Fixup {
    std::uint32_t instruction;
    std::string label;
  };
  using Operands = std::vector<std::string_view>;

  void read_statements(std::string_view body);
  void read_label(std::string_view label);
  void read_statement(std::string_view statement);
  void mark_unsupported(std::uint32_t first, const std::string& reason);
  void declare(std::string_view statement);
  void resolve_labels();

  void decode_instruction(std::string_view statement);
  void decode_operation(const Mnemonic& mnemonic, std::string_view rest);
  void decode_branch(std::string_view statement, std::optional<std::uint32_t> predicate, bool negated);
  void decode_indexed_branch(const Operands& operands);
  void decode_call(std::string_view rest);
  void decode_compute(const Mnemonic& mnemonic, Operands operands);
  bool decode_special_move(const Mnemonic& mnemonic, const Operands& operands);
  void decode_load(const Mnemonic& mnemonic, const Operands& operands);
  void decode_store(const Mnemonic& mnemonic, const Operands& operands);
  void decode_atomic(const Mnemonic& mnemonic, const Operands& operands, bool has_result);
  void decode_barrier(const Mnemonic& mnemonic, const Operands& operands);
  void decode_shuffle(const Mnemonic& mnemonic, const Operands& operands);
  void decode_vote(const Mnemonic& mnemonic, const Operands& operands);
  void decode_match(const Mnemonic& mnemonic, const Operands& operands);
  void decode_address_conversion(const Mnemonic& mnemonic, const Operands& operands);
  void decode_space_test(const Mnemonic& mnemonic, const Operands& operands);

  Space space_of(const Mnemonic& mnemonic) const;
  void set_address(Instruction& instruction, std::string_view operand);
  void set_elements(Instruction& instruction, std::string_view operand, bool is_result);
  void set_result(Instruction& instruction, std::string_view operand);  // "d" or "d|q"

  std::uint32_t result_slot(std::string_view name);
  std::uint32_t value_slot(std::string_view text);
  std::uint32_t constant_slot(std::uint64_t value);
  std::uint32_t new_slot(std::uint64_t initial);
  std::optional<std::uint32_t> register_slot(std::string_view name);
  std::optional<std::uint32_t> symbol_slot(std::string_view name);
  const Parameter* frame_memory(std::string_view name) const;
  Parameter place(const Declaration& declaration);

  std::uint32_t position() const { return static_cast<std::uint32_t>(function_.code.size()); }
  void emit(Instruction instruction);

  KernelBuilder& kernel_;
  Function& function_;
  const FunctionText& text_;
  bool is_entry_;
  std::vector<Scope> scopes_;
  std::map<std::string, Parameter, std::less<>> kernel_parameters_;
  std::map<std::uint64_t, std::uint32_t> constants_;
  std::map<std::string, std::uint32_t, std::less<>> symbols_;
  std::map<std::string, std::uint32_t, std::less<>> labels_;
  std::map<std::string, std::vector<std::string>, std::less<>> target_lists_;
  std::string last_label_;
  std::vector<Fixup> fixups_;
  std::vector<Fixup> indexed_fixups_;  // the label is that of the list
  std::string statement_;              // that is being decoded
};

}  // namespace ptx
