// A small report to look at: two leaves, two spines, jobs that share the uplinks.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "spineweave/document.hpp"
#include "spineweave/report.hpp"
#include "util/text.hpp"

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

namespace fixture {

constexpr std::uint64_t kGbps100 = 100'000'000'000;

inline Fabric two_by_two(std::uint32_t hosts, const std::string& leaf_name) {
  FabricBuilder builder;
  const auto a = builder.add_switch(leaf_name, 1);
  const auto b = builder.add_switch("zleaf-b", 1);
  for (const char* spine : {"spine-0", "spine-1"}) {
    const auto handle = builder.add_switch(spine, 2);
    builder.add_cable(a, handle, kGbps100);
    builder.add_cable(b, handle, kGbps100);
  }
  for (std::uint32_t h = 0; h < hosts; ++h) {
    builder.add_cable(builder.add_endpoint(fmt::format("a-{}", h)), a, kGbps100);
    builder.add_cable(builder.add_endpoint(fmt::format("b-{}", h)), b, kGbps100);
  }
  return builder.finish();
}

// Each flow's live candidate whose number is given, counted from its first live one.
template <class Choose>
Routing choose_paths(const Problem& problem, Choose&& choose) {
  Routing routing;
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    std::vector<PathIndex> live;
    for (PathIndex path = 0; path < problem.num_paths(flow); ++path)
      if (problem.is_alive(flow, path)) live.push_back(path);
    routing.push_back(live[choose(flow) % live.size()]);
  }
  return routing;
}

inline Result rate(Evaluator& evaluator, Routing routing) {
  Result result;
  result.solution = rate_routing(evaluator, std::move(routing));
  result.assessment = assess(evaluator.problem(), result.solution.routing);
  return result;
}

}  // namespace fixture

// The baseline always piles all flows on the first spine; the result spreads them by turns.
[[nodiscard]] inline SmallRun small_run(const SmallRunOptions& options = {}) {
  Fabric whole = fixture::two_by_two(options.num_jobs, options.leaf_name);
  auto fabric =
      std::make_shared<const Fabric>(options.down.empty() ? std::move(whole) : with_faults(whole, options.down));
  auto workload = std::make_shared<Workload>();
  for (std::uint32_t j = 0; j < options.num_jobs; ++j) {
    Job job;
    job.id = options.job_prefix + fmt::to_string(j);
    job.collectives.push_back({CollectiveKind::ring_allreduce,
                               1,
                               1'000'000,
                               {*fabric->find(fmt::format("a-{}", j)), *fabric->find(fmt::format("b-{}", j))}});
    workload->jobs.push_back(std::move(job));
  }
  SmallRun run;
  run.problem = std::make_shared<const Problem>(fabric, workload);
  const auto evaluator = make_evaluator(run.problem, "cpu");
  const Routing piled = fixture::choose_paths(*run.problem, [](FlowId) { return 0U; });
  const Routing spread =
      fixture::choose_paths(*run.problem, [&](FlowId flow) { return run.problem->flows()[flow].job; });
  run.report.problem = run.problem.get();
  run.report.run = {"weave", "cpu", "test device", "two leaves", "pairs", 2, 7, 1.0, 2.0, 3.0};
  run.report.result = fixture::rate(*evaluator, options.pile_up ? piled : spread);
  run.report.has_baseline = true;
  run.report.baseline_name = "ecmp";
  run.report.baseline = fixture::rate(*evaluator, piled);
  return run;
}

// The value at "key.key.0.key", or null (with a failed expectation).
[[nodiscard]] inline const Document* at(const Document& document, std::string_view path) {
  const Document* current = &document;
  for (const std::string_view part : util::split(path, '.')) {
    const Document* next = nullptr;
    if (const auto* object = std::get_if<Document::Object>(&current->value())) {
      for (const auto& [key, value] : *object)
        if (key == part) next = &value;
    } else if (const auto* array = std::get_if<Document::Array>(&current->value())) {
      const auto index = util::parse_unsigned(part);
      if (index && *index < array->size()) next = &(*array)[*index];
    }
    EXPECT_NE(next, nullptr) << "nothing at " << path;
    if (next == nullptr) return nullptr;
    current = next;
  }
  return current;
}

[[nodiscard]] inline double number_at(const Document& document, std::string_view path) {
  const Document* found = at(document, path);
  if (found == nullptr) return -1;
  if (const auto* real = std::get_if<double>(&found->value())) return *real;
  if (const auto* whole = std::get_if<std::uint64_t>(&found->value())) return static_cast<double>(*whole);
  ADD_FAILURE() << path << " is no number";
  return -1;
}

[[nodiscard]] inline std::string text_at(const Document& document, std::string_view path) {
  const Document* found = at(document, path);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  EXPECT_NE(text, nullptr) << path << " is no text";
  return text == nullptr ? std::string() : *text;
}

[[nodiscard]] inline std::vector<std::string> keys_of(const Document& document) {
  std::vector<std::string> keys;
  if (const auto* object = std::get_if<Document::Object>(&document.value()))
    for (const auto& [key, value] : *object) keys.push_back(key);
  return keys;
}

// Lines of a text, without the escape sequences of colours.
[[nodiscard]] inline std::vector<std::string> plain_lines(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      plain += text[i];
    }
  }
  std::vector<std::string> lines;
  for (const std::string_view line : util::split(plain, '\n')) lines.emplace_back(line);
  return lines;
}

}  // namespace spineweave::test
