#include "assess/incidence.hpp"

#include <algorithm>
#include <array>

#include "optimize/cuts.hpp"

namespace spineweave {
namespace {

// An endpoint's live ports in one direction.
struct Ports {
  double total_bps = 0;
  double widest_bps = 0;
  std::uint32_t count = 0;
};

std::vector<Ports> ports_of_endpoints(const Fabric& fabric, CutSide side) {
  std::vector<Ports> ports(fabric.num_endpoints());
  for (const Link& link : fabric.links()) {
    const NodeId endpoint = side == CutSide::out ? link.from : link.to;
    if (endpoint >= fabric.num_endpoints() || link.capacity_bps == 0) continue;
    const auto capacity = static_cast<double>(link.capacity_bps);
    ports[endpoint].total_bps += capacity;
    ports[endpoint].widest_bps = std::max(ports[endpoint].widest_bps, capacity);
    ++ports[endpoint].count;
  }
  return ports;
}

class Access {
 public:
  explicit Access(const Fabric& fabric)
      : out_(ports_of_endpoints(fabric, CutSide::out)), in_(ports_of_endpoints(fabric, CutSide::in)) {}

  [[nodiscard]] double total_out(EndpointId endpoint) const { return out_[endpoint].total_bps; }
  [[nodiscard]] double total_in(EndpointId endpoint) const { return in_[endpoint].total_bps; }

  // A path takes one port at each end, however many there are.
  void add_port_limit(const FlowSpec& flow, Incidence& network) const {
    if (out_[flow.src].count <= 1 && in_[flow.dst].count <= 1) return;
    network.links.push_back(static_cast<std::uint32_t>(network.capacity_bps.size()));
    network.capacity_bps.push_back(std::min(out_[flow.src].widest_bps, in_[flow.dst].widest_bps));
  }

 private:
  std::vector<Ports> out_, in_;  // [endpoints]
};

void end_flow(Incidence& network) { network.flow_begin.push_back(static_cast<std::uint32_t>(network.links.size())); }

}  // namespace

Incidence routed_network(const Problem& problem, const Routing& routing) {
  Incidence network;
  for (const Link& link : problem.fabric().links())
    network.capacity_bps.push_back(static_cast<double>(link.capacity_bps));
  network.flow_begin.reserve(std::size_t{problem.num_flows()} + 1);
  network.flow_begin.push_back(0);
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    problem.append_links(flow, routing[flow], network.links);
    end_flow(network);
  }
  return network;
}

Incidence alone_network(const Problem& problem) {
  const Access access(problem.fabric());
  Incidence network;
  network.flow_begin.push_back(0);
  // Flows come job by job, so an endpoint's link is the current job's if that job made it.
  struct Own {
    JobId job = kNone;
    std::uint32_t link = kNone;
  };
  std::vector<Own> out(problem.fabric().num_endpoints()), in(problem.fabric().num_endpoints());
  const auto add_access = [&](Own& own, JobId job, double capacity) {
    if (own.job != job) {
      own = {job, static_cast<std::uint32_t>(network.capacity_bps.size())};
      network.capacity_bps.push_back(capacity);
    }
    network.links.push_back(own.link);
  };
  for (const FlowSpec& flow : problem.flows()) {
    add_access(out[flow.src], flow.job, access.total_out(flow.src));
    add_access(in[flow.dst], flow.job, access.total_in(flow.dst));
    access.add_port_limit(flow, network);
    end_flow(network);
  }
  return network;
}

Incidence fluid_network(const Problem& problem) {
  const Access access(problem.fabric());
  const std::array families = {endpoint_cuts(problem, CutSide::out), endpoint_cuts(problem, CutSide::in),
                               switch_cuts(problem, CutSide::out),   switch_cuts(problem, CutSide::in),
                               pod_cuts(problem, CutSide::out),      pod_cuts(problem, CutSide::in)};
  Incidence network;
  std::array<std::uint32_t, families.size()> first_link{};
  for (std::size_t i = 0; i < families.size(); ++i) {
    first_link[i] = static_cast<std::uint32_t>(network.capacity_bps.size());
    for (std::uint32_t cut = 0; cut < families[i].num_cuts(); ++cut) {
      double capacity = 0;
      for (const std::uint32_t cell : families[i].cells_of(cut))
        capacity += static_cast<double>(problem.fabric().link(problem.link_of(cell)).capacity_bps);
      network.capacity_bps.push_back(capacity);
    }
  }
  network.flow_begin.push_back(0);
  for (FlowId flow = 0; flow < problem.num_flows(); ++flow) {
    for (std::size_t i = 0; i < families.size(); ++i)
      if (const std::uint32_t cut = families[i].cut_of_flow[flow]; cut != kNone)
        network.links.push_back(first_link[i] + cut);
    access.add_port_limit(problem.flows()[flow], network);
    end_flow(network);
  }
  return network;
}

}  // namespace spineweave
