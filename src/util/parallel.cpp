#include "util/parallel.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>

#include "spineweave/error.hpp"
#include "spineweave/threads.hpp"

namespace spineweave {
namespace {

tbb::task_arena* current_arena = nullptr;

}  // namespace

// A task_arena alone never exceeds the cores; with a global_control that allows more it does.
struct ThreadScope::State {
  explicit State(int threads)
      : control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)), arena(threads) {}
  tbb::global_control control;
  tbb::task_arena arena;
  tbb::task_arena* outer = nullptr;
};

ThreadScope::ThreadScope(std::uint32_t threads) {
  if (threads == 0 || threads > 1024) throw Error(ErrorCode::usage, "threads: expected a number from 1 to 1024");
  state_ = std::make_unique<State>(static_cast<int>(threads));
  state_->outer = current_arena;
  current_arena = &state_->arena;
}

ThreadScope::~ThreadScope() { current_arena = state_->outer; }

std::uint32_t hardware_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

namespace util {

void parallel_chunks(std::size_t count, std::size_t chunk, const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t chunks = (count + chunk - 1) / chunk;
  if (chunks == 0) return;
  if (chunks == 1) return body(0, count);
  const auto loop = [&] {
    tbb::parallel_for(
        std::size_t{0}, chunks, [&](std::size_t i) { body(i * chunk, std::min(count, (i + 1) * chunk)); },
        tbb::simple_partitioner());
  };
  if (current_arena != nullptr) {
    current_arena->execute(loop);
  } else {
    loop();
  }
}

}  // namespace util
}  // namespace spineweave
