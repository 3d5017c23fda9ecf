// Numbers that stand for many.
#pragma once

#include <vector>

namespace spineweave::report {

// The mean of the two in the middle where their number is even; 0 of none.
[[nodiscard]] double median(std::vector<double> values);

// Of those that are numbers; not a number where none is.
[[nodiscard]] double geometric_mean(const std::vector<double>& values);

}  // namespace spineweave::report
