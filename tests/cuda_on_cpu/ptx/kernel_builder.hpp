// What the functions of one kernel have in common while they are decoded: numbering and shared memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cuda_on_cpu/ptx/instruction.hpp"
#include "cuda_on_cpu/ptx/module.hpp"

namespace ptx {

class KernelBuilder {
 public:
  explicit KernelBuilder(const Module& module) : module_(module) {}

  const Module& module() const { return module_; }
  std::uint32_t next_instruction_id() { return kernel_.num_instructions++; }

  // The index of a function of the module, which is decoded later if it is new; nothing if it has no body.
  std::optional<std::uint32_t> function_index(const std::string& name);

  void declare_shared(const std::string& name, const SharedArray& array);
  // Makes the slot hold the array's address in shared memory; false if there is no such array.
  bool bind_shared(const std::string& name, Function& function, std::uint32_t slot);

  // Decodes the kernel and everything that it calls.
  Kernel build(const std::string& name, const FunctionText& text);

 private:
  struct DynamicUse {
    Function* function;
    std::uint32_t slot;
  };
  std::uint32_t place_shared(const std::string& name, const SharedArray& array);
  Function& add_function(const std::string& name);

  const Module& module_;
  Kernel kernel_;
  std::map<std::string, std::uint32_t> indices_;
  std::map<std::string, std::uint32_t> shared_offsets_;
  std::vector<DynamicUse> dynamic_uses_;  // the dynamic part follows all else, whose size is not known before
};

}  // namespace ptx
