#include "cuda_evaluator.hpp"

#include <algorithm>
#include <string>

#include "accumulate_loads.hpp"
#include "cuda_state.cuh"
#include "evaluate/backends.hpp"

namespace spineweave {
namespace gpu {
namespace {

// States that overlap: enough to fill a device with small searches, few enough to fit their loads.
constexpr std::uint32_t kOverlap = 8;

class CudaEvaluator final : public Evaluator {
 public:
  CudaEvaluator(std::shared_ptr<const Problem> problem, const Tuning& tuning, Capabilities capabilities)
      : problem_(std::move(problem)),
        device_problem_(std::make_shared<const DeviceProblem>(*problem_)),
        tuning_(tuning),
        capabilities_(std::move(capabilities)) {}

  const Problem& problem() const override { return *problem_; }
  const Capabilities& capabilities() const override { return capabilities_; }
  std::unique_ptr<SearchState> make_state() override {
    const DeviceScope device(device_problem_->device());
    return std::make_unique<CudaState>(device_problem_, tuning_);
  }

  void score_routings(std::span<const PathIndex> routings, std::span<Score> out) override {
    const ProblemView& view = device_problem_->view();
    check_routings_fill_scores(view.num_flows, routings, out);
    const DeviceScope device(device_problem_->device());
    const std::size_t places = device_problem_->num_places();
    const std::size_t bytes =
        places * sizeof(std::uint32_t) + view.num_flows * sizeof(PathIndex) + Scoreboard::bytes_per_routing(view);
    const std::size_t most = std::min(std::max<std::size_t>(1, out.size()), Scoreboard::most_routings(view));
    const std::size_t batch = std::clamp<std::size_t>(tuning_.batch_bytes / bytes, 1, most);
    const Stream stream;
    Scratch scratch;
    Scoreboard board(*device_problem_, static_cast<std::uint32_t>(batch), tuning_);
    DeviceBuffer<PathIndex> paths(batch * view.num_flows);
    DeviceBuffer<std::uint32_t> congestion(batch * places);
    for (std::size_t first = 0; first < out.size(); first += batch) {
      const std::size_t count = std::min(batch, out.size() - first);
      const auto count32 = static_cast<std::uint32_t>(count);
      paths.write(routings.subspan(first * view.num_flows, count * view.num_flows), stream.get());
      launch_accumulate_loads(view, paths.data(), count32, congestion.data(), tuning_, stream.get());
      board.work_out(paths.data(), congestion.data(), count32, scratch, stream.get());
      board.read(out.subspan(first, count), stream.get());
    }
  }

 private:
  std::shared_ptr<const Problem> problem_;
  std::shared_ptr<const DeviceProblem> device_problem_;
  Tuning tuning_;
  Capabilities capabilities_;
};

// Why the current device cannot be used, or nothing and its properties.
std::string find_obstacle(int& device, cudaDeviceProp& properties) {
  int devices = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaErrorInsufficientDriver) {
    (void)cudaGetLastError();
    return "there is no NVIDIA driver, or one too old for this build";
  }
  if (status == cudaSuccess && devices == 0) status = cudaErrorNoDevice;
  if (status == cudaSuccess) status = find_device_code();
  if (status == cudaSuccess) status = cudaGetDevice(&device);
  if (status == cudaSuccess) status = cudaGetDeviceProperties(&properties, device);
  if (status == cudaSuccess) return "";
  (void)cudaGetLastError();
  if (status == cudaErrorNoDevice) return "there is no CUDA device, or none is visible";
  if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorUnsupportedPtxVersion)
    return "this build holds no code for the device";
  return std::string("the CUDA runtime says: ") + cudaGetErrorString(status);
}

}  // namespace

std::unique_ptr<Evaluator> make_cuda_evaluator(std::shared_ptr<const Problem> problem, const Tuning& tuning) {
  Capabilities capabilities = cuda_capabilities();
  if (!capabilities.usable)
    throw Error(ErrorCode::backend_unavailable, "backend cuda cannot run here: " + capabilities.why_not);
  return std::make_unique<CudaEvaluator>(std::move(problem), tuning, std::move(capabilities));
}

}  // namespace gpu

Capabilities cuda_capabilities() {
  Capabilities capabilities;
  capabilities.name = "cuda";
  int device = 0;
  cudaDeviceProp properties{};
  capabilities.why_not = gpu::find_obstacle(device, properties);
  capabilities.usable = capabilities.why_not.empty();
  if (!capabilities.usable) return capabilities;
  capabilities.device = std::string(properties.name) + ", compute " + std::to_string(properties.major) + "." +
                        std::to_string(properties.minor) + ", " + std::to_string(properties.totalGlobalMem >> 20U) +
                        " MiB";
  capabilities.overlap = gpu::kOverlap;
  return capabilities;
}

std::unique_ptr<Evaluator> make_cuda_evaluator(std::shared_ptr<const Problem> problem) {
  return gpu::make_cuda_evaluator(std::move(problem), gpu::Tuning{});
}

}  // namespace spineweave
