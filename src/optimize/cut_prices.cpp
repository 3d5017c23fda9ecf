#include "optimize/cut_prices.hpp"

#include <algorithm>
#include <limits>

#include "util/parallel.hpp"

namespace spineweave {
namespace {

constexpr std::uint32_t kProofSteps = 120;
constexpr std::int64_t kShrink = 5;  // all steps together shorten a step by about e^-5
constexpr std::size_t kMostLevels = 12;
constexpr std::size_t kJobChunk = 32;
constexpr auto kWhole = static_cast<std::int64_t>(CutShares::kFull);
constexpr std::int64_t kJobPrice = std::int64_t{1} << 16U;  // of a whole cut, if harming one job is worth it
constexpr std::int64_t kMostPrice = 4096 * kJobPrice;
constexpr std::int64_t kMostOver = 8;     // cuts: a level that carries nothing would count for more
constexpr std::int64_t kTypicalCuts = 8;  // that make a job's choice
constexpr std::int64_t kUnreachable = std::numeric_limits<std::int64_t>::max();

// The price of a cut at which no job's cost passes 2^62, whatever its entries.
std::int64_t most_price(const Problem& problem, const CutShares& shares) {
  std::size_t most_entries = 1;
  for (JobId job = 0; job < problem.num_jobs(); ++job)
    most_entries = std::max(most_entries, shares.entries_of(job).size());
  return std::min(kMostPrice, (std::int64_t{1} << 61U) / (2 * kWhole) / static_cast<std::int64_t>(most_entries));
}

}  // namespace

CutPrices::CutPrices(const Problem& problem, const CutShares& shares, std::uint64_t worst)
    : problem_(problem), shares_(shares), most_price_(most_price(problem, shares)), prices_(shares.num_cuts(), 0) {
  add_level(worst + 1);
}

void CutPrices::add_level(std::uint64_t level) {
  std::vector<std::uint32_t> added;
  added.reserve(shares_.entries().size());
  for (JobId job = 0; job < problem_.num_jobs(); ++job) {
    const std::uint64_t congestion = problem_.denormalise(job, level - 1);
    for (const CutShares::Entry& entry : shares_.entries_of(job))
      added.push_back(static_cast<std::uint32_t>(shares_.share(entry, congestion)));
  }
  levels_.push_back(level);
  shares_at_.push_back(std::move(added));
}

// About the price at which a job's choice between the last two levels turns.
std::int64_t CutPrices::first_step() const {
  const std::vector<std::uint32_t>& low = shares_at_[shares_at_.size() - 1];
  const std::vector<std::uint32_t>& high = shares_at_[shares_at_.size() - 2];
  std::int64_t saved = 0;
  for (std::size_t i = 0; i < low.size(); ++i) saved += std::int64_t{low[i]} - high[i];
  const std::int64_t average = std::max<std::int64_t>(1, saved / std::max<std::int64_t>(1, std::ssize(low)));
  return std::clamp<std::int64_t>(kJobPrice * kWhole / (kTypicalCuts * average), 1, most_price_ / 4);
}

std::uint32_t CutPrices::least_above(std::span<const Range> ranges, std::span<const std::uint32_t> counts,
                                     std::uint32_t steps) {
  std::vector<std::int64_t> count_prices(counts.size(), 0);
  Wide best = 0;
  const std::int64_t first = first_step();
  std::int64_t step = first;
  for (std::uint32_t i = 0; i < steps; ++i, step -= step * kShrink / steps) {
    const Choices choices = choose(ranges, count_prices);
    Wide value = choices.cost;
    for (const std::int64_t price : prices_) value -= Wide{price} * kWhole;
    for (std::size_t level = 0; level < counts.size(); ++level)
      value -= Wide{count_prices[level]} * counts[level] * kWhole;
    best = std::max(best, value);
    for (std::size_t cut = 0; cut < prices_.size(); ++cut) {
      const std::int64_t over = std::min(choices.used[cut] - kWhole, kMostOver * kWhole);
      prices_[cut] = std::clamp<std::int64_t>(prices_[cut] + step * over / kWhole, 0, most_price_);
    }
    for (std::size_t level = 0; level < counts.size(); ++level) {
      const std::int64_t over = choices.above[level] - counts[level];
      const std::int64_t by = kJobPrice * step / first / 2 * over / std::ssize(ranges);
      count_prices[level] = std::clamp<std::int64_t>(count_prices[level] + by, 0, kMostPrice);
    }
  }
  const Wide job = Wide{kJobPrice} * kWhole;
  return static_cast<std::uint32_t>((best + job - 1) / job);
}

CutPrices::Choices CutPrices::choose(std::span<const Range> ranges, std::span<const std::int64_t> count_prices) const {
  std::vector<Choices> partial((ranges.size() + kJobChunk - 1) / kJobChunk);
  util::parallel_chunks(ranges.size(), kJobChunk, [&](std::size_t begin, std::size_t end) {
    Choices& choices = partial[begin / kJobChunk];
    choices.used.assign(prices_.size(), 0);
    choices.above.assign(count_prices.size(), 0);
    for (std::size_t job = begin; job < end; ++job)
      choose_for(static_cast<JobId>(job), ranges[job], count_prices, choices);
  });
  Choices all;
  all.used.assign(prices_.size(), 0);
  all.above.assign(count_prices.size(), 0);
  for (const Choices& choices : partial) {
    all.cost += choices.cost;
    for (std::size_t cut = 0; cut < all.used.size(); ++cut) all.used[cut] += choices.used[cut];
    for (std::size_t level = 0; level < all.above.size(); ++level) all.above[level] += choices.above[level];
  }
  return all;
}

// The cheapest level in range: all but the last cost the job's harm, and the prices of limited counts.
void CutPrices::choose_for(JobId job, Range range, std::span<const std::int64_t> count_prices, Choices& choices) const {
  const std::span<const CutShares::Entry> entries = shares_.entries_of(job);
  const std::uint32_t first = shares_.first_entry(job);
  const auto last = static_cast<std::uint32_t>(levels_.size() - 1);
  std::size_t cheapest = range.last;
  std::int64_t least = kUnreachable;
  std::int64_t surcharge = 0;
  for (std::uint32_t level = last + 1; level-- > range.first;) {
    if (level + 1 == last) surcharge += kJobPrice * kWhole;
    if (level < count_prices.size()) surcharge += count_prices[level] * kWhole;
    if (level > range.last) continue;
    std::int64_t cost = surcharge;
    for (std::size_t i = 0; i < entries.size(); ++i) cost += prices_[entries[i].cut] * shares_at_[level][first + i];
    if (cost < least) least = cost, cheapest = level;
  }
  choices.cost += least;
  for (std::size_t i = 0; i < entries.size(); ++i) choices.used[entries[i].cut] += shares_at_[cheapest][first + i];
  for (std::size_t level = cheapest; level < choices.above.size(); ++level) ++choices.above[level];
}

std::int64_t CutPrices::price_of_last(JobId job) const {
  const std::span<const CutShares::Entry> entries = shares_.entries_of(job);
  const std::uint32_t first = shares_.first_entry(job);
  const std::vector<std::uint32_t>& low = shares_at_[shares_at_.size() - 1];
  const std::vector<std::uint32_t>& high = shares_at_[shares_at_.size() - 2];
  std::int64_t price = 0;
  for (std::size_t i = 0; i < entries.size(); ++i)
    price += prices_[entries[i].cut] * (std::int64_t{low[first + i]} - high[first + i]);
  return price;
}

void raise_by_prices(const Problem& problem, std::span<const std::uint64_t> normalised, Bounds& bounds) {
  if (normalised.empty() || normalised.front() != bounds.vector.front()) return;  // the worst job is open
  const CutShares shares(problem);
  CutPrices prices(problem, shares, normalised.front());
  std::vector<std::uint32_t> counts;
  const std::uint64_t trivial = *std::ranges::min_element(bounds.per_job);
  std::uint64_t before = 0;
  for (const std::uint64_t level : normalised) {
    if (level == before) continue;
    before = level;
    if (level <= trivial || counts.size() == kMostLevels) return;
    prices.add_level(level);
    std::vector<CutPrices::Range> ranges(problem.num_jobs());
    for (JobId job = 0; job < ranges.size(); ++job)
      while (ranges[job].last + 1 < prices.levels().size() &&
             bounds.per_job[job] < prices.levels()[ranges[job].last + 1])
        ++ranges[job].last;
    const auto known = static_cast<std::uint32_t>(
        std::ranges::count_if(bounds.vector, [&](std::uint64_t bound) { return bound >= level; }));
    const std::uint32_t least = std::max(known, prices.least_above(ranges, counts, kProofSteps));
    for (std::uint32_t i = known; i < std::min<std::size_t>(least, bounds.vector.size()); ++i) bounds.vector[i] = level;
    counts.push_back(least);
  }
}

}  // namespace spineweave
