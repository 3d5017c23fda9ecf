// Files that lie beside the repository and not in it: real dumps and published workloads. Tests that
// need one skip, with the reason, where it is absent.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace spineweave::test {

// The path of a shared file or folder; nothing where it is absent. SPINEWEAVE_SHARED in the environment
// names another folder than the one that the build knows.
[[nodiscard]] inline std::optional<std::string> shared_path(std::string_view relative) {
  const char* elsewhere = std::getenv("SPINEWEAVE_SHARED");
  const std::filesystem::path root(elsewhere != nullptr ? elsewhere : SPINEWEAVE_SHARED_DIR);
  const std::filesystem::path path = root / relative;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  return path.string();
}

}  // namespace spineweave::test
