#include "evaluate/backends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "spineweave/error.hpp"
#include "spineweave/threads.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

struct Backend {
  std::string_view name;
  Capabilities (*capabilities)();
  std::unique_ptr<Evaluator> (*make)(std::shared_ptr<const Problem>);
};

// In the order of preference.
constexpr Backend kBackends[] = {{"cpu", cpu_capabilities, make_cpu_evaluator}};

// Known elsewhere, but not in this build.
constexpr std::string_view kNotBuilt[] = {"cuda"};

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return std::string(util::trim(line.substr(line.find(':') + 1)));
  return "processor of unknown name";
}

}  // namespace

Capabilities cpu_capabilities() {
  Capabilities capabilities;
  capabilities.name = "cpu";
  capabilities.device = processor_name();
  capabilities.usable = true;
  capabilities.overlap = hardware_threads();
  return capabilities;
}

std::vector<Capabilities> list_backends() {
  std::vector<Capabilities> list;
  for (const Backend& backend : kBackends) list.push_back(backend.capabilities());
  for (const std::string_view name : kNotBuilt) {
    Capabilities absent;
    absent.name = name;
    absent.why_not = "not compiled into this build";
    list.push_back(absent);
  }
  return list;
}

std::unique_ptr<Evaluator> make_evaluator(std::shared_ptr<const Problem> problem, std::string_view name) {
  std::vector<std::string_view> known = {"auto"};
  for (const Backend& backend : kBackends) {
    known.push_back(backend.name);
    if (name != "auto" && name != backend.name) continue;
    const Capabilities capabilities = backend.capabilities();
    if (capabilities.usable) return backend.make(std::move(problem));
    if (name == backend.name)
      throw Error(ErrorCode::backend_unavailable,
                  fmt::format("backend {} cannot run here: {}", name, capabilities.why_not));
  }
  if (std::find(std::begin(kNotBuilt), std::end(kNotBuilt), name) != std::end(kNotBuilt))
    throw Error(ErrorCode::backend_unavailable, fmt::format("backend {} is not compiled into this build", name));
  throw Error(ErrorCode::usage, fmt::format("unknown backend '{}'; the backends are {}", name, fmt::join(known, ", ")));
}

}  // namespace spineweave
