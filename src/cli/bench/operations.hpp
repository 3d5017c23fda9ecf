// What the cases do, each into the result of its recorder. Where it is stopped, the result is not whole.
#pragma once

#include <memory>
#include <string_view>

#include "cli/bench/recorder.hpp"
#include "spineweave/assess.hpp"

namespace spineweave::bench {

void score(Recorder& recorder);     // steps: score
void optimize(Recorder& recorder);  // steps: load, build, solve, assess, whole
void repair(Recorder& recorder);    // steps: match, repair, afresh

// From the case's specs.
[[nodiscard]] Fabric make_fabric(const Case& subject);
[[nodiscard]] std::shared_ptr<const Problem> make_problem(Fabric fabric, std::string_view jobs);

[[nodiscard]] Instance describe(const Problem& problem);
[[nodiscard]] Quality describe(const Solution& solution, const Assessment& assessment);

}  // namespace spineweave::bench
