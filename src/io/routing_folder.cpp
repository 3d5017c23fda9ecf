// A folder of spineweave.routing/1 files as one set of routings.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "io/formats.hpp"
#include "spineweave/io.hpp"
#include "util/hash.hpp"
#include "util/parallel.hpp"

namespace spineweave {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kParsedAtOnce = 64;  // bounds the memory

struct HashRoute {
  std::size_t operator()(const NamedRoute& route) const {
    util::Digest digest;
    digest.add(route.job);
    digest.add((std::uint64_t{route.collective} << 32U) | route.index);
    digest.add(route.src);
    digest.add(route.dst);
    for (const std::string& link : route.links) digest.add(link);
    return digest.value();
  }
};

// Puts routings over one table, whose rows are in the order in which routes were first seen.
class Collector {
 public:
  // `path` is the file that the routing came from.
  void add(const std::string& path, RoutingFile file) {
    if (set_.routings.empty()) {
      first_path_ = path;
      set_.fabric_digest = file.fabric_digest;
      set_.jobs_digest = file.jobs_digest;
    }
    refuse_other_digest(path, "another fabric", file.fabric_digest, set_.fabric_digest);
    refuse_other_digest(path, "other jobs", file.jobs_digest, set_.jobs_digest);
    RoutingSetFile::Entry& entry = set_.routings.emplace_back();
    entry.name = name_of_file(path);
    const auto [place, is_new] = path_of_name_.emplace(entry.name, path);
    if (!is_new)
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: would have the name '{}', as {} does", path, entry.name, place->second));
    entry.routes.reserve(file.routes.size());
    for (NamedRoute& route : file.routes) {
      const auto next = static_cast<std::uint32_t>(row_of_.size());
      entry.routes.push_back(row_of_.try_emplace(std::move(route), next).first->second);
    }
  }

  [[nodiscard]] RoutingSetFile finish() {
    set_.routes.resize(row_of_.size());
    while (!row_of_.empty()) {
      auto node = row_of_.extract(row_of_.begin());
      set_.routes[node.mapped()] = std::move(node.key());
    }
    return std::move(set_);
  }

 private:
  void refuse_other_digest(const std::string& path, std::string_view what, std::uint64_t digest,
                           std::uint64_t expected) const {
    if (digest != expected)
      throw Error(ErrorCode::bad_input, fmt::format("{}: belongs to {} (digest {:016x}) than {} does (digest {:016x})",
                                                    path, what, digest, first_path_, expected));
  }

  // Without ".json" and ".gz".
  static std::string name_of_file(const std::string& path) {
    const fs::path name = fs::path(path).filename();
    return (name.extension() == ".gz" ? name.stem() : name).stem().string();
  }

  RoutingSetFile set_;
  std::string first_path_;
  std::unordered_map<std::string, std::string> path_of_name_;
  std::unordered_map<NamedRoute, std::uint32_t, HashRoute> row_of_;
};

// One file, read on any thread. Errors wait for their turn, so that the first file's is the one that shows.
struct Parsed {
  std::optional<RoutingFile> file;  // nothing: no routing
  std::exception_ptr error;
};

Parsed parse(const std::string& path) {
  try {
    const std::string content = read_file(path);
    if (detect_format(content) != FileFormat::routing_json) return {};
    return {parse_routing(content, path), nullptr};
  } catch (const std::exception&) {
    return {std::nullopt, std::current_exception()};
  }
}

}  // namespace

RoutingSetFile io::read_routing_folder(const std::string& path) {
  const std::vector<std::string> files = files_in(path);
  Collector collector;
  Finding others{"files in the folder that are no routings", {}};
  std::vector<Parsed> group(kParsedAtOnce);
  for (std::size_t first = 0; first < files.size(); first += kParsedAtOnce) {
    const std::size_t size = std::min(kParsedAtOnce, files.size() - first);
    util::parallel_chunks(size, 1, [&](std::size_t i, std::size_t) { group[i] = parse(files[first + i]); });
    for (std::size_t i = 0; i < size; ++i) {
      if (group[i].error) std::rethrow_exception(group[i].error);
      if (group[i].file) {
        collector.add(files[first + i], std::move(*group[i].file));
      } else {
        others.names.push_back(fs::path(files[first + i]).filename().string());
      }
    }
  }
  if (others.names.size() == files.size())
    throw Error(ErrorCode::bad_input, fmt::format("{}: the folder holds no routing file", path));
  RoutingSetFile set = collector.finish();
  if (!others.names.empty()) set.findings.push_back(std::move(others));
  return set;
}

}  // namespace spineweave
