#include "perf/device_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "spineweave/threads.hpp"

namespace spineweave::perf {
namespace {

// What one measurement comes to. A rate is 0 where there is nothing to divide.
struct Rates {
  double us = 0, candidates = 0, operations = 0;  // median; a second
  double read = 0, footprint = 0;                 // bytes a second
  double read_share = 0, footprint_share = 0;     // of the ceilings, 0 .. 1
};

// A ceiling is the best that was seen.
double ceiling_of(const std::vector<double>& figures) {
  return figures.empty() ? 0 : *std::max_element(figures.begin(), figures.end());
}

Rates rates_of(const Run& run, const Measurement& row) {
  Rates rates;
  rates.us = median(row.us);
  if (rates.us <= 0) return rates;
  const auto a_second = [&](std::uint64_t amount) { return static_cast<double>(amount) / (rates.us * 1e-6); };
  rates.candidates = a_second(row.work.candidates);
  rates.operations = a_second(row.work.operations);
  rates.read = a_second(row.work.read_bytes);
  rates.footprint = a_second(row.work.footprint_bytes);
  const double shared = ceiling_of(run.ceilings.shared), copy = ceiling_of(run.ceilings.copy);
  if (row.clock != Clock::device || shared <= 0 || copy <= 0) return rates;
  rates.read_share = rates.read / shared;
  rates.footprint_share = rates.footprint / copy;
  return rates;
}

std::string share(double value) { return value > 0 ? fmt::format("{:.1f} %", value * 100) : "-"; }
// Three digits, however small.
std::string rate(double value, double unit) {
  if (value <= 0) return "-";
  return value / unit < 100 ? fmt::format("{:.3g}", value / unit) : fmt::format("{:.0f}", value / unit);
}

std::string machine_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string cpu_name() {
  for (const Capabilities& backend : list_backends())
    if (backend.name == "cpu") return backend.device;
  return "unknown";
}

Document::Array numbers(const std::vector<double>& values) { return {values.begin(), values.end()}; }

Document row_document(const Run& run, const Measurement& row) {
  const Rates rates = rates_of(run, row);
  Document::Object object = {{"operation", std::string(name_of(row.operation))},
                             {"backend", row.backend},
                             {"block", row.block},
                             {"clock", name_of(row.clock)},
                             {"candidates", row.work.candidates},
                             {"read_bytes", row.work.read_bytes},
                             {"footprint_bytes", row.work.footprint_bytes},
                             {"operations", row.work.operations},
                             {"median_us", rates.us},
                             {"candidates_per_s", rates.candidates},
                             {"operations_per_s", rates.operations},
                             {"read_bytes_per_s", rates.read},
                             {"footprint_bytes_per_s", rates.footprint}};
  if (rates.read_share > 0) {
    object.emplace_back("share_of_shared_memory", rates.read_share);
    object.emplace_back("share_of_copy", rates.footprint_share);
  }
  object.emplace_back("result_digest", fmt::format("{:016x}", row.result_digest));
  object.emplace_back("us", numbers(row.us));
  return object;
}

}  // namespace

std::string run_text(const Run& run) {
  std::string text =
      fmt::format("commit {}, {}, {} threads of {}\n", run.commit, machine_name(), hardware_threads(), cpu_name());
  if (run.has_device) {
    text += fmt::format("{}, compute {}, {} multiprocessors, driver for CUDA {}, {}\n", run.device.name,
                        run.device.compute, run.device.multiprocessors, run.device.driver, run.device.compiler);
    text += fmt::format("ceilings measured here: copy {:.1f} GB/s, shared memory {:.1f} GB/s\n",
                        ceiling_of(run.ceilings.copy) / 1e9, ceiling_of(run.ceilings.shared) / 1e9);
  } else {
    text += "CPU only: no ceilings, and nothing to compare with\n";
  }
  text += fmt::format("medians of {} repetitions\n", run.repetitions);
  for (const CaseResult& item : run.cases) {
    text += fmt::format("\n{}: {} flows, {} candidates, {} jobs, {} cells\n", item.name, item.flows, item.candidates,
                        item.jobs, item.cells);
    text += fmt::format("  {:<17} {:<8} {:>5} {:<6} {:>12} {:>10} {:>9} {:>10} {:>9} {:>10} {:>9}\n", "operation",
                        "backend", "block", "clock", "median us", "M cand/s", "G op/s", "read GB/s", "of shared",
                        "foot. GB/s", "of copy");
    for (const Measurement& row : item.measurements) {
      const Rates rates = rates_of(run, row);
      const std::string block = row.block == 0 ? "-" : std::to_string(row.block);
      text += fmt::format("  {:<17} {:<8} {:>5} {:<6} {:>12.1f} {:>10} {:>9} {:>10} {:>9} {:>10} {:>9}\n",
                          name_of(row.operation), row.backend, block, name_of(row.clock), rates.us,
                          rate(rates.candidates, 1e6), rate(rates.operations, 1e9), rate(rates.read, 1e9),
                          share(rates.read_share), rate(rates.footprint, 1e9), share(rates.footprint_share));
    }
  }
  return text;
}

Document run_document(const Run& run) {
  Document::Object machine = {
      {"host", machine_name()}, {"cpu", cpu_name()}, {"threads", hardware_threads()}, {"compiler", "g++ " __VERSION__}};
  Document::Object document = {{"schema", "spineweave.device-bench/1"},
                               {"commit", run.commit},
                               {"repetitions", run.repetitions},
                               {"machine", std::move(machine)}};
  if (run.has_device) {
    document.emplace_back("gpu", Document::Object{{"name", run.device.name},
                                                  {"compute", run.device.compute},
                                                  {"multiprocessors", run.device.multiprocessors},
                                                  {"memory_bytes", run.device.memory_bytes},
                                                  {"cache_bytes", run.device.cache_bytes},
                                                  {"driver_cuda", run.device.driver},
                                                  {"runtime_cuda", run.device.runtime},
                                                  {"compiler", run.device.compiler}});
    document.emplace_back("ceilings", Document::Object{{"copy_bytes_per_s", numbers(run.ceilings.copy)},
                                                       {"shared_memory_bytes_per_s", numbers(run.ceilings.shared)}});
  }
  Document::Array cases;
  for (const CaseResult& item : run.cases) {
    Document::Array rows;
    for (const Measurement& row : item.measurements) rows.push_back(row_document(run, row));
    cases.emplace_back(Document::Object{{"name", item.name},
                                        {"fabric_digest", fmt::format("{:016x}", item.fabric_digest)},
                                        {"jobs_digest", fmt::format("{:016x}", item.jobs_digest)},
                                        {"flows", item.flows},
                                        {"jobs", item.jobs},
                                        {"candidates", item.candidates},
                                        {"cells", item.cells},
                                        {"phases", item.phases},
                                        {"routings", item.routings},
                                        {"rows", std::move(rows)}});
  }
  document.emplace_back("cases", std::move(cases));
  return document;
}

}  // namespace spineweave::perf
