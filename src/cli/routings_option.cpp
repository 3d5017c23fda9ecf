#include "cli/routings_option.hpp"

#include <utility>

#include "io/formats.hpp"
#include "spineweave/io.hpp"

namespace spineweave::cli {

RoutingsOption::RoutingsOption(std::string text) : text_(std::move(text)) {
  if (is_routings_spec(text_)) seeds_ = parse_ecmp_seeds(text_);
}

RoutingSource RoutingsOption::load(const Problem& problem, std::vector<Finding>& findings) const {
  if (seeds_) return ecmp_routings(problem, *seeds_);
  RoutingSetFile file = read_routings(text_);
  findings = std::move(file.findings);
  return io::naming_file(text_, [&] { return resolve_routings(problem, std::move(file)); });
}

}  // namespace spineweave::cli
