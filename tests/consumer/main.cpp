// Uses every public header, and solves a small instance through them alone.
#include <cstdlib>
#include <iostream>
#include <memory>

#include "spineweave/assess.hpp"
#include "spineweave/document.hpp"
#include "spineweave/error.hpp"
#include "spineweave/evaluator.hpp"
#include "spineweave/fabric.hpp"
#include "spineweave/io.hpp"
#include "spineweave/optimize.hpp"
#include "spineweave/problem.hpp"
#include "spineweave/report.hpp"
#include "spineweave/routing.hpp"
#include "spineweave/workload.hpp"

int main() {
  using namespace spineweave;
  const auto fabric = std::make_shared<const Fabric>(build_fabric("leaf-spine:leaves=4,spines=4,hosts=4,gbps=100"));
  const auto workload = std::make_shared<const Workload>(build_workload(*fabric, "permutation:seed=1"));
  const auto problem = std::make_shared<const Problem>(fabric, workload);
  const auto evaluator = make_evaluator(problem);

  Report report;
  report.problem = problem.get();
  report.run.solver = name_of(Solver::weave);
  report.result.solution = solve(*evaluator, {});
  report.result.assessment = assess(*problem, report.result.solution.routing);
  std::cout << write_json(report_document(report));
  return report.result.solution.certificate.max_proved ? EXIT_SUCCESS : EXIT_FAILURE;
}
