#include "evaluate/backends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

struct Backend {
  std::string_view name;
  Capabilities (*capabilities)();
  std::unique_ptr<Evaluator> (*make)(std::shared_ptr<const Problem>);
};

// In the order of preference.
constexpr Backend kBackends[] = {{"cuda", cuda_capabilities, make_cuda_evaluator},
                                 {"cpu", cpu_capabilities, make_cpu_evaluator}};

// The first usable one for "auto".
const Backend& find_backend(std::string_view name) {
  std::vector<std::string_view> known = {"auto"};
  std::vector<std::string> unusable;
  for (const Backend& backend : kBackends) {
    known.push_back(backend.name);
    if (name != "auto" && name != backend.name) continue;
    const Capabilities capabilities = backend.capabilities();
    if (capabilities.usable) return backend;
    unusable.push_back(fmt::format("backend {} cannot run here: {}", backend.name, capabilities.why_not));
  }
  if (!unusable.empty()) throw Error(ErrorCode::backend_unavailable, fmt::format("{}", fmt::join(unusable, "; ")));
  throw Error(ErrorCode::usage,
              util::with_hint(fmt::format("unknown backend '{}'; the backends are {}", name, fmt::join(known, ", ")),
                              name, known));
}

}  // namespace

std::vector<Capabilities> list_backends() {
  std::vector<Capabilities> list;
  for (const Backend& backend : kBackends) list.push_back(backend.capabilities());
  return list;
}

void check_backend(std::string_view name) { (void)find_backend(name); }

std::unique_ptr<Evaluator> make_evaluator(std::shared_ptr<const Problem> problem, std::string_view name) {
  return find_backend(name).make(std::move(problem));
}

void check_routings_fill_scores(std::uint32_t num_flows, std::span<const PathIndex> routings,
                                std::span<const Score> scores) {
  if (routings.size() != scores.size() * num_flows)
    throw Error(ErrorCode::internal, fmt::format("score_routings: {} paths for {} scores; expected {} for each",
                                                 routings.size(), scores.size(), num_flows));
}

}  // namespace spineweave
