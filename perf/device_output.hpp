// What was measured, as a table for people and as JSON.
#pragma once

#include <string>
#include <vector>

#include "perf/device_measure.hpp"
#include "perf/device_side.hpp"
#include "spineweave/document.hpp"

namespace spineweave::perf {

struct Run {
  std::string commit;
  std::uint32_t repetitions = 0;
  bool has_device = false;
  DeviceInfo device;
  Ceilings ceilings;
  std::vector<CaseResult> cases;
};

[[nodiscard]] std::string run_text(const Run& run);
// spineweave.device-bench/1
[[nodiscard]] Document run_document(const Run& run);

}  // namespace spineweave::perf
