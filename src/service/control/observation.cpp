#include "service/control/observation.hpp"

#include <fmt/format.h>

#include <chrono>

#include "service/control/errors.hpp"

namespace spineweave::service {
namespace {

constexpr Nanoseconds kMostSkew = std::chrono::minutes(1);  // between the clocks of who reports and of this machine

}  // namespace

std::vector<LinkId> links_named(const Fabric& fabric, std::string_view name) {
  try {
    return find_links(fabric, name);
  } catch (const Error& error) {
    throw NotFoundError(error.what());
  }
}

void check_age(std::string_view name, Nanoseconds known_at, Nanoseconds observed_at, Nanoseconds wall_now) {
  if (observed_at > wall_now + kMostSkew)
    throw Error(ErrorCode::bad_input, fmt::format("{}: the report was observed at {} ns; it is {} ns now", name,
                                                  observed_at.count(), wall_now.count()));
  if (observed_at < known_at)
    throw ConflictError(fmt::format("{}: the report was observed at {} ns; a later one, of {} ns, is known", name,
                                    observed_at.count(), known_at.count()));
}

}  // namespace spineweave::service
