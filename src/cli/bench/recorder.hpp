// Times the steps of one case, repeats them, and holds the results of the repetitions against each other.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>

#include "cli/bench/machine.hpp"
#include "cli/bench/measure.hpp"
#include "cli/bench/result.hpp"
#include "spineweave/evaluator.hpp"
#include "spineweave/optimize.hpp"
#include "util/clock.hpp"

namespace spineweave::bench {

class Recorder {
 public:
  using Clock = util::Clock;

  Recorder(const Case& subject, const MeasureOptions& options);

  [[nodiscard]] const Case& subject() const { return result_.subject; }
  [[nodiscard]] CaseResult& result() { return result_; }
  [[nodiscard]] bool stopped() const;
  void progress(std::string_view doing) const;

  // Runs `once` until there are enough repetitions, or until it is stopped. A short first one does not count.
  void repeat(const std::function<void()>& once);

  // What `body` returns; its time is recorded.
  template <class Body>
  auto timed(std::string_view step, const Body& body) {
    progress(step);
    const auto begin = Clock::now();
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      record(step, begin);
    } else {
      auto value = body();
      record(step, begin);
      return value;
    }
  }
  // A step that began then and ends now.
  void record(std::string_view step, Clock::time_point begin);
  // Throws Error{internal} where an earlier repetition had another digest.
  void agree(std::uint64_t digest);

  [[nodiscard]] std::unique_ptr<Evaluator> evaluator_of(const std::shared_ptr<const Problem>& problem);
  // From nothing where there is no warm start.
  [[nodiscard]] Solution solved(Evaluator& evaluator, const Routing* warm_start = nullptr) const;

 private:
  [[nodiscard]] bool wants_more(std::uint32_t counted, Clock::duration spent) const;

  const MeasureOptions& options_;
  const PeakMemory memory_;
  CaseResult result_;
  std::uint32_t repetition_ = 0;
  bool has_digest_ = false;
};

}  // namespace spineweave::bench
