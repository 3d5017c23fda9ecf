// What most tests of the program run on: 16 endpoints, four rings of four.
#pragma once

#include <string>

namespace spineweave::test {

inline const std::string kFabric = "leaf-spine:leaves=4,spines=2,hosts=4,gbps=100";
inline const std::string kJobs = "rings:jobs=4,size=4,placement=random,seed=1";

}  // namespace spineweave::test
