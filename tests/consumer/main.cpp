// Routes the five jobs of the paper over a leaf-spine fabric, through the library alone.
#include <iostream>
#include <memory>

#include "spineweave/evaluator.hpp"
#include "spineweave/fabric.hpp"
#include "spineweave/optimize.hpp"
#include "spineweave/problem.hpp"
#include "spineweave/workload.hpp"

int main() {
  using namespace spineweave;
  const auto fabric = std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=64,spines=32,hosts=32,gbps=100"));
  const auto jobs = std::make_shared<const Workload>(build_workload(*fabric, "paper:jobs=5,ring=4,seed=1"));
  const auto evaluator = make_evaluator(std::make_shared<const Problem>(fabric, jobs));

  const Solution solution = solve(*evaluator, {.solver = Solver::weave, .seed = 1});

  constexpr double one = 1U << kNormalBits;
  std::cout << "worst job: bottleneck " << static_cast<double>(solution.score.normalised.front()) / one
            << " times the one it has alone; no routing can go below "
            << static_cast<double>(solution.bounds.vector.front()) / one << "\n"
            << "certificate: " << (solution.certificate.max_proved ? "worst job proved optimal" : "open") << "\n";
}
