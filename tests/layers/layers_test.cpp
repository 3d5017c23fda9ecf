// Reads the includes of the sources and holds them against the order of the modules.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace spineweave::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A module includes itself and modules of a lower rank, so modules of one rank do not include each
// other. Jobs run on a fabric's endpoints: therefore workload ranks above fabric.
const std::map<std::string, int, std::less<>> kRanks = {
    {"util", 0},     {"fabric", 1}, {"workload", 2}, {"paths", 3}, {"problem", 4}, {"evaluate", 5}, {"kernels", 6},
    {"optimize", 6}, {"assess", 7}, {"simulate", 8}, {"io", 9},    {"report", 9},  {"service", 10}, {"cli", 11},
};

// Public headers that are not named after their module.
const std::map<std::string, std::string, std::less<>> kModuleOfHeader = {
    {"types", "util"},      {"error", "util"},         {"document", "util"}, {"threads", "util"}, {"score", "util"},
    {"routing", "problem"}, {"evaluator", "evaluate"}, {"move", "evaluate"}, {"rank", "assess"},
};

// Libraries that one module alone knows.
struct PrivateLibrary {
  std::string_view prefix;
  std::string_view module;
};
constexpr std::array kPrivateLibraries = {
    PrivateLibrary{"nlohmann/", "io"},       PrivateLibrary{"cxxopts", "cli"},     PrivateLibrary{"cuda", "kernels"},
    PrivateLibrary{"thrust/", "kernels"},    PrivateLibrary{"cub/", "kernels"},    PrivateLibrary{"boost/", "service"},
    PrivateLibrary{"openssl/", "service"},   PrivateLibrary{"sqlite3", "service"}, PrivateLibrary{"spdlog/", "service"},
    PrivateLibrary{"prometheus/", "service"}};

std::optional<std::string> module_named(const std::string& name) {
  return kRanks.contains(name) ? std::optional(name) : std::nullopt;
}

std::optional<std::string> module_of_header(const fs::path& header) {
  const std::string name = header.stem().string();
  const auto special = kModuleOfHeader.find(name);
  return special != kModuleOfHeader.end() ? special->second : module_named(name);
}

struct Place {
  std::optional<std::string> module;
  bool is_public = false;
};

// `file` is relative to the repository: "src/io/gzip.cpp", "include/spineweave/io.hpp".
Place place_of(const fs::path& file) {
  const std::vector<std::string> parts(file.begin(), file.end());
  if (parts[0] == "include") return {module_of_header(file), true};
  return {module_named(parts[0] == "kernels" ? parts[0] : parts[1]), false};
}

// The module that `#include "name"` leads to; a bare file name stays in its own folder.
std::optional<std::string> target_of(const fs::path& name, const std::string& own) {
  const std::vector<std::string> parts(name.begin(), name.end());
  if (parts.size() == 1) return own;
  return parts[0] == "spineweave" ? module_of_header(name) : module_named(parts[0]);
}

// What is wrong with `#include <name>`, or nothing.
std::string complaint_about_library(const Place& place, const std::string& name) {
  const bool is_standard = name.find_first_of("./") == std::string::npos;
  if (place.is_public && !is_standard) return fmt::format("a public header includes <{}>", name);
  for (const auto& [prefix, module] : kPrivateLibraries)
    if (name.starts_with(prefix) && *place.module != module)
      return fmt::format("{} includes <{}>, which is for {} alone", *place.module, name, module);
  return "";
}

// What is wrong with `#include "name"`, or nothing.
std::string complaint_about_arrow(const Place& place, const std::string& name) {
  if (place.is_public && !name.starts_with("spineweave/"))
    return fmt::format("a public header includes \"{}\", which is private", name);
  const auto target = target_of(name, *place.module);
  if (!target) return fmt::format("\"{}\" leads to no module", name);
  if (*target == *place.module) return "";
  if (*target == "kernels") return "nothing includes kernels";
  if (kRanks.at(*target) >= kRanks.at(*place.module))
    return fmt::format("{} includes {} (\"{}\"): the arrow runs back", *place.module, *target, name);
  if (*target == "service" && !name.starts_with("spineweave/"))
    return fmt::format("{} sees service through spineweave/service.hpp only", *place.module);
  return "";
}

std::vector<std::string> complaints_in(const fs::path& file, std::istream& text) {
  static const std::regex include(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
  const Place place = place_of(file);
  if (!place.module) return {fmt::format("{}: belongs to no module", file.string())};
  std::vector<std::string> found;
  std::size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    std::smatch match;
    if (!std::regex_match(line, match, include)) continue;
    const std::string what =
        match[1] == "<" ? complaint_about_library(place, match[2]) : complaint_about_arrow(place, match[2]);
    if (!what.empty()) found.push_back(fmt::format("{}:{}: {}", file.string(), number, what));
  }
  return found;
}

std::vector<std::string> complaints_in(const fs::path& file, const std::string& text) {
  std::istringstream stream(text);
  return complaints_in(file, stream);
}

TEST(Layers, IncludesOfTheSourcesPointLeftOnly) {
  constexpr std::array<std::string_view, 4> extensions = {".hpp", ".cpp", ".cu", ".cuh"};
  const fs::path root = SPINEWEAVE_SOURCE_DIR;
  std::vector<std::string> found;
  std::size_t files = 0;
  for (const char* top : {"include", "src", "kernels"}) {
    if (!fs::exists(root / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension().string();
      if (std::find(extensions.begin(), extensions.end(), extension) == extensions.end()) continue;
      ++files;
      std::ifstream text(entry.path());
      const auto more = complaints_in(entry.path().lexically_relative(root), text);
      found.insert(found.end(), more.begin(), more.end());
    }
  }
  EXPECT_GT(files, 20U) << "the sources were not found under " << root;
  EXPECT_THAT(found, IsEmpty());
}

TEST(Layers, AnArrowThatRunsBackIsNamedWithItsLine) {
  EXPECT_THAT(complaints_in("src/fabric/fabric.cpp", "#include <vector>\n#include \"optimize/weave.hpp\"\n"),
              ElementsAre(HasSubstr("src/fabric/fabric.cpp:2: fabric includes optimize")));
  EXPECT_THAT(complaints_in("src/util/text.cpp", "  #  include \"spineweave/evaluator.hpp\"  // why\n"),
              ElementsAre(HasSubstr("src/util/text.cpp:1: util includes evaluate")));
}

TEST(Layers, AnArrowThatRunsLeftIsFine) {
  EXPECT_THAT(complaints_in("src/optimize/weave.cpp",
                            "#include \"spineweave/score.hpp\"\n#include \"paths/walk.hpp\"\n#include \"moves.hpp\"\n"),
              IsEmpty());
  EXPECT_THAT(complaints_in("src/fabric/fabric.cpp", "// #include \"optimize/weave.hpp\"\n"), IsEmpty());
}

TEST(Layers, ModulesOfOneRankDoNotIncludeEachOther) {
  EXPECT_THAT(complaints_in("src/report/text.cpp", "#include \"spineweave/io.hpp\"\n"),
              ElementsAre(HasSubstr("report includes io")));
}

TEST(Layers, TheProgramSeesTheServiceThroughItsPublicHeaderOnly) {
  EXPECT_THAT(complaints_in("src/cli/serve.cpp", "#include \"spineweave/service.hpp\"\n"), IsEmpty());
  EXPECT_THAT(complaints_in("src/cli/serve.cpp", "#include \"service/service.hpp\"\n"),
              ElementsAre(HasSubstr("cli sees service through spineweave/service.hpp only")));
}

TEST(Layers, AFileOutsideTheModulesIsNamed) {
  EXPECT_THAT(complaints_in("src/helpers/misc.cpp", ""), ElementsAre(HasSubstr("belongs to no module")));
  EXPECT_THAT(complaints_in("src/cli/main.cpp", "#include \"helpers/misc.hpp\"\n"),
              ElementsAre(HasSubstr("\"helpers/misc.hpp\" leads to no module")));
}

TEST(Layers, LibrariesOfOneModuleStayThere) {
  EXPECT_THAT(complaints_in("src/service/http/server.cpp", "#include <boost/asio/post.hpp>\n"), IsEmpty());
  EXPECT_THAT(complaints_in("src/cli/serve.cpp", "#include <boost/asio/post.hpp>\n"),
              ElementsAre(HasSubstr("for service alone")));
  EXPECT_THAT(complaints_in("src/io/json.cpp", "#include <nlohmann/json.hpp>\n"), IsEmpty());
  EXPECT_THAT(complaints_in("src/report/json.cpp", "#include <nlohmann/json.hpp>\n"),
              ElementsAre(HasSubstr("report includes <nlohmann/json.hpp>, which is for io alone")));
  EXPECT_THAT(complaints_in("src/cli/main.cpp", "#include <cxxopts.hpp>\n"), IsEmpty());
  EXPECT_THAT(complaints_in("src/service/main.cpp", "#include <cxxopts.hpp>\n"),
              ElementsAre(HasSubstr("for cli alone")));
}

TEST(Layers, PublicHeadersIncludeStandardAndPublicHeadersOnly) {
  const fs::path header = "include/spineweave/problem.hpp";
  EXPECT_THAT(complaints_in(header, "#include <cstdint>\n#include \"spineweave/paths.hpp\"\n"), IsEmpty());
  for (const char* line : {"#include <tbb/parallel_for.h>", "#include <fmt/format.h>", "#include <zlib.h>",
                           "#include \"problem/build.hpp\"", "#include \"util/text.hpp\""})
    EXPECT_THAT(complaints_in(header, line), ElementsAre(HasSubstr("a public header includes"))) << line;
}

TEST(Layers, NothingIncludesTheKernels) {
  EXPECT_THAT(complaints_in("src/cli/main.cpp", "#include \"kernels/launch.hpp\"\n"),
              ElementsAre(HasSubstr("nothing includes kernels")));
  EXPECT_THAT(complaints_in("kernels/score.cu", "#include \"evaluate/backends.hpp\"\n"), IsEmpty());
}

}  // namespace
}  // namespace spineweave::test
