// spineweave.jobs/1
#include <algorithm>
#include <map>
#include <set>

#include "io/formats.hpp"
#include "io/json_reader.hpp"
#include "spineweave/io.hpp"

namespace spineweave {
namespace io {
namespace {

constexpr std::size_t kMostPhases = 64;

class JobsReader {
 public:
  JobsReader(const Fabric& fabric, const Json& json, const std::string& name)
      : fabric_(fabric), root_(json, name, {"schema", "phases", "jobs"}) {}

  Workload read() {
    const Json& phases = root_.array("phases", true);
    if (phases.size() > kMostPhases)
      root_.fail(fmt::format("{} phases; expected at most {}", phases.size(), kMostPhases));
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const JsonObject phase(phases[i], root_.item("phases", i), {"id", "length_ns"});
      if (!phase_of_id_.emplace(phase.text("id"), i).second)
        phase.fail(fmt::format("phase '{}' is declared twice", phase.text("id")));
      if (phase.number("length_ns") == 0) phase.fail("length_ns is 0; expected a length above 0");
      workload_.phases.push_back({phase.text("id"), phase.number("length_ns")});
    }
    const Json& jobs = root_.array("jobs");
    for (std::size_t i = 0; i < jobs.size(); ++i) read_job(jobs[i], root_.item("jobs", i));
    if (!unknown_.empty())
      root_.fail(
          fmt::format("{} ranks are no endpoints of the fabric: {}", unknown_.size(), util::join_names(unknown_, 3)));
    return std::move(workload_);
  }

 private:
  void read_job(const Json& json, std::string place) {
    const JsonObject object(json, std::move(place),
                            {"id", "model", "start_ns", "compute_ns", "epochs", "phases", "collectives"});
    Job job;
    job.id = object.text("id");
    if (!ids_.insert(job.id).second) object.fail(fmt::format("job '{}' is declared twice", job.id));
    job.model = object.optional_text("model").value_or("");
    job.start_ns = object.number_or("start_ns", 0);
    job.compute_ns = object.number_or("compute_ns", 0);
    job.epochs = static_cast<std::uint32_t>(object.number_or("epochs", 0, kNone));
    if (object.has("phases")) {
      job.phase_mask = 0;
      for (const Json& phase : object.array("phases")) {
        const auto at = phase.is_string() ? phase_of_id_.find(phase.get<std::string>()) : phase_of_id_.end();
        if (at == phase_of_id_.end()) object.fail(fmt::format("phase {} is not declared", phase.dump()));
        job.phase_mask |= std::uint64_t{1} << at->second;
      }
      if (job.phase_mask == 0)
        object.fail("phases is empty; expected at least one phase, or no such key for all of them");
    }
    const Json& collectives = object.array("collectives");
    for (std::size_t i = 0; i < collectives.size(); ++i)
      job.collectives.push_back(read_collective(collectives[i], object.item("collectives", i)));
    workload_.jobs.push_back(std::move(job));
  }

  Collective read_collective(const Json& json, std::string place) {
    const JsonObject object(json, std::move(place), {"kind", "ranks", "bytes", "qps"});
    Collective collective;
    const auto kind = collective_kind(object.text("kind"));
    if (!kind)
      object.fail(fmt::format(
          "kind is '{}'; expected ring_allreduce, all_gather, reduce_scatter, all_to_all, tree_allreduce or p2p",
          object.text("kind")));
    collective.kind = *kind;
    collective.bytes = object.number("bytes");
    collective.qps = static_cast<std::uint32_t>(object.number_or("qps", 1, kNone));
    for (const Json& rank : object.array("ranks")) {
      if (!rank.is_string()) object.fail(fmt::format("rank {} is no text; expected an endpoint's id", rank.dump()));
      const auto node = fabric_.find(rank.get_ref<const std::string&>());
      if (node && *node < fabric_.num_endpoints()) {
        collective.ranks.push_back(*node);
      } else {
        unknown_.push_back(fmt::format("'{}' in {}", rank.get_ref<const std::string&>(), object.place()));
      }
    }
    return collective;
  }

  const Fabric& fabric_;
  JsonObject root_;
  Workload workload_;
  std::set<std::string> ids_;
  std::map<std::string, std::size_t> phase_of_id_;
  std::vector<std::string> unknown_;
};

}  // namespace

Workload parse_jobs_json(const Fabric& fabric, std::string_view content, const std::string& name) {
  const Json json = parse_json(content, name);
  return JobsReader(fabric, json, name).read();
}

}  // namespace io

std::string write_workload_json(const Fabric& fabric, const Workload& workload) {
  using io::quoted;
  std::string out = "{\"schema\": \"spineweave.jobs/1\",\n";
  const auto sink = std::back_inserter(out);
  for (std::size_t p = 0; p < workload.phases.size(); ++p)
    fmt::format_to(sink, "{}{{\"id\": {}, \"length_ns\": {}}}{}", p == 0 ? "\"phases\": [" : ", ",
                   quoted(workload.phases[p].id), workload.phases[p].length_ns,
                   p + 1 == workload.phases.size() ? "],\n" : "");
  out += "\"jobs\": [";
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    const Job& job = workload.jobs[j];
    fmt::format_to(sink, "{}\n{{\"id\": {}", j == 0 ? "" : ",", quoted(job.id));
    if (!job.model.empty()) fmt::format_to(sink, ", \"model\": {}", quoted(job.model));
    if (job.start_ns > 0) fmt::format_to(sink, ", \"start_ns\": {}", job.start_ns);
    if (job.compute_ns > 0) fmt::format_to(sink, ", \"compute_ns\": {}", job.compute_ns);
    if (job.epochs > 0) fmt::format_to(sink, ", \"epochs\": {}", job.epochs);
    if (job.phase_mask != kAllPhases) {
      out += ", \"phases\": [";
      bool first = true;
      for (std::size_t p = 0; p < std::min(workload.phases.size(), io::kMostPhases); ++p) {
        if ((job.phase_mask >> p & 1U) == 0) continue;
        fmt::format_to(sink, "{}{}", first ? "" : ", ", quoted(workload.phases[p].id));
        first = false;
      }
      out += "]";
    }
    out += ", \"collectives\": [";
    for (std::size_t c = 0; c < job.collectives.size(); ++c) {
      const Collective& collective = job.collectives[c];
      fmt::format_to(sink, "{}\n  {{\"kind\": \"{}\", \"bytes\": {}", c == 0 ? "" : ",", name_of(collective.kind),
                     collective.bytes);
      if (collective.qps != 1) fmt::format_to(sink, ", \"qps\": {}", collective.qps);
      out += ", \"ranks\": [";
      for (std::size_t r = 0; r < collective.ranks.size(); ++r)
        fmt::format_to(sink, "{}{}", r == 0 ? "" : ", ", quoted(fabric.node(collective.ranks[r]).name));
      out += "]}";
    }
    out += "]}";
  }
  out += "]}\n";
  return out;
}

}  // namespace spineweave
