// Hosts and their rails: which adapters make up a host, and what most hosts look like.
#pragma once

#include <string>
#include <vector>

#include "spineweave/fabric.hpp"

namespace spineweave {

struct Host {
  std::string name;
  std::vector<EndpointId> adapters;  // by (rail, id)
  std::vector<std::uint32_t> rails;  // ascending, each once
};

// Adapters that jobs may use, cabled, with a host and a rail, by host; hosts in natural order of names.
[[nodiscard]] std::vector<Host> group_by_host(const Fabric& fabric);

// The rails of most hosts: the set that stands most often; among equals the larger one, then the
// first by rail numbers. Empty where there are no hosts.
[[nodiscard]] std::vector<std::uint32_t> common_rails(const std::vector<Host>& hosts);

// A compute host has none but the common rails, and more than half of them: so any two compute hosts
// share a rail. Others (subnet managers, storage, jump hosts) are named like them but do no training.
[[nodiscard]] bool is_compute_host(const Host& host, const std::vector<std::uint32_t>& common);

// The common rails that a host lacks.
[[nodiscard]] std::vector<std::uint32_t> missing_rails(const Host& host, const std::vector<std::uint32_t>& common);

// "node7 (rail 3)", "node7 (rails 1, 2)"
[[nodiscard]] std::string describe(const Host& host, const std::vector<std::uint32_t>& rails);

}  // namespace spineweave
