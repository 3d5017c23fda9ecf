// The paper's job files (arXiv 2503.05324), where they lie beside the repository.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "spineweave/io.hpp"
#include "spineweave/problem.hpp"
#include "support/shared_files.hpp"

namespace spineweave::test {

// The highest-numbered `count` spines.
inline std::string spines_down(int count) {
  std::string list;
  for (int i = 0; i < count; ++i) list += fmt::format("{}spine:{}", i == 0 ? "" : ",", 31 - i);
  return list;
}

class PaperWorkloads : public testing::Test {
 protected:
  void SetUp() override {
    const auto root = shared_path("workloads/paper");
    if (!root) GTEST_SKIP() << "the paper's workloads are not beside the repository";
    root_ = *root;
    fabric_ = std::make_shared<Fabric>(read_fabric(root_ + "/topology.properties"));
  }

  [[nodiscard]] std::vector<std::string> folders() const {
    std::vector<std::string> folders;
    for (const auto& jobs : std::filesystem::directory_iterator(root_))
      if (jobs.is_directory())
        for (const auto& rings : std::filesystem::directory_iterator(jobs)) folders.push_back(rings.path().string());
    std::sort(folders.begin(), folders.end());
    return folders;
  }

  [[nodiscard]] std::shared_ptr<const Problem> problem(const std::string& folder, const std::string& faults = "",
                                                       std::uint32_t qps = 1,
                                                       const ProblemOptions& options = {}) const {
    const auto fabric = faults.empty() ? fabric_ : std::make_shared<const Fabric>(with_faults(*fabric_, faults));
    Workload workload = read_workload(*fabric, folder);
    for (Job& job : workload.jobs)
      for (Collective& collective : job.collectives) collective.qps = qps;
    return std::make_shared<Problem>(fabric, std::make_shared<const Workload>(std::move(workload)), options);
  }

  std::string root_;
  std::shared_ptr<const Fabric> fabric_;
};

}  // namespace spineweave::test
