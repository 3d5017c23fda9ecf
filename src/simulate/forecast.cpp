#include "simulate/forecast.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace spineweave {
namespace {

// A job that communicates more often than this before the horizon counts as one that always does.
constexpr std::uint32_t kMostEpochsLookedAt = 256;

struct Event {
  std::uint64_t time_ns = 0;
  bool starts = false;  // at one time ends come first: they do not meet those that start then
  JobId job = kNone;
  auto operator<=>(const Event&) const = default;
};

class Calendar {
 public:
  Calendar(std::uint64_t now, std::uint64_t horizon_ns) : now_(now), end_(now + horizon_ns) {}

  // Returns the epochs that start before the horizon.
  std::uint32_t add(JobId id, const JobTimes& job) {
    std::uint64_t next = std::max(now_, job.next_epoch_ns);
    if (job.communicates) {
      add_interval(id, now_, now_ + job.left_ns);
      next = now_ + job.left_ns + job.compute_ns;
    }
    if (job.epochs == 0 || next >= end_) return 0;
    const std::uint64_t period = std::max<std::uint64_t>(1, job.allreduce_ns + job.compute_ns);
    const std::uint64_t fit = (end_ - next + period - 1) / period;
    const auto epochs = static_cast<std::uint32_t>(std::min<std::uint64_t>(job.epochs, fit));
    if (epochs > kMostEpochsLookedAt) {
      add_interval(id, next, next + (epochs - 1) * period + job.allreduce_ns);
    } else {
      for (std::uint32_t epoch = 0; epoch < epochs; ++epoch)
        add_interval(id, next + epoch * period, next + epoch * period + job.allreduce_ns);
    }
    return epochs;
  }

  [[nodiscard]] std::vector<Event> events() && {
    std::ranges::sort(events_);
    return std::move(events_);
  }

 private:
  void add_interval(JobId job, std::uint64_t begin, std::uint64_t end) {
    end = std::min(end, end_);
    if (begin >= end) return;
    events_.push_back({begin, true, job});
    events_.push_back({end, false, job});
  }

  const std::uint64_t now_, end_;
  std::vector<Event> events_;
};

// Between an end and the next start the sets shrink, then they grow until the next end: the largest ones are those
// at the ends that follow a start.
std::vector<Forecast::Phase> largest_sets(std::span<const Event> events, std::size_t num_jobs) {
  std::vector<Forecast::Phase> phases;
  std::map<std::vector<bool>, std::size_t> phase_of_set;
  std::vector<std::uint32_t> depth(num_jobs, 0);  // a job's next communication may start before this one ends
  std::vector<bool> set(num_jobs, false);
  std::uint64_t growing_ns = 0, last_ns = 0;
  std::size_t at = 0, active = 0;
  bool grows = true;
  for (const Event& event : events) {
    const std::uint64_t length_ns = active > 0 ? event.time_ns - last_ns : 0;
    (grows ? growing_ns : phases[at].length_ns) += length_ns;
    last_ns = event.time_ns;
    if (grows && !event.starts) {
      const auto [entry, is_new] = phase_of_set.emplace(set, phases.size());
      if (is_new) phases.push_back({set, 0});
      at = entry->second;
      phases[at].length_ns += std::exchange(growing_ns, 0);
    }
    grows = event.starts;
    std::uint32_t& job_depth = depth[event.job];
    const bool was_active = job_depth > 0;
    job_depth += event.starts ? 1U : ~0U;
    set[event.job] = job_depth > 0;
    active = active + (job_depth > 0 ? 1 : 0) - (was_active ? 1 : 0);
  }
  return phases;
}

void join_all_but_the_longest(std::vector<Forecast::Phase>& phases) {
  if (phases.size() <= kMostPhases) return;
  std::vector<std::size_t> order(phases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return phases[i].length_ns; });
  std::vector<bool> is_kept(phases.size(), false);
  for (std::size_t i = 0; i + 1 < kMostPhases; ++i) is_kept[order[i]] = true;
  Forecast::Phase rest{std::vector<bool>(phases.front().jobs.size(), false), 0};
  std::vector<Forecast::Phase> kept;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (is_kept[i]) {
      kept.push_back(std::move(phases[i]));
      continue;
    }
    for (std::size_t job = 0; job < rest.jobs.size(); ++job)
      if (phases[i].jobs[job]) rest.jobs[job] = true;
    rest.length_ns += phases[i].length_ns;
  }
  kept.push_back(std::move(rest));
  phases = std::move(kept);
}

bool is_within(const std::vector<bool>& part, const std::vector<bool>& whole) {
  for (std::size_t job = 0; job < part.size(); ++job)
    if (part[job] && !whole[job]) return false;
  return true;
}

void drop_those_within_others(std::vector<Forecast::Phase>& phases) {
  for (std::size_t i = 0; i < phases.size();) {
    std::size_t whole = 0;
    while (whole < phases.size() && (whole == i || !is_within(phases[i].jobs, phases[whole].jobs))) ++whole;
    if (whole == phases.size()) {
      ++i;
      continue;
    }
    phases[whole].length_ns += phases[i].length_ns;
    phases.erase(phases.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

Forecast forecast(std::span<const JobTimes> jobs, std::uint64_t now, std::uint64_t horizon_ns) {
  Forecast forecast;
  Calendar calendar(now, horizon_ns);
  for (JobId job = 0; job < jobs.size(); ++job) forecast.epochs.push_back(calendar.add(job, jobs[job]));
  forecast.phases = largest_sets(std::move(calendar).events(), jobs.size());
  join_all_but_the_longest(forecast.phases);
  drop_those_within_others(forecast.phases);
  return forecast;
}

}  // namespace spineweave
