// One more cable fails: what a warm start costs and moves, against a solve from nothing.
#include <fmt/format.h>

#include <algorithm>

#include "cli/bench/operations.hpp"
#include "spineweave/error.hpp"

namespace spineweave::bench {
namespace {

// The first cable between a leaf and a switch above it that carries flows, as --down names it.
std::string cable_in_use(const Problem& problem, const Routing& routing) {
  const Fabric& fabric = problem.fabric();
  const auto tier = [&](NodeId node) { return fabric.node(node).tier; };
  std::vector<bool> is_used(fabric.num_links(), false);
  std::vector<LinkId> links;
  for (FlowId f = 0; f < problem.num_flows(); ++f) {
    links.clear();
    problem.append_links(f, routing[f], links);
    for (const LinkId link : links) is_used[link] = true;
  }
  for (LinkId id = 0; id < fabric.num_links(); ++id) {
    const Link& link = fabric.link(id);
    if (!is_used[id] || tier(link.from) != 1 || tier(link.to) != 2) continue;
    const std::string parallel = link.parallel > 0 ? fmt::format("#{}", link.parallel) : "";
    return fmt::format("{}-{}{}", fabric.node(link.from).name, fabric.node(link.to).name, parallel);
  }
  throw Error(ErrorCode::internal, "no flow leaves its leaf: there is no cable to take out");
}

}  // namespace

void repair(Recorder& recorder) {
  recorder.progress("solving before the failure");
  const auto before = make_problem(make_fabric(recorder.subject()), recorder.subject().jobs);
  const Solution known = recorder.solved(*recorder.evaluator_of(before));
  if (recorder.stopped()) return;
  Repair repair;
  repair.cable = cable_in_use(*before, known.routing);
  const auto after = make_problem(with_faults(before->fabric(), repair.cable), recorder.subject().jobs);
  recorder.result().instance = describe(*after);
  const auto evaluator = recorder.evaluator_of(after);
  // By names, as between two runs of the program.
  const Routing start =
      recorder.timed("match", [&] { return match_routes(*after, name_routes(*before, known.routing)); });
  const Solution afresh = recorder.timed("afresh", [&] { return recorder.solved(*evaluator); });
  if (recorder.stopped()) return;
  Solution repaired;
  recorder.repeat([&] {
    repaired = recorder.timed("repair", [&] { return recorder.solved(*evaluator, &start); });
    recorder.agree(repaired.digest);
  });
  if (recorder.stopped()) return;
  repair.displaced = static_cast<std::uint32_t>(std::ranges::count(start, kNone));
  repair.moved = repaired.moved;
  repair.afresh = describe(afresh, assess(*after, afresh.routing));
  recorder.result().quality = describe(repaired, assess(*after, repaired.routing));
  recorder.result().repair = repair;
}

}  // namespace spineweave::bench
