#include "cli/bench/recorder.hpp"

#include <fmt/format.h>

#include <utility>

#include "spineweave/error.hpp"

namespace spineweave::bench {
namespace {

constexpr std::uint32_t kRepetitions = 11;
constexpr std::chrono::seconds kCaseTime{3};
// A first repetition this short measures cold caches and fresh pages more than anything else.
constexpr std::chrono::milliseconds kWarmUp{200};

}  // namespace

Recorder::Recorder(const Case& subject, const MeasureOptions& options) : options_(options) {
  result_.subject = subject;
  result_.threads = subject.one_thread ? 1 : options.threads;
}

bool Recorder::stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }

void Recorder::progress(std::string_view doing) const {
  if (!options_.on_progress) return;
  const std::string which = repetition_ > 0 ? fmt::format(", repetition {}", repetition_) : "";
  options_.on_progress(fmt::format("{}{}: {}", subject().name, which, doing));
}

bool Recorder::wants_more(std::uint32_t counted, Clock::duration spent) const {
  if (counted == 0) return true;
  if (options_.repetitions > 0) return counted < options_.repetitions;
  return counted < kRepetitions && spent + spent / counted < kCaseTime;
}

void Recorder::repeat(const std::function<void()>& once) {
  auto begin = Clock::now();
  bool is_first = true;
  const std::size_t steps_before = result_.steps.size();
  for (std::uint32_t counted = 0; wants_more(counted, Clock::now() - begin);) {
    repetition_ = counted + 1;
    once();
    if (stopped()) return;
    if (std::exchange(is_first, false) && Clock::now() - begin < kWarmUp) {
      result_.steps.resize(steps_before);
      begin = Clock::now();
    } else {
      ++counted;
    }
  }
  result_.peak_memory_bytes = memory_.bytes();
}

void Recorder::record(std::string_view step, Clock::time_point begin) {
  const double us = util::microseconds_since(begin);
  for (Step& known : result_.steps)
    if (known.name == step) return known.us.push_back(us);
  result_.steps.push_back({step, {us}});
}

void Recorder::agree(std::uint64_t digest) {
  if (std::exchange(has_digest_, true) && digest != result_.digest)
    throw Error(ErrorCode::internal, fmt::format("{}: two repetitions gave different results, {:016x} and {:016x}",
                                                 subject().name, result_.digest, digest));
  result_.digest = digest;
}

std::unique_ptr<Evaluator> Recorder::evaluator_of(const std::shared_ptr<const Problem>& problem) {
  auto evaluator = make_evaluator(problem, options_.backend);
  result_.backend = evaluator->capabilities().name;
  result_.device = evaluator->capabilities().device;
  return evaluator;
}

Solution Recorder::solved(Evaluator& evaluator, const Routing* warm_start) const {
  SolveOptions options;
  options.seed = kSeed;
  options.warm_start = warm_start;
  options.stop = options_.stop;
  return solve(evaluator, options);
}

}  // namespace spineweave::bench
