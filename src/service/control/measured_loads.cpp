#include "service/control/measured_loads.hpp"

#include <algorithm>

#include "service/control/observation.hpp"

namespace spineweave::service {

void MeasuredLoads::take(const Snapshot& snapshot, std::span<const MeasuredLoad> loads, Nanoseconds observed_at,
                         Nanoseconds wall_now) {
  const std::scoped_lock lock(mutex_);
  if (fabric_ != snapshot.fabric_revision) {
    fabric_ = snapshot.fabric_revision;
    entries_.assign(snapshot.fabric->num_links(), {});
  }
  const auto known_at = [&](const MeasuredLoad& load) { return entries_[load.link].observed_at; };
  const auto latest = std::ranges::max_element(loads, {}, known_at);
  if (latest == loads.end()) return;
  check_age(snapshot.fabric->link_name(latest->link), known_at(*latest), observed_at, wall_now);
  for (const MeasuredLoad& load : loads) entries_[load.link] = {load.bps, observed_at};
}

std::optional<MeasuredLoads::Entry> MeasuredLoads::of(const Snapshot& snapshot, LinkId link) const {
  const std::scoped_lock lock(mutex_);
  if (fabric_ != snapshot.fabric_revision) return std::nullopt;
  const Entry& entry = entries_[link];
  return entry.observed_at == Nanoseconds(0) ? std::nullopt : std::optional(entry);
}

MeasuredLoads::Totals MeasuredLoads::totals(const Snapshot& snapshot) const {
  const std::scoped_lock lock(mutex_);
  Totals totals;
  if (fabric_ != snapshot.fabric_revision) return totals;
  for (LinkId link = 0; link < entries_.size(); ++link) {
    if (entries_[link].observed_at == Nanoseconds(0)) continue;
    ++totals.links;
    const auto capacity = static_cast<double>(snapshot.fabric->link(link).nominal_bps);
    totals.max_utilisation = std::max(totals.max_utilisation, static_cast<double>(entries_[link].bps) / capacity);
  }
  return totals;
}

}  // namespace spineweave::service
