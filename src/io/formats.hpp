// The parsers of the single formats. `name` is what errors call the file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spineweave/error.hpp"
#include "spineweave/fabric.hpp"
#include "spineweave/routing.hpp"
#include "spineweave/workload.hpp"

namespace spineweave::io {

[[nodiscard]] Fabric parse_fabric_json(std::string_view content, const std::string& name);
[[nodiscard]] Fabric parse_floodns_topology(std::string_view content, const std::string& name);
// The output of ibnetdiscover, and the net files of ibsim, whose adapters may lack a description.
[[nodiscard]] Fabric parse_ibnetdiscover(std::string_view content, const std::string& name);
[[nodiscard]] Fabric parse_ibsim(std::string_view content, const std::string& name);

[[nodiscard]] Workload parse_jobs_json(const Fabric& fabric, std::string_view content, const std::string& name);
// One job; its id and model come from the file's name.
[[nodiscard]] Workload parse_floodns_jobs(const Fabric& fabric, std::string_view content, const std::string& name);

// Every routing of a folder, over one table of their routes. Throws Error{bad_input} where they do not
// all belong to the same fabric and jobs.
[[nodiscard]] RoutingSetFile read_routing_folder(const std::string& path);

// The files right in a folder, but for hidden ones, in natural order of their names.
[[nodiscard]] std::vector<std::string> files_in(const std::string& path);

// Throws Error{bad_input} that says what the file is instead of what was expected.
[[noreturn]] void refuse_format(std::string_view content, const std::string& name, std::string_view expected);

// Runs `work`; an error of the fabric builder, which knows no files, gets the file's name in front.
template <class Work>
auto naming_file(const std::string& name, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const Error& error) {
    throw Error(error.code(), name + ": " + error.what());
  }
}

}  // namespace spineweave::io
