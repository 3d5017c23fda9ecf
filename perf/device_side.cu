#include "device_side.hpp"

#include <algorithm>
#include <numeric>

#include "accumulate_loads.hpp"
#include "check.hpp"
#include "evaluate/backends.hpp"
#include "score_candidates.hpp"
#include "scoreboard.cuh"
#include "warp.cuh"

namespace spineweave::perf {
namespace {

using gpu::DeviceBuffer;
using gpu::Stream;

constexpr unsigned kBlock = 256;
constexpr unsigned kWords = 1024;  // of 16 bytes, in a block's shared memory
constexpr unsigned kReads = 4096;  // of a thread
constexpr std::size_t kCopyBytes = std::size_t{1} << 30U;

__global__ void __launch_bounds__(kBlock)
    copy_words_kernel(const uint4* __restrict__ from, uint4* __restrict__ to, std::size_t count) {
  for (std::size_t at = blockIdx.x * std::size_t{kBlock} + threadIdx.x; at < count;
       at += std::size_t{gridDim.x} * kBlock)
    to[at] = from[at];
}

// `step` comes from outside, so that the compiler cannot know that the same words come around again.
__global__ void __launch_bounds__(kBlock) read_shared_kernel(unsigned step, std::uint32_t* sums) {
  SPINEWEAVE_SHARED_ARRAY(uint4, words, kWords);
  for (unsigned at = threadIdx.x; at < kWords; at += kBlock) words[at] = make_uint4(at, 1, 2, 3);
  __syncthreads();
  std::uint32_t sum = 0;
  unsigned at = threadIdx.x;
#pragma unroll 8
  for (unsigned i = 0; i < kReads; ++i) {
    const uint4 word = words[at];
    sum += word.x ^ word.y ^ word.z ^ word.w;
    at = (at + step) % kWords;
  }
  sums[blockIdx.x * kBlock + threadIdx.x] = sum;
}

std::uint32_t expected_sum(unsigned thread, unsigned step) {
  std::uint32_t sum = 0;
  for (unsigned i = 0, at = thread; i < kReads; ++i, at = (at + step) % kWords) sum += at ^ 1U ^ 2U ^ 3U;
  return sum;
}

class Event {
 public:
  Event() { SPINEWEAVE_CUDA_CHECK(cudaEventCreate(&event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() {
    if (cudaEventDestroy(event_) != cudaSuccess) (void)cudaGetLastError();
  }
  void record(const Stream& stream) { SPINEWEAVE_CUDA_CHECK(cudaEventRecord(event_, stream.get())); }
  [[nodiscard]] double us_since(const Event& start) const {
    SPINEWEAVE_CUDA_CHECK(cudaEventSynchronize(event_));
    float ms = 0;
    SPINEWEAVE_CUDA_CHECK(cudaEventElapsedTime(&ms, start.event_, event_));
    return double{ms} * 1000;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// The first call warms up and is not timed.
template <class Body>
std::vector<double> time_on(const Stream& stream, std::uint32_t repetitions, const Body& body) {
  body();
  stream.wait();
  Event start, stop;
  std::vector<double> us;
  for (std::uint32_t i = 0; i < repetitions; ++i) {
    start.record(stream);
    body();
    stop.record(stream);
    us.push_back(stop.us_since(start));
  }
  return us;
}

std::vector<double> bytes_a_second(double bytes, std::vector<double> us) {
  for (double& each : us) each = bytes / (each * 1e-6);
  return us;
}

cudaDeviceProp properties() {
  int device = 0;
  cudaDeviceProp found;
  SPINEWEAVE_CUDA_CHECK(cudaGetDevice(&device));
  SPINEWEAVE_CUDA_CHECK(cudaGetDeviceProperties(&found, device));
  return found;
}

std::string dotted(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

std::vector<double> measure_copy(std::uint32_t repetitions) {
  const std::size_t bytes = std::min(kCopyBytes, properties().totalGlobalMem / 8);
  const std::size_t count = bytes / sizeof(uint4);
  const Stream stream;
  DeviceBuffer<uint4> from(count), to(count);
  from.fill_bytes(0x5a, stream.get()), to.fill_bytes(0, stream.get());
  const dim3 grid(static_cast<unsigned>(properties().multiProcessorCount) * 16);
  auto us = time_on(stream, repetitions, [&] {
    SPINEWEAVE_CUDA_CHECK(
        gpu::launch({grid, kBlock, 0, stream.get()}, copy_words_kernel, from.data(), to.data(), count));
  });
  uint4 last{};
  SPINEWEAVE_CUDA_CHECK(cudaMemcpy(&last, to.data() + count - 1, sizeof(last), cudaMemcpyDeviceToHost));
  if (last.x != 0x5a5a5a5aU || last.w != 0x5a5a5a5aU)
    throw Error(ErrorCode::internal, "the copy that measures the memory's bandwidth arrived wrong");
  return bytes_a_second(2.0 * static_cast<double>(count * sizeof(uint4)), std::move(us));
}

std::vector<double> measure_shared(std::uint32_t repetitions) {
  constexpr unsigned kStep = kBlock;
  const unsigned blocks = static_cast<unsigned>(properties().multiProcessorCount) * 32;
  const Stream stream;
  DeviceBuffer<std::uint32_t> sums(std::size_t{blocks} * kBlock);
  auto us = time_on(stream, repetitions, [&] {
    SPINEWEAVE_CUDA_CHECK(gpu::launch({dim3(blocks), kBlock, 0, stream.get()}, read_shared_kernel, kStep, sums.data()));
  });
  std::vector<std::uint32_t> read(sums.size());
  sums.read(read, stream.get());
  stream.wait();
  for (std::size_t i = 0; i < read.size(); i += kBlock + 1)
    if (read[i] != expected_sum(i % kBlock, kStep))
      throw Error(ErrorCode::internal, "the reads that measure shared memory's bandwidth arrived wrong");
  return bytes_a_second(static_cast<double>(std::uint64_t{blocks} * kBlock * kReads * sizeof(uint4)), std::move(us));
}

}  // namespace

DeviceInfo describe_device() {
  const Capabilities capabilities = cuda_capabilities();
  if (!capabilities.usable) throw Error(ErrorCode::backend_unavailable, "no CUDA device: " + capabilities.why_not);
  const cudaDeviceProp found = properties();
  int driver = 0, runtime = 0;
  SPINEWEAVE_CUDA_CHECK(cudaDriverGetVersion(&driver));
  SPINEWEAVE_CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  DeviceInfo info;
  info.name = found.name;
  info.compute = std::to_string(found.major) + "." + std::to_string(found.minor);
  info.driver = dotted(driver), info.runtime = dotted(runtime);
  info.compiler = "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__) + "." +
                  std::to_string(__CUDACC_VER_BUILD__);
  info.multiprocessors = static_cast<std::uint32_t>(found.multiProcessorCount);
  info.memory_bytes = found.totalGlobalMem, info.cache_bytes = static_cast<std::uint64_t>(found.l2CacheSize);
  return info;
}

Ceilings measure_ceilings(std::uint32_t repetitions) {
  return {measure_copy(repetitions), measure_shared(repetitions)};
}

TimedScoring time_scoring(const Problem& problem, const Routing& routing, unsigned block, std::uint32_t repetitions) {
  const gpu::DeviceProblem on_device(problem);
  const Stream stream;
  gpu::Tuning tuning;
  tuning.block = block;
  std::vector<FlowId> ids(problem.num_flows());
  std::iota(ids.begin(), ids.end(), 0U);
  const DeviceBuffer<FlowId> flows(std::span<const FlowId>(ids), stream.get());
  const DeviceBuffer<PathIndex> paths(std::span<const PathIndex>(routing), stream.get());
  DeviceBuffer<std::uint32_t> congestion(on_device.num_places());
  DeviceBuffer<BestMove> moves(ids.size());
  gpu::launch_accumulate_loads(on_device.view(), paths.data(), 1, congestion.data(), tuning, stream.get());
  const gpu::ScoreRequest request{flows.data(), problem.num_flows(), paths.data(), congestion.data(), nullptr};
  TimedScoring timed;
  timed.us = time_on(stream, repetitions, [&] {
    gpu::launch_score_candidates(on_device.view(), request, moves.data(), tuning, stream.get());
  });
  timed.moves.resize(ids.size());
  moves.read(timed.moves, stream.get());
  stream.wait();
  return timed;
}

TimedRoutings time_routings(const Problem& problem, std::span<const PathIndex> routings, std::uint32_t num_routings,
                            std::uint32_t repetitions) {
  const gpu::DeviceProblem on_device(problem);
  const Stream stream;
  const gpu::Tuning tuning;
  gpu::Scratch scratch;
  gpu::Scoreboard board(on_device, num_routings, tuning);
  const DeviceBuffer<PathIndex> paths(routings, stream.get());
  DeviceBuffer<std::uint32_t> congestion(num_routings * on_device.num_places());
  TimedRoutings timed;
  timed.us = time_on(stream, repetitions, [&] {
    gpu::launch_accumulate_loads(on_device.view(), paths.data(), num_routings, congestion.data(), tuning, stream.get());
    board.work_out(paths.data(), congestion.data(), num_routings, scratch, stream.get());
  });
  timed.scores.resize(num_routings);
  board.read(timed.scores, stream.get());
  return timed;
}

}  // namespace spineweave::perf
