#include "cuda_on_cpu/ptx/fat_binary.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "cuda_on_cpu/ptx/fault.hpp"

namespace ptx {
namespace {

struct Wrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const std::byte* data;
  const void* file_name;
};

struct Header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t payload_bytes;
};

// The start of an entry's header; the rest (options, file name, target) is of no use here.
struct Entry {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t payload_bytes;
};

constexpr std::uint32_t kWrapperMagic = 0x466243B1;
constexpr std::uint32_t kHeaderMagic = 0xBA55ED50;
constexpr std::uint16_t kPtxEntry = 1;

template <typename T>
T read_at(const std::byte* address) {
  T result;
  std::memcpy(&result, address, sizeof(T));
  return result;
}

[[noreturn]] void fail(const std::string& what) { throw Fault(Fault::Kind::failure, "fat binary: " + what); }

}  // namespace

std::string find_ptx(const void* wrapper) {
  const auto outer = read_at<Wrapper>(static_cast<const std::byte*>(wrapper));
  if (outer.magic != kWrapperMagic) fail("unknown wrapper");
  const auto header = read_at<Header>(outer.data);
  if (header.magic != kHeaderMagic) fail("unknown header");
  const std::byte* const begin = outer.data + header.header_bytes;
  std::uint64_t at = 0;
  while (at + sizeof(Entry) <= header.payload_bytes) {
    const auto entry = read_at<Entry>(begin + at);
    const std::uint64_t rest = header.payload_bytes - at;
    if (entry.header_bytes > rest || entry.payload_bytes > rest - entry.header_bytes) fail("entry beyond the end");
    if (entry.kind == kPtxEntry) {
      const auto* const text = reinterpret_cast<const char*>(begin + at + entry.header_bytes);
      const std::string_view ptx = std::string_view(text, entry.payload_bytes);
      const std::string_view terminated = ptx.substr(0, ptx.find('\0'));
      if (terminated.find(".version") == std::string_view::npos) fail("PTX is compressed; give nvcc --no-compress");
      return std::string(terminated);
    }
    at += entry.header_bytes + entry.payload_bytes;
  }
  fail("no PTX; give nvcc -gencode arch=compute_75,code=compute_75");
}

}  // namespace ptx
