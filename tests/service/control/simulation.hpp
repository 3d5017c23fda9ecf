// A controller under a clock that the test turns.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "service/control/controller.hpp"
#include "service/store/store.hpp"
#include "spineweave/workload.hpp"

namespace spineweave::service::test {

using namespace std::chrono_literals;

inline constexpr const char* kSmall = "leaf-spine:leaves=4,spines=4,hosts=4,gbps=100";
inline constexpr const char* kPaper = "leaf-spine:leaves=64,spines=32,hosts=32,gbps=100";
inline constexpr PortState kDown = {LinkState::down, 0};

class TestClock final : public Clock {
 public:
  [[nodiscard]] Nanoseconds now() const override { return now_; }
  [[nodiscard]] Nanoseconds wall_now() const override { return kStart + now_; }
  void set(Nanoseconds now) { now_ = now; }

 private:
  static constexpr Nanoseconds kStart = std::chrono::hours(24 * 365 * 50);
  Nanoseconds now_{0};
};

// Without limits on time, so that the results are the same on every machine.
[[nodiscard]] inline ControllerOptions timeless_options() {
  ControllerOptions options;
  options.time_budget = 0ns;
  options.search_budget = 0ns;
  options.backend = "cpu";
  return options;
}

// A folder of its own, in memory where the machine has such a place: nothing here is about disks, and flushing them is
// most of the time.
class QuickFolder {
 public:
  QuickFolder() {
    const std::filesystem::path memory = "/dev/shm";
    std::string name = (std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path()).string();
    name += "/spineweave-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder like " + name);
    path_ = name;
  }
  ~QuickFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  QuickFolder(const QuickFolder&) = delete;
  QuickFolder& operator=(const QuickFolder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

class Simulated {
 public:
  explicit Simulated(ControllerOptions options = timeless_options())
      : options_(std::move(options)), controller_(open()) {}

  Controller& operator*() { return *controller_; }
  Controller* operator->() { return controller_.get(); }
  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const { return controller_->snapshot(); }
  TestClock& clock() { return clock_; }
  [[nodiscard]] std::string directory() const { return folder_.file("state"); }

  // Lets time pass, and the loop do what is due in it.
  void pass(Nanoseconds time) {
    const Nanoseconds end = clock_.now() + time;
    for (auto deadline = controller_->next_deadline(); deadline && *deadline <= end;
         deadline = controller_->next_deadline()) {
      clock_.set(std::max(clock_.now(), *deadline));
      controller_->advance();
    }
    clock_.set(end);
  }
  // The process ends and comes back.
  void restart() {
    controller_.reset();
    controller_ = open();
  }

  void put_jobs(const std::string& spec) {
    for (Job& job : build_workload(*snapshot()->fabric, spec).jobs) put_job(std::move(job));
  }
  Change put_job(Job job) { return controller_->put_job(std::move(job), *snapshot()); }

 private:
  [[nodiscard]] std::unique_ptr<Controller> open() {
    return std::make_unique<Controller>(options_, open_store(directory()), clock_);
  }

  QuickFolder folder_;
  TestClock clock_;
  ControllerOptions options_;
  std::unique_ptr<Controller> controller_;
};

// No flow of any routed job on a dead link.
[[nodiscard]] inline bool is_clear_of_dead_links(const Snapshot& snapshot) {
  return std::ranges::all_of(snapshot.routing->jobs, [&](const auto& routes) {
    return std::ranges::none_of(routes->paths.links(),
                                [&](LinkId link) { return link_state(snapshot, link).state == LinkState::down; });
  });
}

// Every flow of every job has a route.
[[nodiscard]] inline bool is_complete(const Snapshot& snapshot) {
  return std::ranges::all_of(*snapshot.jobs, [&](const auto& job) {
    const JobRoutes* routes = snapshot.find_routes(job->job.id);
    if (routes == nullptr || routes->job != job) return false;
    for (std::size_t flow = 0; flow < routes->paths.size(); ++flow)
      if (routes->paths[flow].empty()) return false;
    return true;
  });
}

}  // namespace spineweave::service::test
