// The decoded form of a kernel: what the machine runs. Everything textual is resolved here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ptx {

// Shared, local and parameter memory have generic addresses too. They lie where no host address can.
inline constexpr std::uint64_t kWindowShift = 60;
inline constexpr std::uint64_t kSharedWindow = std::uint64_t{1} << kWindowShift;
inline constexpr std::uint64_t kLocalWindow = std::uint64_t{2} << kWindowShift;
inline constexpr std::uint64_t kParameterWindow = std::uint64_t{3} << kWindowShift;

enum class Space : std::uint8_t {
  generic,
  global,  // constant memory too
  shared,
  local,
  frame,      // local memory, counted from the frame of the running function: .param of calls, named .local
  parameter,  // of the kernel
};

enum class Opcode : std::uint8_t {
  compute,  // register to register, done by a function of arithmetic.cpp
  branch,
  branch_if,
  branch_unless,
  branch_indexed,
  call,
  ret,
  exit,
  trap,
  load,
  store,
  atomic,
  barrier,
  warp_barrier,
  shuffle_up,
  shuffle_down,
  shuffle_butterfly,
  shuffle_index,
  vote_ballot,
  vote_any,
  vote_all,
  vote_uniform,
  match_any,
  match_all,
  activemask,
  fence,
  sleep,
  local_address,
  is_space,
  clock,
  assert_failed,
  nothing,
  unsupported,
};

enum class Reduction : std::uint8_t { none, popc, all, any };

// Every operand is a slot of the frame: registers, constants and special registers alike, so that the
// machine never asks which. Slot 0 takes results that nobody wants.
inline constexpr std::uint32_t kSink = 0;

// The special registers, as slots that follow the sink in every frame.
enum Special : std::uint32_t {
  tid_x = 1,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge,
  warpid,
  nwarpid,
  dynamic_smem_size,
  total_smem_size,
  special_end,
};

struct Instruction;
using Compute = void (*)(std::uint64_t* frame, const Instruction& instruction);
using AtomicUpdate = std::uint64_t (*)(std::uint64_t old, std::uint64_t operand, std::uint64_t replacement);

struct CallSite {
  std::uint32_t function = 0;            // index in Kernel::functions
  std::vector<std::uint32_t> arguments;  // offsets in the caller's frame memory
  std::vector<std::uint32_t> results;
};

struct Instruction {
  Opcode op = Opcode::unsupported;
  Space space = Space::generic;
  Reduction reduction = Reduction::none;
  std::uint8_t width = 0;  // of one element, in bytes
  std::uint8_t count = 1;  // elements of a vector
  bool is_signed = false;
  bool is_strong = false;  // a load that may see what another thread stores meanwhile
  // Results first: slots 0 to 3 are the elements of a vector, slot 5 a second result, slot 4 an address.
  // Computations: result 0, sources 1 to 4.
  std::array<std::uint32_t, 6> slot{};
  std::uint32_t id = 0;      // unique within the kernel
  std::uint32_t target = 0;  // of a branch; index into targets or calls
  std::int64_t offset = 0;   // of an address
  Compute compute = nullptr;
  AtomicUpdate update = nullptr;
};

inline constexpr std::size_t kAddressSlot = 4;
inline constexpr std::size_t kSecondResultSlot = 5;

struct Parameter {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

struct Function {
  std::string name;
  std::vector<Instruction> code;
  std::vector<std::string> text;     // of each instruction, for messages; with the reason if unsupported
  std::vector<std::uint64_t> frame;  // what the slots hold when the function starts
  std::uint32_t local_bytes = 0;
  std::vector<Parameter> parameters;  // in the frame's memory; of a kernel: in the parameter space
  std::vector<Parameter> results;
  std::vector<CallSite> calls;
  std::vector<std::vector<std::uint32_t>> targets;  // of indexed branches
};

struct Kernel {
  std::vector<std::unique_ptr<Function>> functions;  // the kernel first, then what it calls
  std::uint32_t num_instructions = 0;
  std::uint32_t shared_bytes = 0;  // without the dynamic part, which follows
  std::uint32_t parameter_bytes = 0;
  std::uint32_t max_threads = 1024;

  const Function& entry() const { return *functions.front(); }
};

}  // namespace ptx
