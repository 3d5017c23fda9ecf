// Loads, stores and atomic updates of a block's threads, with their checks.
#include <algorithm>
#include <cstring>
#include <sstream>

#include "cuda_on_cpu/ptx/block.hpp"
#include "cuda_on_cpu/ptx/fault.hpp"

namespace ptx {
namespace {

std::uint64_t read_element(const std::byte* address, const Instruction& i) {
  switch (i.width) {
    case 1: {
      const auto value = std::to_integer<std::uint8_t>(*address);
      return i.is_signed ? static_cast<std::uint64_t>(static_cast<std::int8_t>(value)) : value;
    }
    case 2: {
      std::uint16_t value;
      std::memcpy(&value, address, sizeof(value));
      return i.is_signed ? static_cast<std::uint64_t>(static_cast<std::int16_t>(value)) : value;
    }
    case 4: {
      std::uint32_t value;
      std::memcpy(&value, address, sizeof(value));
      return i.is_signed ? static_cast<std::uint64_t>(static_cast<std::int32_t>(value)) : value;
    }
    default: {
      std::uint64_t value;
      std::memcpy(&value, address, sizeof(value));
      return value;
    }
  }
}

void write_element(std::byte* address, std::uint64_t value, const Instruction& i) {
  switch (i.width) {
    case 1:
      std::memcpy(address, &value, 1);
      break;
    case 2:
      std::memcpy(address, &value, 2);
      break;
    case 4:
      std::memcpy(address, &value, 4);
      break;
    default:
      std::memcpy(address, &value, 8);
      break;
  }
}

}  // namespace

Space space_of(std::uint64_t generic_address) {
  switch (generic_address >> kWindowShift) {
    case kSharedWindow >> kWindowShift:
      return Space::shared;
    case kLocalWindow >> kWindowShift:
      return Space::local;
    case kParameterWindow >> kWindowShift:
      return Space::parameter;
    default:
      return Space::global;
  }
}

std::byte* Block::locate(Thread& thread, const Instruction& i, std::uint64_t bytes) {
  std::uint64_t address = thread.frame()[i.slot[kAddressSlot]] + static_cast<std::uint64_t>(i.offset);
  Space space = i.space;
  if (space == Space::generic) {
    space = space_of(address);
    if (space != Space::global) address &= (std::uint64_t{1} << kWindowShift) - 1;
  }
  if (address % bytes != 0) fail_access(thread, i, "misaligned access", address, bytes);
  switch (space) {
    case Space::generic:
    case Space::global:
      return locate_global(thread, i, address, bytes);
    case Space::shared:
      // Addresses of shared memory are computed in 32 bits; what carries out of them does not count.
      if (address >> 32 == 1) address = static_cast<std::uint32_t>(address);
      return locate_in(shared_, thread, i, "shared", address, bytes);
    case Space::frame:
      address += thread.frame_memory();
      [[fallthrough]];
    case Space::local:
      return locate_in(thread.local_memory(), thread, i, "local", address, bytes);
    case Space::parameter:
      return locate_in(context_->parameters, thread, i, "parameter", address, bytes);
  }
  fail(thread, i, "no such address space");
}

std::byte* Block::locate_in(std::vector<std::byte>& memory, const Thread& thread, const Instruction& i,
                            const char* name, std::uint64_t address, std::uint64_t bytes) const {
  if (bytes > memory.size() || address > memory.size() - bytes) {
    fail_access(thread, i,
                std::string("access outside ") + name + " memory of " + std::to_string(memory.size()) + " bytes",
                address, bytes);
  }
  return memory.data() + address;
}

std::byte* Block::locate_global(const Thread& thread, const Instruction& i, std::uint64_t address,
                                std::uint64_t bytes) {
  Memory::Range& range = context_->ranges[i.id];
  if (!range.contains(address, bytes)) {
    const auto found = context_->memory.find(address);
    if (!found) fail_access(thread, i, "access outside every allocation", address, bytes);
    if (!found->contains(address, bytes)) fail_access(thread, i, "access beyond an allocation", address, bytes);
    range = *found;
  }
  return reinterpret_cast<std::byte*>(address);
}

void Block::load(Thread& thread, const Instruction& i) {
  const std::byte* const address = locate(thread, i, std::uint64_t{i.width} * i.count);
  std::uint64_t* const frame = thread.frame();
  frame[i.slot[0]] = read_element(address, i);
  for (std::size_t element = 1; element < i.count; ++element) {
    frame[i.slot[element]] = read_element(address + element * i.width, i);
  }
}

void Block::store(Thread& thread, const Instruction& i) {
  std::byte* const address = locate(thread, i, std::uint64_t{i.width} * i.count);
  const std::uint64_t* const frame = thread.frame();
  for (std::size_t element = 0; element < i.count; ++element) {
    write_element(address + element * i.width, frame[i.slot[element]], i);
  }
}

void Block::update(Thread& thread, const Instruction& i) {
  std::byte* const address = locate(thread, i, i.width);
  std::uint64_t* const frame = thread.frame();
  const std::uint64_t old = read_element(address, i);
  write_element(address, i.update(old, frame[i.slot[1]], frame[i.slot[2]]), i);
  frame[i.slot[0]] = old;
}

void Block::fail_access(const Thread& thread, const Instruction& i, const std::string& what, std::uint64_t address,
                        std::uint64_t bytes) const {
  std::ostringstream text;
  text << what << ": " << bytes << " bytes at 0x" << std::hex << address << ": " << describe(thread, i);
  throw Fault(Fault::Kind::illegal_address, text.str());
}

void Block::fail_assertion(Thread& thread, const Instruction& i) {
  const std::vector<std::uint32_t>& arguments = thread.function().calls[i.target].arguments;
  const std::vector<std::byte>& local = thread.local_memory();
  const auto argument = [&](std::size_t index) {
    std::uint64_t value = 0;
    std::memcpy(&value, local.data() + thread.frame_memory() + arguments[index], index == 2 ? 4 : 8);
    return value;
  };
  const auto text = [&](std::uint64_t address) {
    const auto range = context_->memory.find(address);
    if (!range) return std::string("?");
    const auto* const begin = reinterpret_cast<const char*>(address);
    const auto* const end = reinterpret_cast<const char*>(range->end);
    return std::string(begin, std::find(begin, end, '\0'));
  };
  fail(thread, i,
       text(argument(1)) + ":" + std::to_string(argument(2)) + ": assertion \"" + text(argument(0)) + "\" failed");
}

}  // namespace ptx
