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
  TurnId turn = 0;
  auto operator<=>(const Event&) const = default;
};

class Calendar {
 public:
  Calendar(std::uint64_t now, std::uint64_t horizon_ns) : now_(now), end_(now + horizon_ns) {}

  // Of a job whose first turn is `first`.
  void add(TurnId first, const JobTimes& job) {
    starts_.resize(first + job.turn_ns.size(), 0);
    std::uint64_t next = std::max(now_, job.next_epoch_ns);
    if (job.communicates) {
      add_interval(first + job.turn, now_, now_ + job.left_ns);
      next = now_ + job.left_ns;
      for (std::size_t turn = job.turn + 1; turn < job.turn_ns.size(); ++turn)
        next = add_turns(first + static_cast<TurnId>(turn), {next, job.turn_ns[turn], 0, 1});
      next += job.compute_ns;
    }
    const std::uint64_t epoch_ns = std::accumulate(job.turn_ns.begin(), job.turn_ns.end(), job.compute_ns);
    for (std::size_t turn = 0; turn < job.turn_ns.size(); ++turn)
      next = add_turns(first + static_cast<TurnId>(turn), {next, job.turn_ns[turn], epoch_ns, job.epochs});
  }

  [[nodiscard]] std::vector<std::uint32_t> take_starts() { return std::move(starts_); }
  [[nodiscard]] std::vector<Event> events() && {
    std::ranges::sort(events_);
    return std::move(events_);
  }

 private:
  struct Series {
    std::uint64_t begin_ns = 0, length_ns = 0, period_ns = 0;
    std::uint32_t times = 0;
  };

  // Returns the end of the first one.
  std::uint64_t add_turns(TurnId turn, const Series& series) {
    const auto& [begin, length, series_period, most] = series;
    const std::uint64_t period = std::max<std::uint64_t>(1, series_period);
    const std::uint64_t fit = begin < end_ ? (end_ - begin + period - 1) / period : 0;
    const auto times = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, fit));
    if (times > kMostEpochsLookedAt) {
      add_interval(turn, begin, begin + (times - 1) * period + length);
    } else {
      for (std::uint32_t time = 0; time < times; ++time)
        add_interval(turn, begin + time * period, begin + time * period + length);
    }
    starts_[turn] += times;
    return begin + length;
  }

  void add_interval(TurnId turn, std::uint64_t begin, std::uint64_t end) {
    end = std::min(end, end_);
    if (begin >= end) return;
    events_.push_back({begin, true, turn});
    events_.push_back({end, false, turn});
  }

  const std::uint64_t now_, end_;
  std::vector<Event> events_;
  std::vector<std::uint32_t> starts_;  // [turns]
};

// Between an end and the next start the sets shrink, then they grow until the next end: the largest ones are those
// at the ends that follow a start.
std::vector<TurnPhase> largest_sets(std::span<const Event> events, std::size_t num_turns) {
  std::vector<TurnPhase> phases;
  std::map<std::vector<bool>, std::size_t> phase_of_set;
  std::vector<std::uint32_t> depth(num_turns, 0);  // what comes next may start before this ends
  std::vector<bool> set(num_turns, false);
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
    std::uint32_t& turn_depth = depth[event.turn];
    const bool was_active = turn_depth > 0;
    turn_depth += event.starts ? 1U : ~0U;
    set[event.turn] = turn_depth > 0;
    active = active + (turn_depth > 0 ? 1 : 0) - (was_active ? 1 : 0);
  }
  return phases;
}

void add_set(TurnPhase& whole, const TurnPhase& part) {
  for (std::size_t turn = 0; turn < whole.turns.size(); ++turn)
    if (part.turns[turn]) whole.turns[turn] = true;
  whole.length_ns += part.length_ns;
}

// So that there are no more than kMostPhases once turns of one job are separated.
void join_all_but_the_longest(std::vector<TurnPhase>& sets, std::span<const TurnId> turn_begin) {
  const TurnPhase none{std::vector<bool>(turn_begin.back(), false), 0};
  TurnPhase all = none;
  std::vector<std::size_t> num_phases;
  for (const TurnPhase& set : sets) {
    num_phases.push_back(count_phases(set, turn_begin));
    add_set(all, set);
  }
  if (std::accumulate(num_phases.begin(), num_phases.end(), std::size_t{0}) <= kMostPhases) return;
  std::vector<std::size_t> order(sets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return sets[i].length_ns; });
  std::vector<bool> is_kept(sets.size(), false);
  std::size_t room = kMostPhases - count_phases(all, turn_begin);
  for (std::size_t i = 0; i < order.size() && num_phases[order[i]] <= room; ++i) {
    is_kept[order[i]] = true;
    room -= num_phases[order[i]];
  }
  TurnPhase rest = none;
  std::vector<TurnPhase> kept;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (is_kept[i]) {
      kept.push_back(std::move(sets[i]));
    } else {
      add_set(rest, sets[i]);
    }
  }
  kept.push_back(std::move(rest));
  sets = std::move(kept);
}

// The joined set may take more phases than there is room for: it stays one then.
std::vector<TurnPhase> separate_turns_of_all(std::vector<TurnPhase> sets, std::span<const TurnId> turn_begin) {
  std::vector<TurnPhase> phases;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::size_t still_to_come = sets.size() - i - 1;
    if (phases.size() + count_phases(sets[i], turn_begin) + still_to_come > kMostPhases) {
      phases.push_back(std::move(sets[i]));
      continue;
    }
    for (TurnPhase& phase : separate_turns(std::move(sets[i]), turn_begin)) phases.push_back(std::move(phase));
  }
  return phases;
}

bool is_within(const std::vector<bool>& part, const std::vector<bool>& whole) {
  for (std::size_t turn = 0; turn < part.size(); ++turn)
    if (part[turn] && !whole[turn]) return false;
  return true;
}

void drop_those_within_others(std::vector<TurnPhase>& phases) {
  for (std::size_t i = 0; i < phases.size();) {
    std::size_t whole = 0;
    while (whole < phases.size() && (whole == i || !is_within(phases[i].turns, phases[whole].turns))) ++whole;
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
  Calendar calendar(now, horizon_ns);
  std::vector<TurnId> turn_begin = {0};
  for (const JobTimes& job : jobs) {
    calendar.add(turn_begin.back(), job);
    turn_begin.push_back(turn_begin.back() + static_cast<TurnId>(job.turn_ns.size()));
  }
  Forecast forecast;
  forecast.starts = calendar.take_starts();
  std::vector<TurnPhase> sets = largest_sets(std::move(calendar).events(), turn_begin.back());
  join_all_but_the_longest(sets, turn_begin);
  forecast.phases = separate_turns_of_all(std::move(sets), turn_begin);
  drop_those_within_others(forecast.phases);
  return forecast;
}

}  // namespace spineweave
