#include "report/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace spineweave::report {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

double geometric_mean(const std::vector<double>& values) {
  double logs = 0, count = 0;
  for (const double value : values)
    if (!std::isnan(value)) logs += std::log(value), ++count;
  return std::exp(logs / count);
}

}  // namespace spineweave::report
