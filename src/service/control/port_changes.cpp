#include <fmt/format.h>

#include "service/control/changes.hpp"
#include "service/control/observation.hpp"
#include "service/control/port_states.hpp"

namespace spineweave::service {
namespace {

// A link that nothing was reported about yet is as the fabric says.
PortReport report_of(const Snapshot& snapshot, LinkId id) {
  const auto known = snapshot.reports->links.find(id);
  if (known != snapshot.reports->links.end()) return known->second;
  PortReport report;
  report.reported = report.believed = put_state(snapshot.fabric->link(id));
  return report;
}

PortReport report_of_switch(const Snapshot& snapshot, NodeId id) {
  const auto known = snapshot.reports->switches.find(id);
  return known != snapshot.reports->switches.end() ? known->second : PortReport{};
}

void check_fabric(const Snapshot& snapshot) {
  if (!snapshot.fabric) throw NotFoundError("there is no fabric yet");
}

void put_report(Draft& draft, bool is_switch, std::uint32_t id, const PortReport& report) {
  draft.rows().put_port({is_switch, id, report});
  Reports& reports = Draft::own(draft.next.reports);
  (is_switch ? reports.switches : reports.links)[id] = report;
}

Change finish(Draft& draft, ChangeKind kind, std::string_view name, bool news) {
  if (news) draft.opens_window = true;
  return {draft.raise(kind, std::string(name)), false};
}

}  // namespace

Change change_links(Draft& draft, std::string_view name, const PortState& state, std::optional<Nanoseconds> observed_at,
                    const ControllerOptions& options) {
  check_fabric(draft.next);
  const Fabric& fabric = *draft.next.fabric;
  const std::vector<LinkId> links = links_named(fabric, name);
  const Nanoseconds observed = observed_at.value_or(draft.wall_now());
  std::vector<PortReport> reports;
  bool news = false;
  for (const LinkId link : links) {
    check_setting(fabric, {link, state.state, state.degraded_bps});
    PortReport report = report_of(draft.next, link);
    check_age(name, report.observed_at, observed, draft.wall_now());
    const PortState before = report.believed;
    take_report(report, state, observed, draft.wall_now(), hold_up_of(options));
    news = news || report.believed != before;
    reports.push_back(report);
  }
  for (std::size_t i = 0; i < links.size(); ++i) put_report(draft, false, links[i], reports[i]);
  return finish(draft, ChangeKind::link, name, news);
}

Change change_switch(Draft& draft, std::string_view name, bool up, std::optional<Nanoseconds> observed_at,
                     const ControllerOptions& options) {
  check_fabric(draft.next);
  const auto node = draft.next.fabric->find(name);
  if (!node || *node < draft.next.fabric->num_endpoints())
    throw NotFoundError(fmt::format("'{}' is no switch of the fabric", name));
  const Nanoseconds observed = observed_at.value_or(draft.wall_now());
  PortReport report = report_of_switch(draft.next, *node);
  check_age(name, report.observed_at, observed, draft.wall_now());
  const PortState before = report.believed;
  take_report(report, {up ? LinkState::up : LinkState::down, 0}, observed, draft.wall_now(), hold_up_of(options));
  put_report(draft, true, *node, report);
  return finish(draft, ChangeKind::switch_, name, report.believed != before);
}

void release_ports(Draft& draft, const ControllerOptions& options) {
  const HoldUp hold_up = hold_up_of(options);
  const auto release = [&](PortReport& report) {
    const auto left = held_for(report, draft.wall_now(), hold_up);
    if (!left || left->count() > 0) return false;
    report.believed = report.reported;
    report.held_until = Nanoseconds(0);
    return true;
  };
  const std::shared_ptr<const Reports> before = draft.next.reports;
  for (auto [link, report] : before->links) {
    if (!release(report)) continue;
    put_report(draft, false, link, report);
    (void)finish(draft, ChangeKind::link, draft.next.fabric->link_name(link), true);
  }
  for (auto [node, report] : before->switches) {
    if (!release(report)) continue;
    put_report(draft, true, node, report);
    (void)finish(draft, ChangeKind::switch_, draft.next.fabric->node(node).name, true);
  }
}

}  // namespace spineweave::service
