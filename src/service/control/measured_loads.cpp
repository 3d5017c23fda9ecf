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
  for (const MeasuredLoad& load : loads)
    check_age(snapshot.fabric->link_name(load.link), entries_[load.link].observed_at, observed_at, wall_now);
  for (const MeasuredLoad& load : loads) entries_[load.link] = {load.bps, observed_at};
}

std::optional<MeasuredLoads::Entry> MeasuredLoads::of(const Snapshot& snapshot, LinkId link) const {
  const std::scoped_lock lock(mutex_);
  if (fabric_ != snapshot.fabric_revision || entries_.empty()) return std::nullopt;
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
