// The "routes" of spineweave.routing/1 and spineweave.routings/1.
#pragma once

#include <string>
#include <vector>

#include "io/json_reader.hpp"
#include "spineweave/routing.hpp"

namespace spineweave::io {

[[nodiscard]] std::vector<NamedRoute> read_routes(const JsonObject& root);
// Appends the key and its array, one route a line.
void write_routes(const std::vector<NamedRoute>& routes, std::string& out);

}  // namespace spineweave::io
