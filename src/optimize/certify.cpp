#include <algorithm>

#include "spineweave/optimize.hpp"

namespace spineweave {

Certificate certify(const Score& score, const Bounds& bounds) {
  Certificate certificate;
  for (std::size_t i = 0; i < score.normalised.size(); ++i)
    if (score.normalised[i] == bounds.vector[i]) ++certificate.jobs_at_bound;
  certificate.vector_proved = score.normalised == bounds.vector;
  certificate.max_proved = score.normalised.empty() || score.normalised.front() == bounds.vector.front();
  if (!certificate.max_proved && bounds.vector.front() > 0)
    certificate.gap = static_cast<double>(score.normalised.front()) / static_cast<double>(bounds.vector.front()) - 1.0;
  return certificate;
}

}  // namespace spineweave
