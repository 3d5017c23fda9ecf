// The texts that options come as.
#include <fmt/format.h>

#include "spineweave/error.hpp"
#include "spineweave/simulate.hpp"
#include "util/text.hpp"

namespace spineweave {

RecomputePolicy parse_recompute_policy(std::string_view text) {
  using When = RecomputePolicy::When;
  constexpr std::string_view periodic = "every:";
  if (text == "artifact") return {When::artifact, 0};
  if (text == "events") return {When::events, 0};
  if (text == "static") return {When::beforehand, 0};
  if (text.starts_with(periodic)) {
    const auto period = util::parse_duration_ns(text.substr(periodic.size()));
    if (period && *period > 0) return {When::periodic, *period};
  }
  throw Error(ErrorCode::usage,
              fmt::format("recompute '{}': expected artifact, events, static or a period such as every:1s", text));
}

std::vector<FabricEvent> parse_fabric_events(std::string_view text, bool fails) {
  const std::string_view what = fails ? "failure" : "recovery";
  std::vector<FabricEvent> events;
  std::string target;
  for (const std::string_view part : util::split(text, ',')) {
    if (util::trim(part).empty())
      throw Error(ErrorCode::usage, fmt::format("{} '{}': a part of the list is empty", what, text));
    if (!target.empty()) target += ',';
    target += util::trim(part);
    const auto at = target.rfind('@');
    if (at == std::string::npos) continue;  // the list that ends with the next time
    const std::string_view time = util::trim(std::string_view(target).substr(at + 1));
    const auto time_ns = util::parse_duration_ns(time);
    if (!time_ns)
      throw Error(ErrorCode::usage, fmt::format("{} '{}': '{}' is no time; expected one from 0 on with its unit, such "
                                                "as 500ms or 2s",
                                                what, target, time));
    const std::string_view name = util::trim(std::string_view(target).substr(0, at));
    if (name.empty()) throw Error(ErrorCode::usage, fmt::format("{} '{}' names no target", what, target));
    events.push_back({*time_ns, fails, std::string(name)});
    target.clear();
  }
  if (!target.empty())
    throw Error(ErrorCode::usage,
                fmt::format("{} '{}' has no time; expected TARGET@TIME, such as spine:31@2s", what, target));
  return events;
}

}  // namespace spineweave
