// From the text of a kernel to instructions.
#pragma once

#include <string>

#include "cuda_on_cpu/ptx/instruction.hpp"
#include "cuda_on_cpu/ptx/module.hpp"

namespace ptx {

// What cannot be decoded becomes an instruction that is an error only when it is reached.
Kernel decode_kernel(const Module& module, const std::string& name, const FunctionText& text);

}  // namespace ptx
