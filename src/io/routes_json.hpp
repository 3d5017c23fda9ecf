// The "routes" of spineweave.routing/1 and spineweave.routings/1.
#pragma once

#include <vector>

#include "io/json_reader.hpp"
#include "io/text_stream.hpp"
#include "spineweave/routing.hpp"

namespace spineweave::io {

// Appends each to `routes`.
[[nodiscard]] JsonItems stream_routes(std::vector<NamedRoute>& routes);

// Writes the key and its array, one route a line.
class RouteWriter {
 public:
  explicit RouteWriter(TextStream& out) : out_(out) { out_ += "\"routes\": ["; }
  void add(const NamedRoute& route);
  void finish() { out_ += "]"; }

 private:
  TextStream& out_;
  bool first_ = true;
};

}  // namespace spineweave::io
