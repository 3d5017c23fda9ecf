#include "evaluate/processor_name.hpp"

#include <fstream>

#include "util/text.hpp"

namespace spineweave {
namespace {

std::string read_processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return std::string(util::trim(line.substr(line.find(':') + 1)));
  return "processor of unknown name";
}

}  // namespace

const std::string& processor_name() {
  static const std::string name = read_processor_name();
  return name;
}

}  // namespace spineweave
