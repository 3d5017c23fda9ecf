// spineweave.jobs/1
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "io/formats.hpp"
#include "io/json_reader.hpp"
#include "io/text_stream.hpp"
#include "spineweave/io.hpp"

namespace spineweave {
namespace io {
namespace {

class JobsReader {
 public:
  explicit JobsReader(const Fabric& fabric) : fabric_(fabric) {}

  Workload read(std::string_view content, const std::string& name) {
    const JsonPlace file(name);
    const Json json =
        parse_json(content, name,
                   {{{"jobs"},
                     [this](const Json& item, const JsonPlace& place) {
                       const JsonObject job(
                           item, place, {"id", "model", "start_ns", "compute_ns", "epochs", "phases", "collectives"});
                       read_job(job, job.text("id"));
                     }},
                    stream_collectives({"jobs", "collectives"})});
    const JsonObject root(json, file, {"schema", "phases", "jobs"});
    (void)root.array("jobs");
    read_phases(root);
    for (std::size_t i = 0; i < workload_.jobs.size(); ++i)
      if (phases_of_job_[i].is_array())
        workload_.jobs[i].phase_mask = phase_mask(phases_of_job_[i], JsonPlace(file, "jobs", i));
    refuse_unknown_ranks(root);
    return std::move(workload_);
  }

  // Phases without jobs.
  std::vector<Phase> read_phases_alone(std::string_view content, const std::string& name) {
    const JsonPlace file(name);
    const Json json = parse_json(content, name);
    const JsonObject root(json, file, {"phases"});
    (void)root.array("phases");
    read_phases(root);
    return std::move(workload_.phases);
  }

  // A job without its id is the whole content.
  Job read_one(std::string_view content, const std::string& name, std::string id, std::span<const Phase> phases) {
    const JsonPlace file(name);
    const Json json = parse_json(content, name, {stream_collectives({"collectives"})});
    const JsonObject root(json, file, {"model", "start_ns", "compute_ns", "epochs", "phases", "collectives"});
    for (std::size_t i = 0; i < phases.size(); ++i) phase_of_id_.emplace(phases[i].id, i);
    read_job(root, std::move(id));
    Job& job = workload_.jobs.front();
    if (phases_of_job_.front().is_array()) job.phase_mask = phase_mask(phases_of_job_.front(), file);
    refuse_unknown_ranks(root);
    return std::move(job);
  }

 private:
  JsonItems stream_collectives(std::vector<std::string_view> keys) {
    return {std::move(keys), [this](const Json& item, const JsonPlace& place) {
              collectives_.push_back(
                  read_collective(JsonObject(item, place, {"kind", "ranks", "bytes", "qps", "repeats", "turn"})));
            }};
  }

  void refuse_unknown_ranks(const JsonObject& root) const {
    if (!unknown_.empty())
      root.fail(
          fmt::format("{} ranks are no endpoints of the fabric: {}", unknown_.size(), util::join_names(unknown_, 3)));
  }

  void read_phases(const JsonObject& root) {
    const Json& phases = root.array("phases", true);
    if (phases.size() > kMostPhases)
      root.fail(fmt::format("{} phases; expected at most {}", phases.size(), kMostPhases));
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const JsonObject phase(phases[i], root.item("phases", i), {"id", "length_ns"});
      if (!phase_of_id_.emplace(phase.text("id"), i).second)
        phase.fail(fmt::format("phase '{}' is declared twice", phase.text("id")));
      if (phase.number("length_ns") == 0) phase.fail("length_ns is 0; expected a length above 0");
      workload_.phases.push_back({phase.text("id"), phase.number("length_ns")});
    }
  }

  // Its collectives came before it.
  void read_job(const JsonObject& object, std::string id) {
    Job job;
    job.id = std::move(id);
    if (!ids_.insert(job.id).second) object.fail(fmt::format("job '{}' is declared twice", job.id));
    job.model = object.optional_text("model").value_or("");
    job.start_ns = object.number_or("start_ns", 0);
    job.compute_ns = object.number_or("compute_ns", 0);
    job.epochs = static_cast<std::uint32_t>(object.number_or("epochs", 0, kNone));
    if (object.has("epochs") && job.epochs == 0) object.fail("epochs is 0; expected 1 at least, or no such key");
    (void)object.array("collectives");
    job.collectives = std::exchange(collectives_, {});
    workload_.jobs.push_back(std::move(job));
    phases_of_job_.push_back(object.has("phases") ? object.array("phases") : Json());
  }

  // A file may name phases before it declares them.
  [[nodiscard]] std::uint64_t phase_mask(const Json& phases, const JsonPlace& job) const {
    const auto fail = [&](std::string_view message) {
      throw Error(ErrorCode::bad_input, fmt::format("{}: {}", job.text(), message));
    };
    std::uint64_t mask = 0;
    for (const Json& phase : phases) {
      const auto at = phase.is_string() ? phase_of_id_.find(phase.get<std::string>()) : phase_of_id_.end();
      if (at == phase_of_id_.end()) fail(fmt::format("phase {} is not declared", phase.dump()));
      mask |= std::uint64_t{1} << at->second;
    }
    if (mask == 0) fail("phases is empty; expected at least one phase, or no such key for all of them");
    return mask;
  }

  Collective read_collective(const JsonObject& object) {
    Collective collective;
    const auto kind = collective_kind(object.text("kind"));
    if (!kind)
      object.fail(fmt::format(
          "kind is '{}'; expected ring_allreduce, all_gather, reduce_scatter, all_to_all, tree_allreduce, p2p or "
          "pipeline",
          object.text("kind")));
    collective.kind = *kind;
    collective.bytes = object.number("bytes");
    collective.qps = static_cast<std::uint32_t>(object.number_or("qps", 1, kNone));
    collective.repeats = static_cast<std::uint32_t>(object.number_or("repeats", 1, kNone));
    collective.turn = static_cast<std::uint32_t>(object.number_or("turn", 0, kNone));
    for (const Json& rank : object.array("ranks")) {
      if (!rank.is_string()) object.fail(fmt::format("rank {} is no text; expected an endpoint's id", rank.dump()));
      const auto node = fabric_.find(rank.get_ref<const std::string&>());
      if (node && *node < fabric_.num_endpoints()) {
        collective.ranks.push_back(*node);
      } else {
        unknown_.push_back(fmt::format("'{}' in {}", rank.get_ref<const std::string&>(), object.place().text()));
      }
    }
    return collective;
  }

  const Fabric& fabric_;
  Workload workload_;
  std::vector<Collective> collectives_;  // of the job that is being read
  std::vector<Json> phases_of_job_;      // [jobs], null: all
  std::set<std::string> ids_;
  std::map<std::string, std::size_t> phase_of_id_;
  std::vector<std::string> unknown_;
};

void append_phases(TextStream& out, std::span<const Phase> phases, std::uint64_t mask) {
  out += ", \"phases\": [";
  const char* separator = "";
  for (std::size_t p = 0; p < std::min(phases.size(), kMostPhases); ++p) {
    if ((mask >> p & 1U) == 0) continue;
    out.format("{}{}", separator, quoted(phases[p].id));
    separator = ", ";
  }
  out += "]";
}

void append_collective(TextStream& out, const Fabric& fabric, const Collective& collective) {
  out.format("\n  {{\"kind\": \"{}\", \"bytes\": {}", name_of(collective.kind), collective.bytes);
  if (collective.qps != 1) out.format(", \"qps\": {}", collective.qps);
  if (collective.repeats != 1) out.format(", \"repeats\": {}", collective.repeats);
  if (collective.turn != 0) out.format(", \"turn\": {}", collective.turn);
  out += ", \"ranks\": [";
  for (std::size_t r = 0; r < collective.ranks.size(); ++r)
    out.format("{}{}", r == 0 ? "" : ", ", quoted(fabric.node(collective.ranks[r]).name));
  out += "]}";
}

void append_job(TextStream& out, const Fabric& fabric, std::span<const Phase> phases, const Job& job) {
  out.format("{{\"id\": {}", quoted(job.id));
  if (!job.model.empty()) out.format(", \"model\": {}", quoted(job.model));
  if (job.start_ns > 0) out.format(", \"start_ns\": {}", job.start_ns);
  if (job.compute_ns > 0) out.format(", \"compute_ns\": {}", job.compute_ns);
  if (job.epochs > 0) out.format(", \"epochs\": {}", job.epochs);
  if (job.phase_mask != kAllPhases) append_phases(out, phases, job.phase_mask);
  out += ", \"collectives\": [";
  for (std::size_t c = 0; c < job.collectives.size(); ++c) {
    if (c > 0) out += ",";
    append_collective(out, fabric, job.collectives[c]);
    out.pause();
  }
  out += "]}";
}

void write_workload_json_to(const Sink& sink, const Fabric& fabric, const Workload& workload) {
  TextStream out(sink);
  out += "{\"schema\": \"spineweave.jobs/1\",\n";
  for (std::size_t p = 0; p < workload.phases.size(); ++p)
    out.format("{}{{\"id\": {}, \"length_ns\": {}}}{}", p == 0 ? "\"phases\": [" : ", ", quoted(workload.phases[p].id),
               workload.phases[p].length_ns, p + 1 == workload.phases.size() ? "],\n" : "");
  out += "\"jobs\": [";
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    out += j > 0 ? ",\n" : "\n";
    append_job(out, fabric, workload.phases, workload.jobs[j]);
  }
  out += "]}\n";
  out.finish();
}

}  // namespace

Workload parse_jobs_json(const Fabric& fabric, std::string_view content, const std::string& name) {
  return JobsReader(fabric).read(content, name);
}

}  // namespace io

Job parse_job(const Fabric& fabric, std::span<const Phase> phases, std::string id, std::string_view content,
              const std::string& name) {
  return io::JobsReader(fabric).read_one(content, name, std::move(id), phases);
}

std::vector<Phase> parse_phases(std::string_view content, const std::string& name) {
  const Fabric none;
  return io::JobsReader(none).read_phases_alone(content, name);
}

std::string write_job_json(const Fabric& fabric, std::span<const Phase> phases, const Job& job) {
  return io::whole_text([&](const io::Sink& sink) {
    io::TextStream out(sink);
    io::append_job(out, fabric, phases, job);
    out.finish();
  });
}

std::string write_workload_json(const Fabric& fabric, const Workload& workload) {
  return io::whole_text([&](const io::Sink& sink) { io::write_workload_json_to(sink, fabric, workload); });
}

void save_workload(const std::string& path, const Fabric& fabric, const Workload& workload) {
  io::save_pieces(path, [&](const io::Sink& sink) { io::write_workload_json_to(sink, fabric, workload); });
}

}  // namespace spineweave
