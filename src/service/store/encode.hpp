// Small binary records: what the store keeps of paths and moves.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "service/control/errors.hpp"
#include "service/control/paths.hpp"
#include "service/store/sqlite.hpp"

namespace spineweave::service {

// Numbers take seven bits a byte, the lowest first, so that small ones are short.
class ByteWriter {
 public:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<std::uint8_t>(value | 0x80U));
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  void path(std::span<const LinkId> links) {
    number(links.size());
    for (const LinkId link : links) number(link);
  }
  void paths(const PathTable& table) {
    number(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) path(table[i]);
  }
  [[nodiscard]] Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

// Throws StoreError where the record ends too early or holds what was never written.
class ByteReader {
 public:
  explicit ByteReader(const Bytes& bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (std::uint32_t shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = next();
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    refuse();
  }
  std::uint32_t small() {
    const std::uint64_t value = number();
    if (value > kNone) refuse();
    return static_cast<std::uint32_t>(value);
  }
  // Of things that take a byte each at least.
  std::size_t count() {
    const std::uint64_t value = number();
    if (value > bytes_.size() - at_) refuse();
    return value;
  }
  std::string text() {
    const std::size_t length = count();
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += length;
    return {begin, begin + static_cast<std::ptrdiff_t>(length)};
  }
  std::vector<LinkId> path() {
    std::vector<LinkId> links(count());
    for (LinkId& link : links) link = small();
    return links;
  }
  PathTable paths() {
    PathTable table;
    for (std::size_t left = count(); left > 0; --left) table.push_back(path());
    return table;
  }
  void finish() const {
    if (at_ != bytes_.size()) refuse();
  }

 private:
  std::uint8_t next() {
    if (at_ == bytes_.size()) refuse();
    return bytes_[at_++];
  }
  [[noreturn]] static void refuse() {
    throw StoreError("the state is damaged: a record of routes does not hold together");
  }

  const Bytes& bytes_;
  std::size_t at_ = 0;
};

}  // namespace spineweave::service
