// What each change does to the draft that it is part of. Each checks first, and throws before it touches anything.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/control/draft.hpp"
#include "service/control/options.hpp"

namespace spineweave::service {

// Throws RevisionError unless the resource has the revision that the client expected; 0: it is not there.
void check_expected(std::string_view what, Revision present, std::optional<Revision> expected);

// `hosts`: name_hosts(fabric). What is stored is written before, so that others need not wait for that.
Change change_fabric(Draft& draft, std::shared_ptr<const Fabric> fabric, std::shared_ptr<const Hosts> hosts,
                     const StoredFabric& stored, std::optional<Revision> expected);
Change change_phases(Draft& draft, std::vector<Phase> phases, std::optional<Revision> expected);

Change change_links(Draft& draft, std::string_view name, const PortState& state, std::optional<Nanoseconds> observed_at,
                    const ControllerOptions& options);
Change change_switch(Draft& draft, std::string_view name, bool up, std::optional<Nanoseconds> observed_at,
                     const ControllerOptions& options);
// Believes what has been held for long enough.
void release_ports(Draft& draft, const ControllerOptions& options);

// `document`: write_job() of it.
Change change_job(Draft& draft, const std::shared_ptr<const JobEntry>& checked, const std::string& document,
                  std::optional<Revision> expected, const ControllerOptions& options);
Change remove_job(Draft& draft, std::string_view id, std::optional<Revision> expected,
                  const ControllerOptions& options);

Change change_host(Draft& draft, std::string_view host, Revision revision, const ControllerOptions& options);
Change change_freeze(Draft& draft, bool frozen);

}  // namespace spineweave::service
