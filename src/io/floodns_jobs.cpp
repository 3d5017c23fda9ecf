// The job files of floodns: one line a flow, consecutive lines of one stage a ring.
#include <algorithm>
#include <filesystem>
#include <span>
#include <vector>

#include "io/formats.hpp"
#include "io/lines.hpp"
#include "util/text.hpp"

namespace spineweave::io {
namespace {

// One line of a job file.
struct JobLine {
  std::size_t line = 0;
  EndpointId src = kNone, dst = kNone;
  std::uint64_t start_ns = 0, bytes = 0, compute_ns = 0, ring = 0;
};

class JobFile {
 public:
  JobFile(const Fabric& fabric, std::string_view content, const std::string& name) : fabric_(fabric), name_(name) {
    for (Lines lines(content); lines.next();) {
      const std::string_view line = util::trim(lines.text());
      if (line.empty() || line.starts_with('#')) continue;
      flows_.push_back(parse(line, lines.number()));
    }
    if (flows_.empty())
      fail_at(name_, 1,
              "holds no flow; expected lines of src dst src_tor dst_tor start_time flow_size compute_time stage_index");
  }

  Workload build() {
    Workload workload;
    Job& job = workload.jobs.emplace_back();
    name_job(job);
    check_times();
    job.start_ns = flows_.front().start_ns;
    job.compute_ns = flows_.front().compute_ns;
    Finding broken{"stages that are no ring, read as single flows", {}};
    for (std::size_t begin = 0, end = 0; begin < flows_.size(); begin = end) {
      while (end < flows_.size() && flows_[end].ring == flows_[begin].ring) ++end;
      const std::span<const JobLine> stage = std::span(flows_).subspan(begin, end - begin);
      if (is_ring(stage)) {
        Collective& ring = job.collectives.emplace_back();
        ring.bytes = stage.front().bytes;
        for (const JobLine& flow : stage) ring.ranks.push_back(flow.src);
      } else {
        broken.names.push_back(fmt::format("{} stage {}", name_, stage.front().ring));
        for (const JobLine& flow : stage)
          job.collectives.push_back({CollectiveKind::p2p, 1, flow.bytes, {flow.src, flow.dst}});
      }
    }
    if (!broken.names.empty()) workload.findings.push_back(std::move(broken));
    return workload;
  }

 private:
  [[nodiscard]] JobLine parse(std::string_view line, std::size_t number) const {
    std::vector<std::uint64_t> columns;
    for (const std::string_view word : util::split(line, ' ')) {
      if (word.empty()) continue;
      const auto value = util::parse_unsigned(word);
      if (!value) fail_at(name_, number, fmt::format("'{}'; expected a whole number", word));
      columns.push_back(*value);
    }
    if (columns.size() != 8)
      fail_at(name_, number,
              fmt::format("has {} columns; expected 8: src dst src_tor dst_tor start_time flow_size compute_time "
                          "stage_index",
                          columns.size()));
    const auto endpoint = [&](std::uint64_t id, std::uint64_t leaf) {
      const auto node = fabric_.find(fmt::to_string(id));
      if (!node || *node >= fabric_.num_endpoints())
        fail_at(name_, number, fmt::format("{} is no endpoint of the fabric", id));
      const auto ports = fabric_.links_from(*node);
      if (std::none_of(ports.begin(), ports.end(),
                       [&](const Link& port) { return fabric_.node(port.to).name == fmt::to_string(leaf); }))
        fail_at(name_, number, fmt::format("endpoint {} is not on leaf {}", id, leaf));
      return *node;
    };
    JobLine flow;
    flow.line = number;
    flow.src = endpoint(columns[0], columns[2]);
    flow.dst = endpoint(columns[1], columns[3]);
    if (flow.src == flow.dst) fail_at(name_, number, fmt::format("a flow from {} to itself", columns[0]));
    if (columns[5] == 0) fail_at(name_, number, "flow_size is 0; expected bytes above 0");
    flow.start_ns = columns[4], flow.bytes = columns[5], flow.compute_ns = columns[6], flow.ring = columns[7];
    return flow;
  }

  // A job has one start and one pause between its steps, though every line repeats them.
  void check_times() const {
    const JobLine& first = flows_.front();
    for (const JobLine& flow : flows_) {
      if (flow.start_ns != first.start_ns)
        fail_at(name_, flow.line,
                fmt::format("start_time is {}; expected {} as in line {}", flow.start_ns, first.start_ns, first.line));
      if (flow.compute_ns != first.compute_ns)
        fail_at(name_, flow.line,
                fmt::format("compute_time is {}; expected {} as in line {}", flow.compute_ns, first.compute_ns,
                            first.line));
    }
  }

  [[nodiscard]] static bool is_ring(std::span<const JobLine> stage) {
    std::vector<EndpointId> members;
    for (std::size_t i = 0; i < stage.size(); ++i) {
      if (stage[i].dst != stage[(i + 1) % stage.size()].src || stage[i].bytes != stage.front().bytes) return false;
      members.push_back(stage[i].src);
    }
    std::sort(members.begin(), members.end());
    return stage.size() >= 2 && std::adjacent_find(members.begin(), members.end()) == members.end();
  }

  // "job_3-GPT_3.txt" is job 3 of model GPT_3; any other name is the job's id.
  void name_job(Job& job) const {
    std::string stem = std::filesystem::path(name_).filename().string();
    if (stem.ends_with(".gz")) stem.resize(stem.size() - 3);
    if (stem.ends_with(".txt")) stem.resize(stem.size() - 4);
    job.id = stem;
    const auto dash = stem.find('-');
    if (!stem.starts_with("job_") || dash == std::string::npos || dash == 4) return;
    job.id = stem.substr(4, dash - 4);
    job.model = stem.substr(dash + 1);
  }

  const Fabric& fabric_;
  const std::string& name_;
  std::vector<JobLine> flows_;
};

}  // namespace

Workload parse_floodns_jobs(const Fabric& fabric, std::string_view content, const std::string& name) {
  return JobFile(fabric, content, name).build();
}

}  // namespace spineweave::io
