// Which node has a name: an open hash table of ids, whose names stay where they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "spineweave/fabric.hpp"

namespace spineweave {

// `nodes` is always the list that the ids are places of; its names are distinct.
class NameTable {
 public:
  // Room for that many; only saves time.
  void reserve(std::size_t names) {
    std::size_t slots = kFewestSlots;
    while (slots < 2 * names) slots *= 2;
    if (slots > slots_.size()) rebuild(slots);
  }

  // The id with that name, or kNone.
  [[nodiscard]] std::uint32_t find(std::string_view name, std::span<const Node> nodes) const {
    if (slots_.empty()) return kNone;
    return slots_[slot_of(name, hash_of(name), nodes)].id;
  }

  // False, and nothing changes, where a node has that name already.
  bool insert(std::string_view name, std::uint32_t id, std::span<const Node> nodes) {
    if (2 * (used_ + 1) > slots_.size()) rebuild(std::max(kFewestSlots, 2 * slots_.size()));
    const std::uint32_t hash = hash_of(name);
    Slot& slot = slots_[slot_of(name, hash, nodes)];
    if (slot.id != kNone) return false;
    slot = {hash, id};
    ++used_;
    return true;
  }

  void renumber(std::span<const std::uint32_t> new_id) {
    for (Slot& slot : slots_)
      if (slot.id != kNone) slot.id = new_id[slot.id];
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t id = kNone;
  };
  static constexpr std::size_t kFewestSlots = 16;

  static std::uint32_t hash_of(std::string_view name) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>()(name));
  }

  // Where the name is, or the free slot where it would be.
  [[nodiscard]] std::size_t slot_of(std::string_view name, std::uint32_t hash, std::span<const Node> nodes) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].id != kNone && (slots_[at].hash != hash || nodes[slots_[at].id].name != name))
      at = (at + 1) & mask;
    return at;
  }

  void rebuild(std::size_t num_slots) {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(num_slots));
    for (const Slot& slot : old) {
      if (slot.id == kNone) continue;
      std::size_t at = slot.hash & (num_slots - 1);
      while (slots_[at].id != kNone) at = (at + 1) & (num_slots - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two, at most half of them used
  std::size_t used_ = 0;
};

}  // namespace spineweave
