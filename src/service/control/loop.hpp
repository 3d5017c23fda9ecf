// The loop: collects changes for a while, chooses routes once, publishes them as one revision or not at all.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "service/control/board.hpp"
#include "service/control/commit_queue.hpp"
#include "service/control/options.hpp"
#include "service/control/planner.hpp"
#include "service/control/publication.hpp"

namespace spineweave::service {

class Loop {
 public:
  // All must outlive it.
  Loop(const ControllerOptions& options, const Clock& clock, Board& board, CommitQueue& queue);

  // From any thread.
  // Unless one is open: it is not extended. `start`: when the change came, before it was written down.
  void open_window(Nanoseconds start);
  void hear();  // links are watched
  void set_waker(std::function<void()> waker);
  void interrupt() { planner_.interrupt(); }

  // From one thread.
  [[nodiscard]] std::optional<Nanoseconds> next_deadline() const;
  void advance();

 private:
  [[nodiscard]] std::optional<Nanoseconds> next_release() const;  // of a port, or when a host is overdue
  [[nodiscard]] bool is_stale() const;
  [[nodiscard]] std::optional<Effort> find_due();
  [[nodiscard]] bool is_settled(const Snapshot& snapshot) const;
  void watch();
  void choose(Effort effort);
  [[nodiscard]] Outcome try_to_choose(Effort effort);
  void finish_assessment();
  void note_error(const std::string& what);

  const ControllerOptions& options_;
  const Clock& clock_;
  Board& board_;
  CommitQueue& queue_;
  Planner planner_;

  mutable std::mutex mutex_;  // of the next four
  std::optional<Nanoseconds> window_end_;
  std::optional<Nanoseconds> next_look_;
  Nanoseconds heard_at_;
  std::function<void()> waker_;

  // Of the loop's thread.
  bool has_looked_;                          // at what was restored
  std::shared_ptr<const Snapshot> settled_;  // nothing better was found for it
  Nanoseconds watch_again_{0};               // not before: the state directory could not be written
  std::optional<Plan> to_assess_;
  std::shared_ptr<const Summary> assessed_summary_;
};

}  // namespace spineweave::service
