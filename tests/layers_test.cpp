// Reads the includes of the sources and holds them against the order of the modules.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A module includes itself and modules of a lower rank; modules of one rank do not include each other.
const std::map<std::string, int, std::less<>> kRanks = {
    {"util", 0},     {"fabric", 1}, {"workload", 2}, {"paths", 3}, {"problem", 4}, {"evaluate", 5}, {"kernels", 6},
    {"optimize", 6}, {"assess", 7}, {"simulate", 8}, {"io", 9},    {"report", 9},  {"service", 10}, {"cli", 10},
};

// Public headers that are not named after their module.
const std::map<std::string, std::string, std::less<>> kModuleOfHeader = {
    {"types", "util"},      {"error", "util"},    {"document", "util"},      {"threads", "util"},
    {"routing", "problem"}, {"score", "problem"}, {"evaluator", "evaluate"},
};

// Libraries that no public header includes. Where modules are named, only those include the library.
struct Library {
  std::string_view prefix;
  std::vector<std::string_view> modules;
};
const std::vector<Library> kLibraries = {
    {"nlohmann/", {"io"}}, {"cxxopts.hpp", {"cli"}},
    {"cuda", {"kernels"}}, {"thrust/", {"kernels"}},
    {"cub/", {"kernels"}}, {"tbb/", {}},
    {"oneapi/tbb/", {}},   {"fmt/", {}},
    {"zlib.h", {}},
};

std::optional<std::string> module_of_header(const std::string& name) {
  const auto special = kModuleOfHeader.find(name);
  if (special != kModuleOfHeader.end()) return special->second;
  if (kRanks.contains(name)) return name;
  return std::nullopt;
}

struct Place {
  std::optional<std::string> module;
  bool is_public = false;
};

// `path` is relative to the repository: "src/io/gzip.cpp", "include/spineweave/io.hpp".
Place place_of(const fs::path& path) {
  const std::vector<std::string> parts(path.begin(), path.end());
  if (parts[0] == "include") return {module_of_header(path.stem().string()), true};
  const std::string& folder = parts[0] == "kernels" ? parts[0] : parts[1];
  return {kRanks.contains(folder) ? std::optional(folder) : std::nullopt, false};
}

// The module that `#include "name"` leads to; a bare file name stays in its own folder.
std::optional<std::string> target_of(const fs::path& name, const std::string& own) {
  const std::vector<std::string> parts(name.begin(), name.end());
  if (parts.size() == 1) return own;
  if (parts[0] == "spineweave") return module_of_header(name.stem().string());
  return kRanks.contains(parts[0]) ? std::optional(parts[0]) : std::nullopt;
}

std::string complaint_about_library(const Place& place, const std::string& name) {
  for (const auto& [prefix, modules] : kLibraries) {
    if (!name.starts_with(prefix)) continue;
    if (place.is_public) return fmt::format("a public header includes <{}>", name);
    if (!modules.empty() && std::find(modules.begin(), modules.end(), *place.module) == modules.end())
      return fmt::format("<{}> is not for {}", name, *place.module);
  }
  return "";
}

// What is wrong with this include, or nothing.
std::string complaint(const fs::path& file, bool quoted, const std::string& name) {
  const Place place = place_of(file);
  if (!place.module) return "belongs to no module";
  if (!quoted) return complaint_about_library(place, name);
  if (place.is_public && !name.starts_with("spineweave/")) return "a public header includes a private one";
  const auto target = target_of(name, *place.module);
  if (!target) return fmt::format("\"{}\" leads to no module", name);
  if (*target == *place.module) return "";
  if (*target == "kernels") return "nothing includes kernels";
  if (kRanks.at(*target) < kRanks.at(*place.module)) return "";
  return fmt::format("{} includes {} (\"{}\"): the arrow runs back", *place.module, *target, name);
}

std::vector<std::string> complaints_in(const fs::path& file, std::istream& text) {
  std::vector<std::string> found;
  std::size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    const auto hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || !line.substr(hash).starts_with("#include")) continue;
    const auto open = line.find_first_of("<\"", hash);
    if (open == std::string::npos) continue;  // the name is a macro
    const auto close = line.find_first_of(">\"", open + 1);
    const std::string what = complaint(file, line[open] == '"', line.substr(open + 1, close - open - 1));
    if (!what.empty()) found.push_back(fmt::format("{}:{}: {}", file.string(), number, what));
  }
  return found;
}

std::vector<std::string> complaints_about(const fs::path& file, const std::string& text) {
  std::istringstream stream(text);
  return complaints_in(file, stream);
}

TEST(Layers, IncludesOfTheSourcesPointLeftOnly) {
  const fs::path root = SPINEWEAVE_SOURCE_DIR;
  std::vector<std::string> found;
  std::size_t files = 0;
  for (const char* top : {"include", "src", "kernels"}) {
    if (!fs::exists(root / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const fs::path extension = entry.path().extension();
      if (extension != ".hpp" && extension != ".cpp" && extension != ".cu" && extension != ".cuh") continue;
      ++files;
      std::ifstream text(entry.path());
      const auto more = complaints_in(fs::relative(entry.path(), root), text);
      found.insert(found.end(), more.begin(), more.end());
    }
  }
  EXPECT_GT(files, 20U) << "the sources were not found under " << root;
  EXPECT_THAT(found, IsEmpty());
}

TEST(Layers, AnArrowThatRunsBackIsNamedWithItsLine) {
  EXPECT_THAT(complaints_about("src/fabric/fabric.cpp", "#include <vector>\n#include \"optimize/weave.hpp\"\n"),
              ElementsAre(HasSubstr("src/fabric/fabric.cpp:2: fabric includes optimize")));
  EXPECT_THAT(complaints_about("src/util/text.cpp", "#include \"spineweave/evaluator.hpp\"\n"),
              ElementsAre(HasSubstr("util includes evaluate")));
}

TEST(Layers, ModulesOfOneRankDoNotIncludeEachOther) {
  EXPECT_THAT(complaints_about("src/report/text.cpp", "#include \"spineweave/io.hpp\"\n"),
              ElementsAre(HasSubstr("report includes io")));
}

TEST(Layers, OnlyTheReadersAndWritersKnowTheJsonLibrary) {
  EXPECT_THAT(complaints_about("src/io/json.cpp", "#include <nlohmann/json.hpp>\n"), IsEmpty());
  EXPECT_THAT(complaints_about("src/report/json.cpp", "#include <nlohmann/json.hpp>\n"),
              ElementsAre(HasSubstr("report")));
}

TEST(Layers, PublicHeadersIncludeNoLibraryAndNoPrivateHeader) {
  const fs::path header = "include/spineweave/problem.hpp";
  EXPECT_THAT(complaints_about(header, "#include <cstdint>\n#include \"spineweave/paths.hpp\"\n"), IsEmpty());
  for (const char* line : {"#include <tbb/parallel_for.h>", "#include <fmt/format.h>", "#include <nlohmann/json.hpp>",
                           "#include \"problem/build.hpp\"", "#include \"util/text.hpp\""})
    EXPECT_THAT(complaints_about(header, line), ElementsAre(HasSubstr("a public header includes"))) << line;
}

TEST(Layers, NothingIncludesTheKernels) {
  EXPECT_THAT(complaints_about("src/cli/main.cpp", "#include \"kernels/launch.hpp\"\n"),
              ElementsAre(HasSubstr("nothing includes kernels")));
  EXPECT_THAT(complaints_about("kernels/score.cu", "#include \"evaluate/backends.hpp\"\n"), IsEmpty());
}

}  // namespace
