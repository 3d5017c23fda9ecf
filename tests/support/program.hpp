// Runs the built program as a user would.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace spineweave::test {

struct Outcome {
  int status = 0;
  std::string out, err;
};

// A folder of its own for one test, gone with it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  // Runs `spineweave arguments...` in this folder.
  [[nodiscard]] Outcome run(const std::vector<std::string>& arguments) const;
  // The same, with a Ctrl-C after two seconds.
  [[nodiscard]] Outcome run_interrupted(const std::vector<std::string>& arguments) const;

 private:
  [[nodiscard]] Outcome run_after(const std::string& prefix, const std::vector<std::string>& arguments) const;

  std::filesystem::path path_;
};

[[nodiscard]] std::string content_of(const std::string& path);
void put(const std::string& path, const std::string& content);

}  // namespace spineweave::test
