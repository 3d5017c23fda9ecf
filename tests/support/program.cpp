#include "support/program.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace spineweave::test {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "spineweave-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder like " + name);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Outcome ScratchFolder::run(const std::vector<std::string>& arguments) const { return run_after("", arguments); }

Outcome ScratchFolder::run_interrupted(const std::vector<std::string>& arguments) const {
  // In the foreground: else `timeout` signals its process group as well, and a second interrupt ends the
  // program at once.
  return run_after("timeout --foreground --preserve-status --signal=INT 2 ", arguments);
}

Outcome ScratchFolder::run_after(const std::string& prefix, const std::vector<std::string>& arguments) const {
  std::string command = "cd " + quoted(path_.string()) + " && " + prefix + quoted(SPINEWEAVE_PROGRAM);
  for (const std::string& argument : arguments) command += " " + quoted(argument);
  const int status = std::system((command + " </dev/null >.out 2>.err").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(file(".out")), content_of(file(".err"))};
}

std::string content_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void put(const std::string& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

}  // namespace spineweave::test
