// From a snapshot to the routes that it should have.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "service/control/choice.hpp"
#include "service/control/instance.hpp"
#include "service/control/options.hpp"
#include "service/control/snapshot.hpp"

namespace spineweave::service {

struct Plan {
  std::shared_ptr<const Snapshot> inputs;
  Instance instance;
  Routing routing;               // [flows of the problem]
  std::vector<PathTable> paths;  // [jobs of the snapshot]; flows outside the problem keep what is alive of theirs
  bool improved = false;         // else only what had to move does
  std::shared_ptr<const Summary> summary;
};

class Planner {
 public:
  explicit Planner(const ControllerOptions& options);

  // The snapshot has a fabric. Throws what Problem throws.
  [[nodiscard]] Plan choose(std::shared_ptr<const Snapshot> inputs, Effort effort,
                            std::function<void(const Progress&)> on_progress);
  // Ends a search that is under way, or comes before take_time(), soon: something quicker waits.
  void hurry() { hurry_.store(true, std::memory_order_relaxed); }
  void take_time() { hurry_.store(stop_.load(std::memory_order_relaxed), std::memory_order_relaxed); }
  // Ends whatever is under way, and all that comes.
  void interrupt() {
    stop_.store(true, std::memory_order_relaxed);
    hurry();
  }
  // A device failed; the CPU has taken over.
  [[nodiscard]] bool backend_lost() const { return backend_lost_; }

 private:
  [[nodiscard]] std::shared_ptr<const Fabric> fabric_of(const Snapshot& inputs);
  [[nodiscard]] Present find_present(const Snapshot& inputs, const Instance& instance) const;
  void on_backend(const std::shared_ptr<const Problem>& problem, const std::function<void(Evaluator&)>& work);
  [[nodiscard]] bool has_goal(const Snapshot& inputs) const;
  void lay_out(Plan& plan) const;
  [[nodiscard]] std::shared_ptr<const Summary> summarise(const Plan& plan, const Solution& solution,
                                                         const Capabilities& device) const;

  const ControllerOptions& options_;
  std::string backend_;
  std::atomic<bool> stop_ = false, hurry_ = false;
  std::atomic<bool> backend_lost_ = false;
  // Where the last search leads to, and what it holds for.
  Routing goal_;  // empty: nowhere
  std::shared_ptr<const Snapshot> goal_of_;
  // The last fabric with its states, and what it was made of.
  std::shared_ptr<const Fabric> base_, present_;
  std::shared_ptr<const Reports> reports_;
};

}  // namespace spineweave::service
