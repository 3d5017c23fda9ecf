// The next snapshot while changes are made to it, beside the rows that make it durable.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "service/control/controller.hpp"
#include "service/control/snapshot.hpp"
#include "service/store/store.hpp"

namespace spineweave::service {

// A change throws before it touches the draft or the store, or not at all: several share one draft.
class Draft {
 public:
  // `arrived`: when the first of its changes came, by Clock::now().
  Draft(const Snapshot& present, Store& store, Nanoseconds wall_now, Nanoseconds arrived)
      : next(present), wall_now_(wall_now), arrived_(arrived), store_(store) {}

  Snapshot next;
  std::vector<Event> events;
  bool opens_window = false;  // routes have to be looked at

  [[nodiscard]] Nanoseconds wall_now() const { return wall_now_; }
  [[nodiscard]] Nanoseconds arrived() const { return arrived_; }

  // Raises the revision, for a durable change.
  Revision raise(ChangeKind kind, std::string subject = {}) {
    events.push_back({Event::Kind::changed, ++next.revision, kind, std::move(subject), nullptr, {}});
    return next.revision;
  }
  // The store, in a transaction from the first call on.
  Store& rows() {
    if (!std::exchange(begun_, true)) store_.begin();
    return store_;
  }
  [[nodiscard]] bool is_durable() const { return begun_; }

  // A part to write to: a copy, unless nobody else has it yet.
  template <class Part>
  static Part& own(std::shared_ptr<const Part>& part) {
    if (part.use_count() > 1) part = std::make_shared<Part>(*part);
    return const_cast<Part&>(*part);  // every part was made by make_shared<Part>, or copied here
  }

 private:
  Nanoseconds wall_now_, arrived_;
  Store& store_;
  bool begun_ = false;
};

}  // namespace spineweave::service
