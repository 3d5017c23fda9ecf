// What --routings takes: a file, a folder of routing files, or a spec.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spineweave/rank.hpp"

namespace spineweave::cli {

class RoutingsOption {
 public:
  // Throws Error{usage} for a spec that cannot be understood; files are not opened yet.
  explicit RoutingsOption(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  // `findings` gets what is odd about a folder. The problem must outlive the source.
  [[nodiscard]] RoutingSource load(const Problem& problem, std::vector<Finding>& findings) const;

 private:
  std::string text_;
  std::optional<EcmpSeeds> seeds_;
};

}  // namespace spineweave::cli
