#include "cli/bench/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave::bench {
namespace {

constexpr std::string_view kPaperFabric = "leaf-spine:leaves=64,spines=32,hosts=32,gbps=100";
constexpr std::string_view kPaperJobs = "paper:jobs=5,ring=4,seed=1";
constexpr std::string_view kPermutation = "permutation:seed=1";
constexpr std::string_view kFatTree = "fat-tree:k=64,gbps=400";
constexpr std::string_view kSmallFatTree = "fat-tree:k=8,gbps=400";
constexpr std::string_view kFaults = "random:5%,seed=1";
constexpr std::uint64_t kGigabyte = 1'000'000'000;

}  // namespace

std::string_view name_of(Operation operation) {
  switch (operation) {
    case Operation::score:
      return "score";
    case Operation::optimize:
      return "optimize";
    case Operation::repair:
      return "repair";
  }
  return "";
}

const std::vector<Case>& all_cases() {
  using enum Operation;
  static const std::vector<Case> cases = {
      {"score-paper", "score", score, kPaperFabric, "", kPaperJobs, true, 0},
      {"score-65k", "score", score, kFatTree, "", kPermutation, true, 0},
      {"paper", "paper", optimize, kPaperFabric, "", kPaperJobs, true, 0},
      {"flows-1k", kScaling, optimize, "fat-tree:k=16,gbps=400", "", kPermutation, false, 0},
      {"flows-2k", kScaling, optimize, "fat-tree:k=20,gbps=400", "", kPermutation, false, 0},
      {"flows-8k", kScaling, optimize, "fat-tree:k=32,gbps=400", "", kPermutation, false, 0},
      {"flows-16k", kScaling, optimize, "fat-tree:k=40,gbps=400", "", kPermutation, false, 0},
      {"flows-65k", kScaling, optimize, kFatTree, "", kPermutation, false, kGigabyte},
      {"flows-128k", kScaling, optimize, "fat-tree:k=80,gbps=400", "", kPermutation, false, kGigabyte},
      {"flows-265k", kScaling, optimize, "fat-tree:k=102,gbps=400", "", kPermutation, false, 2 * kGigabyte},
      {"flows-524k", kScaling, optimize, "fat-tree:k=128,gbps=400", "", kPermutation, false, 4 * kGigabyte},
      {"qps1", "faults", optimize, kFatTree, kFaults, "rings:jobs=1024,size=64,placement=random,seed=1", false,
       kGigabyte},
      {"qps4", "faults", optimize, kFatTree, kFaults, "rings:jobs=1024,size=64,placement=random,seed=1,qps=4", false,
       2 * kGigabyte},
      {"qps16", "faults", optimize, kFatTree, kFaults, "rings:jobs=1024,size=64,placement=random,seed=1,qps=16", false,
       4 * kGigabyte},
      {"link-down", "faults", repair, kFatTree, kFaults, "rings:jobs=1024,size=64,placement=random,seed=1", false,
       kGigabyte},
      {"small-score", kSmall, score, kSmallFatTree, "", kPermutation, true, 0},
      {"small-solve", kSmall, optimize, kSmallFatTree, kFaults, "rings:jobs=8,size=16,placement=random,seed=1", false,
       0},
      {"small-down", kSmall, repair, kSmallFatTree, kFaults, "rings:jobs=8,size=16,placement=random,seed=1", false, 0},
  };
  return cases;
}

std::vector<Case> choose_cases(std::string_view list) {
  const std::vector<Case>& cases = all_cases();
  std::vector<bool> chosen(cases.size(), false);
  for (std::size_t i = 0; i < cases.size(); ++i) chosen[i] = list.empty() && cases[i].group != kSmall;
  std::vector<std::string_view> names;
  for (const Case& item : cases)
    for (const std::string_view name : {item.group, item.name})
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);

  for (const std::string_view entry : list.empty() ? std::vector<std::string_view>() : util::split(list, ',')) {
    const std::string_view name = util::trim(entry);
    if (std::ranges::find(names, name) == names.end())
      throw Error(ErrorCode::usage, util::with_hint(fmt::format("--cases: unknown case '{}'; the cases and their "
                                                                "groups are {}",
                                                                name, fmt::join(names, ", ")),
                                                    name, names));
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (name == cases[i].name || name == cases[i].group) chosen[i] = true;
  }
  std::vector<Case> result;
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (chosen[i]) result.push_back(cases[i]);
  return result;
}

}  // namespace spineweave::bench
