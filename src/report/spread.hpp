// The middle and the ends of many values.
#pragma once

#include "spineweave/report.hpp"

namespace spineweave::report {

// By nearest rank: each is a value that some routing has.
struct Spread {
  double best = 0, tenth = 0, median = 0, ninetieth = 0, worst = 0;
};

[[nodiscard]] Spread worst_job_spread(const RankingReport& report);     // N of the worst job
[[nodiscard]] Spread fullest_link_spread(const RankingReport& report);  // demand over capacity

// N of the job in the middle; the worse of the two where their number is even.
[[nodiscard]] double median_job(const Score& score);

}  // namespace spineweave::report
