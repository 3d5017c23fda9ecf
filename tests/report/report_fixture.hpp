// A small report to look at: two leaves, two spines, jobs that share the uplinks.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spineweave/document.hpp"
#include "spineweave/report.hpp"

namespace spineweave::test {

struct SmallRun {
  std::shared_ptr<const Problem> problem;
  Report report;
};

struct SmallRunOptions {
  std::uint32_t num_jobs = 2;       // each one flow from leaf a to leaf b and one back
  std::string job_prefix = "job-";  // ids are the prefix and a number
  std::string leaf_name = "leaf-a";
  std::string down = {};  // faults, as with_faults reads them
  bool pile_up = false;   // the result puts all flows on the first spine
};

// The baseline always piles all flows on the first spine; the result spreads them by turns.
[[nodiscard]] SmallRun small_run(const SmallRunOptions& options = {});

// The value at "key.key.0.key", or null (with a failed expectation).
[[nodiscard]] const Document* at(const Document& document, std::string_view path);
[[nodiscard]] double number_at(const Document& document, std::string_view path);
[[nodiscard]] std::string text_at(const Document& document, std::string_view path);
[[nodiscard]] std::vector<std::string> keys_of(const Document& document);

// Lines of a text, without the escape sequences of colours.
[[nodiscard]] std::vector<std::string> plain_lines(std::string_view text);

}  // namespace spineweave::test
