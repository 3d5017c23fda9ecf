#include "cuda_on_cpu/ptx/grid.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "cuda_on_cpu/ptx/fault.hpp"

namespace ptx {
namespace {

// A block whose threads all run on without ending or passing a barrier may be waiting for another block:
// after so many rounds it steps aside.
constexpr int kRoundsWithoutProgress = 16;

// Further blocks start beside those that stepped aside while all fit in here, or if none of them gets on.
constexpr std::uint64_t kResidentBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kFruitlessTurns = 64;

// Blocks keep their memory from launch to launch: a frame for each thread anew costs more than most
// kernels do.
class BlockPool {
 public:
  std::unique_ptr<Block> take() {
    const std::lock_guard lock(mutex_);
    if (blocks_.empty()) return std::make_unique<Block>();
    std::unique_ptr<Block> block = std::move(blocks_.back());
    blocks_.pop_back();
    return block;
  }
  void give(std::unique_ptr<Block> block) {
    const std::lock_guard lock(mutex_);
    if (blocks_.size() < kMost) blocks_.push_back(std::move(block));
  }

 private:
  static constexpr std::size_t kMost = 16;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

BlockPool& block_pool() {
  static BlockPool pool;
  return pool;
}

class GridRun {
 public:
  explicit GridRun(LaunchContext& context) : context_(context), num_blocks_(context.grid.size()) {
    if (context.schedule.order != Order::random) return;
    shuffled_.resize(num_blocks_);
    std::iota(shuffled_.begin(), shuffled_.end(), std::uint64_t{0});
    for (std::uint64_t left = num_blocks_; left > 1; --left) {
      std::swap(shuffled_[left - 1], shuffled_[context.random() % left]);
    }
  }

  void run() {
    while (num_started_ < num_blocks_ || !waiting_.empty()) {
      std::unique_ptr<Block> block = next_block();
      if (run_turn(*block)) {
        turns_without_end_ = 0;
        block_pool().give(std::move(block));
      } else {
        ++turns_without_end_;
        waiting_bytes_ += block->footprint_bytes();
        waiting_.push_back(std::move(block));
      }
    }
  }

 private:
  std::uint64_t index_of(std::uint64_t started) const {
    switch (context_.schedule.order) {
      case Order::ascending:
        return started;
      case Order::descending:
        return num_blocks_ - 1 - started;
      case Order::random:
        return shuffled_[started];
    }
    return started;
  }

  std::unique_ptr<Block> next_block() {
    const bool may_start =
        waiting_.empty() || waiting_bytes_ < kResidentBytes || turns_without_end_ > kFruitlessTurns * waiting_.size();
    if (num_started_ < num_blocks_ && may_start) {
      turns_without_end_ = 0;
      std::unique_ptr<Block> block = block_pool().take();
      block->start(context_, index_of(num_started_++));
      return block;
    }
    std::unique_ptr<Block> block = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= block->footprint_bytes();
    return block;
  }

  // True if the block has ended.
  bool run_turn(Block& block) {
    for (int idle_rounds = 0; idle_rounds < kRoundsWithoutProgress;) {
      switch (block.run_round()) {
        case Block::Progress::ended:
          last_progress_ = context_.instructions;
          return true;
        case Block::Progress::some:
          idle_rounds = 0;
          last_progress_ = context_.instructions;
          break;
        case Block::Progress::none:
          ++idle_rounds;
          break;
      }
      if (context_.instructions - last_progress_ > context_.schedule.patience) {
        throw Fault(Fault::Kind::failure, context_.kernel.entry().name +
                                              ": hung: no thread has ended or passed a barrier for " +
                                              std::to_string(context_.schedule.patience) + " instructions");
      }
    }
    return false;
  }

  LaunchContext& context_;
  std::uint64_t num_blocks_;
  std::vector<std::uint64_t> shuffled_;
  std::uint64_t num_started_ = 0;
  std::deque<std::unique_ptr<Block>> waiting_;
  std::uint64_t waiting_bytes_ = 0;
  std::uint64_t turns_without_end_ = 0;
  std::uint64_t last_progress_ = 0;
};

}  // namespace

void run_grid(const Kernel& kernel, const Memory& memory, const LaunchRequest& request, std::uint64_t& instructions) {
  LaunchContext context{.kernel = kernel,
                        .memory = memory,
                        .schedule = request.schedule,
                        .grid = request.grid,
                        .block = request.block,
                        .dynamic_shared_bytes = request.dynamic_shared_bytes,
                        .parameters = std::vector<std::byte>(kernel.parameter_bytes),
                        .ranges = std::vector<Memory::Range>(kernel.num_instructions),
                        .instructions = 0,
                        .random_state = request.schedule.seed};
  const std::vector<Parameter>& parameters = kernel.entry().parameters;
  for (std::size_t argument = 0; argument < parameters.size(); ++argument) {
    std::memcpy(context.parameters.data() + parameters[argument].offset, request.arguments[argument],
                parameters[argument].bytes);
  }
  try {
    GridRun(context).run();
  } catch (...) {
    instructions += context.instructions;
    throw;
  }
  instructions += context.instructions;
}

}  // namespace ptx
