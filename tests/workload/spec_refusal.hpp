// What a spec that must be refused is told.
#pragma once

#include <string>
#include <string_view>

#include "spineweave/workload.hpp"
#include "support/error_text.hpp"

namespace spineweave::test {

inline std::string refusal(const Fabric& fabric, std::string_view spec) {
  return error_text(ErrorCode::usage, [&] { (void)build_workload(fabric, spec); });
}

}  // namespace spineweave::test
