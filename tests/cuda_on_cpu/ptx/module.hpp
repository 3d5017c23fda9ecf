// One translation unit's PTX: its variables, laid out in memory, and its kernels, decoded when first asked for.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "cuda_on_cpu/ptx/instruction.hpp"
#include "cuda_on_cpu/ptx/memory.hpp"

namespace ptx {

// A kernel or function as text: what stands in its parentheses and between its braces.
struct FunctionText {
  std::string results;
  std::string parameters;
  std::string body;
  bool has_body = false;
  std::uint32_t max_threads = 1024;
};

// An array in shared memory; without a size: the dynamic part.
struct SharedArray {
  std::uint32_t alignment = 1;
  std::uint32_t bytes = 0;
  bool is_dynamic = false;
};

class Module {
 public:
  // Variables live in `memory`, which must outlive the module. Throws Fault if the text makes no sense.
  Module(std::string_view ptx, Memory& memory);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module();

  // Null if there is none of this (mangled) name.
  const Kernel* kernel(const std::string& name);

  const FunctionText* function(const std::string& name) const;
  const SharedArray* shared_array(const std::string& name) const;
  std::uint64_t variable(const std::string& name) const;  // its address; 0 if there is none

 private:
  friend class ModuleReader;
  Memory& memory_;
  std::map<std::string, FunctionText> entries_;
  std::map<std::string, FunctionText> functions_;
  std::map<std::string, SharedArray> shared_;
  std::map<std::string, std::uint64_t> variables_;
  std::map<std::string, Kernel> kernels_;
};

}  // namespace ptx
