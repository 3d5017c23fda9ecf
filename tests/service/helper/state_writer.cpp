// A process that changes a state directory until it is killed, and says what was acknowledged.
//   state_writer DIRECTORY SEED
// Each thread writes "begin T WHAT ID" before a change and "done T REVISION" after it; the loop's moves appear as
// "routed REVISION DIGEST".
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "service/control/loop_thread.hpp"
#include "service/store/store.hpp"
#include "util/hash.hpp"

namespace {

using namespace spineweave;
using namespace spineweave::service;

constexpr std::uint32_t kThreads = 3, kJobs = 6;

// One write, so that lines of threads do not mix and a kill cuts none.
void say(const std::string& line) { (void)!::write(STDOUT_FILENO, line.data(), line.size()); }

void change_for_ever(Controller& controller, std::uint32_t thread, std::uint64_t seed) {
  for (std::uint64_t round = 0;; ++round) {
    const std::uint64_t random = util::random_at(seed, thread, round);
    const auto snapshot = controller.snapshot();
    const std::string id = fmt::format("{}.{}", thread, random % kJobs);
    const bool removes = random >> 20U & 1U && snapshot->find_job(id) != nullptr;
    say(fmt::format("begin {} {} {}\n", thread, removes ? "remove" : "put", id));
    Change change;
    if (removes) {
      change = controller.delete_job(id);
    } else {
      Job job;
      job.id = id;
      job.compute_ns = round;
      const auto first = static_cast<EndpointId>(random >> 32U) % 8;
      job.collectives.push_back({CollectiveKind::ring_allreduce, 1, 1000, {first, first + 4, first + 8}});
      change = controller.put_job(std::move(job), *snapshot);
    }
    say(fmt::format("done {} {}\n", thread, change.revision));
    if (round % 7 == thread) {
      const PortState state{random >> 40U & 1U ? LinkState::up : LinkState::down, 0};
      (void)controller.set_link(fmt::format("leaf-{}-spine-{}", thread, random % 4), state);
      (void)controller.acknowledge(snapshot->hosts->names[random % snapshot->hosts->names.size()], snapshot->revision);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  ControllerOptions options;
  options.window = std::chrono::milliseconds(2);
  options.hold_up = std::chrono::milliseconds(5);
  options.hold_up_most = std::chrono::milliseconds(20);
  options.history = 50;
  options.backend = "cpu";
  SystemClock clock;
  Controller controller(options, open_store(arguments[1]), clock);
  const Subscription routed = controller.subscribe([](const Event& event) {
    if (event.routing) say(fmt::format("routed {} {}\n", event.revision, event.routing->digest));
  });
  if (!controller.snapshot()->fabric)
    controller.put_fabric(build_fabric("leaf-spine:leaves=4,spines=4,hosts=4,gbps=100"));
  const LoopThread loop(controller, clock);
  say("ready\n");
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < kThreads; ++t)
    threads.emplace_back(change_for_ever, std::ref(controller), t, std::stoull(arguments[2]));
  for (std::thread& thread : threads) thread.join();
}
