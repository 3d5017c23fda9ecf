// Finding the PTX in what nvcc puts into an object file.
#pragma once

#include <string>

namespace ptx {

// The text of the first PTX entry behind the wrapper that nvcc registers. Throws Fault, with advice, if
// there is none that can be read.
std::string find_ptx(const void* wrapper);

}  // namespace ptx
