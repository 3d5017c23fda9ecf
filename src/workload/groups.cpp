// Jobs of equal size over hosts or endpoints.
#include <fmt/format.h>

#include <map>
#include <numeric>

#include "spineweave/error.hpp"
#include "workload/places.hpp"
#include "workload/specs.hpp"

namespace spineweave {
namespace {

struct GroupKeys {
  std::optional<std::uint64_t> jobs;
  std::optional<std::uint64_t> size;
  bool shuffled = false;
  std::uint64_t seed = 1;
  FlowKeys flow;
};

GroupKeys read_group_keys(util::SpecReader& spec) {
  GroupKeys keys;
  keys.jobs = spec.number("jobs", 1, kNone);
  keys.size = spec.number("size", 2, kNone);
  const auto placement = read_choice(spec, "placement", "packed", "random");
  const auto order = read_choice(spec, "order", "natural", "shuffled");
  if (placement && order && *placement != *order)
    throw Error(ErrorCode::usage,
                fmt::format("{}: placement and order contradict each other; give one of them", spec.kind()));
  keys.shuffled = placement.value_or(order.value_or(false));
  keys.seed = read_seed(spec);
  keys.flow = read_flow_keys(spec);
  spec.finish();
  if (!keys.size && keys.jobs != 1)
    throw Error(ErrorCode::usage, fmt::format("{}: size=N is missing; only jobs=1 takes all without it", spec.kind()));
  return keys;
}

class GroupBuilder {
 public:
  GroupBuilder(Places places, CollectiveKind kind, FlowKeys flow)
      : places_(std::move(places)), kind_(kind), flow_(flow), order_(places_.list.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    workload_.findings = std::move(places_.findings);
  }

  std::span<std::uint32_t> order() { return order_; }
  [[nodiscard]] const Places& places() const { return places_; }

  // The next `size` places in order.
  void add_job(std::size_t size) {
    Job& job = workload_.jobs.emplace_back();
    job.id = fmt::format("{}", workload_.jobs.size() - 1);
    std::map<Lane, std::vector<EndpointId>> ranks;
    for (std::size_t i = 0; i < size; ++i) {
      const Place& place = places_.list[order_[next_++]];
      for (const Adapter& adapter : place.adapters) ranks[adapter.lane].push_back(adapter.id);
      if (!place.lacks.empty())
        lacking_.push_back(fmt::format("{} ({} {})", place.name, place.lacks.size() == 1 ? "rail" : "rails",
                                       fmt::join(place.lacks, ", ")));
    }
    for (auto& [lane, members] : ranks) {
      if (members.size() < 2) {
        dropped_.push_back(fmt::format("job {} rail {}", job.id, lane.rail));
      } else {
        job.collectives.push_back({kind_, flow_.qps, flow_.bytes, std::move(members)});
      }
    }
  }

  // The places that are left fill no job.
  void note_rest() {
    for (; next_ < order_.size(); ++next_) rest_.push_back(places_.list[order_[next_]].name);
  }

  Workload finish() {
    add("hosts without an adapter on a rail of their job", std::move(lacking_));
    add("rails of a job with fewer than 2 adapters, dropped", std::move(dropped_));
    add(fmt::format("{} left over: too few for one more job", places_.noun()), std::move(rest_));
    return std::move(workload_);
  }

 private:
  void add(std::string what, std::vector<std::string> names) {
    if (!names.empty()) workload_.findings.push_back({std::move(what), std::move(names)});
  }

  Places places_;
  CollectiveKind kind_;
  FlowKeys flow_;
  std::vector<std::uint32_t> order_;  // indices of places
  std::size_t next_ = 0;
  Workload workload_;
  std::vector<std::string> lacking_;
  std::vector<std::string> dropped_;
  std::vector<std::string> rest_;
};

}  // namespace

Workload build_groups(const Fabric& fabric, util::SpecReader& spec, CollectiveKind kind) {
  const GroupKeys keys = read_group_keys(spec);
  GroupBuilder builder(find_places(fabric), kind, keys.flow);
  const std::uint64_t available = builder.order().size();
  const std::uint64_t size = keys.size.value_or(available);
  const std::uint64_t jobs = keys.jobs.value_or(available / size);
  if (size < 2 || jobs == 0 || jobs * size > available)
    throw Error(ErrorCode::usage,
                fmt::format("{}: {} job(s) of {} {} need {}; the fabric has {} to place them on", spec.kind(),
                            std::max<std::uint64_t>(jobs, 1), std::max<std::uint64_t>(size, 2), builder.places().noun(),
                            std::max<std::uint64_t>(jobs, 1) * std::max<std::uint64_t>(size, 2), available));
  if (keys.shuffled) shuffle(builder.order(), keys.seed);
  for (std::uint64_t j = 0; j < jobs; ++j) builder.add_job(size);
  if (!keys.jobs) builder.note_rest();
  return builder.finish();
}

}  // namespace spineweave
