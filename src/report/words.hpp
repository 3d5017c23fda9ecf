// What a report says in sentences: the verdict, the certificate, and what the reader should know.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spineweave/report.hpp"

namespace spineweave::report {

// "ECMP" for "ecmp"; other solvers as they are.
[[nodiscard]] std::string display_name(std::string_view solver);

// One line: how well the jobs run, how sure that is, and what the baseline would do to them.
[[nodiscard]] std::string verdict(const Report& report);

// "certified optimal" where the whole vector is proved and nowhere else; "worst job proved optimal";
// "open, gap 12.5 %".
[[nodiscard]] std::string certificate_words(const Certificate& certificate);
// What the words mean here, in full sentences with numbers.
[[nodiscard]] std::string explain_certificate(const Problem& problem, const Solution& solution);

// "13 of 65,536 flows moved, 2 of them because their path was lost"
[[nodiscard]] std::string warm_start_words(const Problem& problem, const Solution& solution);

// "weave on cpu (the device), 2 threads, seed 1"
[[nodiscard]] std::string describe(const RunInfo& run);

// As --weights takes it: "demand", "equal", "hash:1-100".
[[nodiscard]] std::string weights_name(const ProblemOptions& options);

// Where the problem is less than the input: capped path sets, rounded weights.
[[nodiscard]] std::vector<std::string> limits(const Problem& problem);
// What the reader of a result should know: links that are down, findings of the fabric and the jobs,
// limits.
[[nodiscard]] std::vector<std::string> notes(const Problem& problem);
// "3 unnamed adapters: a, b, c"
[[nodiscard]] std::string describe(const Finding& finding, std::size_t most_names);

}  // namespace spineweave::report
