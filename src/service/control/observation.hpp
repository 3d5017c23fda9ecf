// What a report is about, and when it was seen.
#pragma once

#include <string_view>
#include <vector>

#include "service/control/clock.hpp"
#include "spineweave/fabric.hpp"

namespace spineweave::service {

// As find_links(). Throws NotFoundError.
[[nodiscard]] std::vector<LinkId> links_named(const Fabric& fabric, std::string_view name);

// All in wall time. Throws ConflictError for a report that is older than what is known of `name`, Error{bad_input} for
// one from the future: all that come until then would be older than what is known.
void check_age(std::string_view name, Nanoseconds known_at, Nanoseconds observed_at, Nanoseconds wall_now);

}  // namespace spineweave::service
