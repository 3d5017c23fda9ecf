// publish_latency STATE_DIR [REPETITIONS [FABRIC JOBS]]
// How long from a report that a link in use is down until the revision that moves its flows is durable and published;
// the window is part of it.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "service/control/loop_thread.hpp"
#include "service/store/store.hpp"
#include "util/hash.hpp"

namespace {

using namespace spineweave;
using namespace spineweave::service;
using namespace std::chrono_literals;

constexpr const char* kFabric = "leaf-spine:leaves=64,spines=32,hosts=32,gbps=100";
constexpr const char* kJobs = "paper:jobs=5,ring=4,seed=1";

// An uplink that some flow takes.
std::string pick_link(const Snapshot& snapshot, std::uint64_t repetition) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    const std::uint64_t random = util::random_at(1, repetition, attempt);
    const auto& jobs = snapshot.routing->jobs;
    const PathTable& paths = jobs[random % jobs.size()]->paths;
    const auto path = paths[(random >> 32U) % paths.size()];
    if (path.size() > 2) return snapshot.fabric->link_name(path[1]);
  }
}

double percentile(const std::vector<double>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const int repetitions = count > 2 ? std::stoi(arguments[2]) : 200;
  ControllerOptions options;
  options.hold_up = 0ns;
  options.ack_timeout = 0ns;
  SystemClock clock;
  Controller controller(options, open_store(arguments[1]), clock);
  std::atomic<Revision> routed = 0;
  const Subscription subscription = controller.subscribe([&](const Event& event) {
    if (event.kind != Event::Kind::routed) return;
    routed = event.revision;
    routed.notify_all();
  });
  controller.put_fabric(build_fabric(count > 4 ? arguments[3] : kFabric));
  const auto basis = controller.snapshot();
  for (Job& job : build_workload(*basis->fabric, count > 4 ? arguments[4] : kJobs).jobs)
    controller.put_job(std::move(job), *basis);
  const LoopThread loop(controller, clock);
  routed.wait(0);

  std::vector<double> durable_ms, published_ms;
  const auto since = [&](Nanoseconds begin) {
    return std::chrono::duration<double, std::milli>(clock.now() - begin).count();
  };
  for (int i = 0; i < repetitions; ++i) {
    std::this_thread::sleep_for(options.window * 3);  // whatever the last one left to do
    const std::string link = pick_link(*controller.snapshot(), static_cast<std::uint64_t>(i));
    const Nanoseconds begin = clock.now();
    const Change change = controller.set_link(link, {LinkState::down, 0});
    durable_ms.push_back(since(begin));
    for (Revision seen = routed; seen < change.revision; seen = routed) routed.wait(seen);
    published_ms.push_back(since(begin));
    (void)controller.set_link(link, {LinkState::up, 0});
  }
  for (auto* times : {&durable_ms, &published_ms}) {
    std::ranges::sort(*times);
    fmt::print("{}: p50 {:.1f} ms, p90 {:.1f} ms, p99 {:.1f} ms, most {:.1f} ms\n",
               times == &durable_ms ? "report durable" : "routes published", percentile(*times, 0.5),
               percentile(*times, 0.9), percentile(*times, 0.99), times->back());
  }
}
