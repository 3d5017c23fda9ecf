#include "cli/result_folder.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "cli/outputs.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNamed = 8;

// Without a slash at the end.
std::string plain(const fs::path& path) { return (path.has_filename() ? path : path.parent_path()).string(); }

}  // namespace

void ResultFolder::add_option(CommandLine& line, const std::string& content) {
  line.add_option("Output", "o,output", fmt::format("Write {} into this folder, which is made if need be", content),
                  "FOLDER");
}

ResultFolder::ResultFolder(const CommandLine& line) : path_(line.text("output")) {
  if (!path_) return;
  std::error_code ignored;
  if (fs::exists(*path_, ignored) && !fs::is_directory(*path_, ignored))
    throw Error(ErrorCode::usage, fmt::format("--output: {} is a file; expected a folder", *path_));
  // As if it were a file in it, or beside it.
  check_output_path("--output", fs::is_directory(*path_, ignored) ? *path_ + "/file" : plain(*path_));
  make(*path_);
}

void ResultFolder::make(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(ErrorCode::usage, fmt::format("--output: {}: {}", folder, error.message()));
}

void ResultFolder::save(const std::string& name, const std::string& content) {
  if (!path_) return;
  const fs::path file = fs::path(*path_) / name;
  make(file.parent_path().string());
  write_file(file.string(), content);
  saved_.push_back(file.string());
}

std::string ResultFolder::line() const {
  if (saved_.empty()) return {};
  if (saved_.size() <= kMostNamed) return fmt::format("wrote {}", fmt::join(saved_, ", "));
  return fmt::format("wrote {} files into {}", saved_.size(), plain(*path_));
}

}  // namespace spineweave::cli
