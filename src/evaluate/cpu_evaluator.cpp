// The CPU backend.
#include <fmt/format.h>

#include "evaluate/backends.hpp"
#include "evaluate/cpu_state.hpp"
#include "evaluate/instruction_set.hpp"
#include "evaluate/processor_name.hpp"
#include "spineweave/error.hpp"
#include "spineweave/threads.hpp"
#include "util/parallel.hpp"

namespace spineweave {
namespace {

Capabilities describe(const KernelChoice& choice) {
  Capabilities capabilities;
  capabilities.name = "cpu";
  capabilities.usable = choice.kernels != nullptr;
  capabilities.why_not = choice.why_not;
  if (capabilities.usable) capabilities.device = fmt::format("{}, {}", processor_name(), choice.kernels->name);
  capabilities.overlap = hardware_threads();
  return capabilities;
}

class CpuEvaluator final : public Evaluator {
 public:
  CpuEvaluator(std::shared_ptr<const Problem> problem, const KernelChoice& choice)
      : capabilities_(describe(choice)), shared_(std::make_shared<CpuProblem>(std::move(problem), *choice.kernels)) {}

  const Problem& problem() const override { return shared_->problem(); }
  const Capabilities& capabilities() const override { return capabilities_; }
  std::unique_ptr<SearchState> make_state() override { return std::make_unique<CpuState>(shared_); }

  void score_routings(std::span<const PathIndex> routings, std::span<Score> out) override {
    const std::size_t flows = problem().num_flows();
    check_routings_fill_scores(problem().num_flows(), routings, out);
    // A state costs more to make than a routing to score: chunks of several where there are many.
    const std::size_t chunk = out.size() < kManyRoutings ? 1 : kRoutingChunk;
    util::parallel_chunks(out.size(), chunk, [&](std::size_t begin, std::size_t end) {
      CpuState state(shared_);
      for (std::size_t k = begin; k < end; ++k) {
        state.assign(routings.subspan(k * flows, flows));
        out[k] = state.score({});
      }
    });
  }

 private:
  static constexpr std::size_t kRoutingChunk = 8, kManyRoutings = 256;

  Capabilities capabilities_;
  std::shared_ptr<CpuProblem> shared_;
};

}  // namespace

Capabilities cpu_capabilities() { return describe(choose_kernels()); }

std::unique_ptr<Evaluator> make_cpu_evaluator(std::shared_ptr<const Problem> problem) {
  const KernelChoice choice = choose_kernels();
  if (choice.kernels == nullptr) throw Error(ErrorCode::backend_unavailable, choice.why_not);
  return std::make_unique<CpuEvaluator>(std::move(problem), choice);
}

}  // namespace spineweave
