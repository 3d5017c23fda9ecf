// Measures the CUDA backend against the CPU's and against what the device can do at most.
#include <cxxopts.hpp>

#include <cstdio>
#include <exception>
#include <string>

#include "perf/device_output.hpp"
#include "spineweave/error.hpp"
#include "spineweave/io.hpp"
#include "spineweave/threads.hpp"

namespace spineweave::perf {
namespace {

constexpr std::uint32_t kFewestRepetitions = 10;

int run(int argc, char** argv) {
  cxxopts::Options options("device_bench", "Scoring, whole routings and rounds on the CPU and on a CUDA device");
  auto add = options.add_options();
  add("cpu-only", "the CPU's rows alone");
  add("repetitions", "of each measurement, 10 or more", cxxopts::value<std::uint32_t>()->default_value("11"));
  add("filter", "only cases whose name holds this text", cxxopts::value<std::string>()->default_value(""));
  add("commit", "what the results are of", cxxopts::value<std::string>()->default_value("unknown"));
  add("json", "a file for the results", cxxopts::value<std::string>()->default_value(""));
  add("help", "this text");
  const auto given = options.parse(argc, argv);
  if (given.count("help") > 0) {
    std::fputs(options.help().c_str(), stdout);
    return 0;
  }
  Run result;
  result.commit = given["commit"].as<std::string>();
  result.repetitions = given["repetitions"].as<std::uint32_t>();
  if (result.repetitions < kFewestRepetitions) throw Error(ErrorCode::usage, "--repetitions is below 10");

  const ThreadScope threads(hardware_threads());
  result.has_device = given.count("cpu-only") == 0;
  if (result.has_device) {
    result.device = describe_device();
    result.ceilings = measure_ceilings(result.repetitions);
  }
  for (const Case& item : all_cases())
    if (item.name.find(given["filter"].as<std::string>()) != std::string::npos)
      result.cases.push_back(measure_case(item, result.repetitions, result.has_device));
  if (result.cases.empty()) throw Error(ErrorCode::usage, "no case's name holds the text of --filter");
  std::fputs(run_text(result).c_str(), stdout);
  if (const auto& file = given["json"].as<std::string>(); !file.empty())
    write_file(file, write_json(run_document(result)));
  return 0;
}

}  // namespace
}  // namespace spineweave::perf

int main(int argc, char** argv) {
  using spineweave::ErrorCode;
  try {
    return spineweave::perf::run(argc, argv);
  } catch (const spineweave::Error& error) {
    std::fprintf(stderr, "device_bench: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "device_bench: %s\n", error.what());
    return static_cast<int>(ErrorCode::usage);
  }
}
