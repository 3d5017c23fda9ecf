#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "spineweave/error.hpp"
#include "util/hash.hpp"
#include "workload/leaf_pool.hpp"
#include "workload/presets.hpp"
#include "workload/specs.hpp"

namespace spineweave {
namespace {

struct Model {
  std::string_view name;  // in the artifact
  std::string_view preset;
  std::uint32_t rings = 0;  // full copies of the model, one ring each
  std::uint64_t compute_ns = 0;
};

constexpr Model kBloom{"BLOOM", "bloom", 48, 1'238'769'231};
constexpr Model kGpt{"GPT_3", "gpt-3", 64, 1'009'615'385};
constexpr Model kLlama{"LLaMA2_70B", "llama2-70b", 128, 2'692'307'693};

// Which models stand together in the artifact; its rings of 8 end after the third job, and the two
// that follow are those of its rings of 4.
constexpr Model kModelsOfRings2[] = {kBloom, kLlama, kLlama, kBloom, kGpt};
constexpr Model kModelsOfRings4[] = {kBloom, kLlama, kGpt, kLlama, kGpt};
constexpr Model kModelsOfRings8[] = {kBloom, kGpt, kLlama, kLlama, kGpt};

constexpr std::uint32_t kMaxJobs = 5;
constexpr std::uint32_t kMaxRing = 4096;
constexpr std::uint32_t kEpochs = 11;
constexpr std::uint64_t kBytesPerParameter = 4;
constexpr std::uint64_t kFirstStartNs = 2'000'000'000;
constexpr std::uint32_t kStartSpreadUs = 11'000'000;

std::span<const Model> models_of(std::uint32_t jobs, std::uint32_t ring) {
  const std::span<const Model> models = ring == 2 ? kModelsOfRings2 : ring == 8 ? kModelsOfRings8 : kModelsOfRings4;
  return models.first(jobs);
}

std::uint64_t count_rings(std::span<const Model> models) {
  std::uint64_t rings = 0;
  for (const Model& model : models) rings += model.rings;
  return rings;
}

Job make_job(const Model& model, std::size_t index, std::uint32_t ring, std::uint64_t seed) {
  Job job;
  job.id = fmt::format("{}", index);
  job.model = model.name;
  job.start_ns =
      kFirstStartNs + 1000 * std::uint64_t{util::random_below(util::random_at(seed, 0, index), kStartSpreadUs)};
  job.compute_ns = model.compute_ns;
  job.epochs = kEpochs;
  const std::uint64_t parameters = find_preset(model.preset).parameters;
  const std::uint64_t bytes = divide_up(divide_up(kBytesPerParameter * parameters, model.rings), ring);
  job.collectives.assign(model.rings, {CollectiveKind::ring_allreduce, 1, bytes, {}});
  return job;
}

}  // namespace

Workload build_paper(const Fabric& fabric, util::SpecReader& spec) {
  const auto jobs = static_cast<std::uint32_t>(spec.number_or("jobs", kMaxJobs, 1, kMaxJobs));
  const auto ring = static_cast<std::uint32_t>(spec.number_or("ring", 4, 2, kMaxRing));
  const std::uint64_t seed = read_seed(spec);
  spec.finish();

  const std::span<const Model> models = models_of(jobs, ring);
  LeafPool pool(fabric, seed);
  std::uint64_t rings_left = count_rings(models);
  if (!pool.holds(rings_left, ring))
    throw Error(ErrorCode::usage,
                fmt::format("paper: {} job(s) need {} rings of {} endpoints, each ring on {} leaves; the {} leaves of "
                            "the fabric have {} endpoints with a full-rate uplink, enough for {} such rings",
                            jobs, rings_left, ring, ring, pool.num_leaves(), pool.num_free(), pool.most_rings(ring)));

  Workload workload;
  for (std::size_t j = 0; j < models.size(); ++j) {
    Job job = make_job(models[j], j, ring, seed);
    pool.start_job();
    for (Collective& collective : job.collectives) collective.ranks = pool.take_ring(ring, --rings_left);
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

}  // namespace spineweave
