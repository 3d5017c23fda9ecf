// Tables with one row a case: scoring, solving, the parts of a whole run, and what came out.
#include <fmt/format.h>

#include <cmath>

#include "cli/bench/output.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"

namespace spineweave::bench {
namespace {

using namespace report;

// The row of a solve from nothing, below the one of the warm start.
const std::string kAfresh = "  afresh";

std::string name_of(const CaseResult& item) { return std::string(item.subject.name); }

std::string per_second(std::uint64_t amount, const Step& step) {
  return short_count(static_cast<std::uint64_t>(std::llround(static_cast<double>(amount) / step.median_us() * 1e6)));
}

// The first half: the table has to fit 80 columns.
std::string abbreviate(std::uint64_t digest) { return fmt::format("{:08x}", digest >> 32U); }

Cell proof(const Certificate& certificate) {
  if (certificate.vector_proved) return {"all", Tone::good};
  if (certificate.max_proved) return {"worst", Tone::good};
  return {"-", Tone::bad};
}

// A table below its title; nothing where `add_rows` adds none.
template <class AddRows>
std::string titled(const std::string& title, const Run& run, const TextStyle& style, Table table,
                   const AddRows& add_rows) {
  bool is_empty = true;
  for (const CaseResult& item : run.cases)
    if (item.skipped.empty() && add_rows(table, item)) is_empty = false;
  if (is_empty) return "";
  return "\n" + paint(wrap(title, style.width), Tone::strong, style.color) + "\n" +
         table.render(style.width, style.color);
}

bool add_score(Table& table, const CaseResult& item) {
  if (item.subject.operation != Operation::score) return false;
  const Step& step = item.step("score");
  table.add_row({{name_of(item)},
                 {short_count(item.instance.candidates)},
                 {duration(step.median_us())},
                 {duration(step.min_us())},
                 {duration(step.max_us())},
                 {per_second(item.instance.candidates, step)},
                 {count(step.us.size())},
                 {abbreviate(item.digest)}});
  return true;
}

bool add_solve(Table& table, const CaseResult& item) {
  const auto add = [&](const std::string& name, const Step& step) {
    table.add_row({{name},
                   {count(item.threads)},
                   {duration(step.median_us())},
                   {duration(step.min_us())},
                   {duration(step.max_us())},
                   {per_second(item.instance.flows, step)},
                   {duration(step.median_us() / item.instance.flows)},
                   {count(step.us.size())}});
  };
  if (item.subject.operation == Operation::score) return false;
  add(name_of(item), item.step(item.repair ? "repair" : "solve"));
  if (item.repair) add(kAfresh, item.step("afresh"));
  return true;
}

bool add_whole(Table& table, const CaseResult& item) {
  if (item.subject.operation != Operation::optimize) return false;
  std::vector<Cell> row = {{name_of(item)}, {count(item.instance.flows)}};
  for (const char* step : {"load", "build", "solve", "assess", "whole"})
    row.push_back({duration(item.step(step).median_us())});
  row.push_back({item.peak_memory_bytes ? bytes(*item.peak_memory_bytes) : "-"});
  table.add_row(std::move(row));
  return true;
}

bool add_quality(Table& table, const CaseResult& item) {
  const auto add = [&](const std::string& name, const Quality& quality) {
    const Certificate& certificate = quality.certificate;
    table.add_row({{name},
                   {times(quality.worst_job)},
                   {times(quality.lower_bound)},
                   {percent(static_cast<double>(certificate.jobs_at_bound) / item.instance.jobs)},
                   {percent(static_cast<double>(certificate.jobs_in_even_share) / item.instance.jobs)},
                   {percent(quality.network_efficiency)},
                   {percent(quality.fluid_bound)},
                   proof(certificate),
                   {abbreviate(quality.digest)}});
  };
  if (!item.quality) return false;
  add(name_of(item), *item.quality);
  if (item.repair) add(kAfresh, item.repair->afresh);
  return true;
}

std::string head(const Run& run) {
  const Machine& machine = run.machine;
  std::string text = fmt::format("Spineweave {}{} on {} with {}, {} of memory, load {:.1f} before the run; {}",
                                 run.version, run.commit.empty() ? "" : fmt::format(" ({})", run.commit), machine.cpu,
                                 count(machine.threads, "thread"), bytes(machine.memory_bytes), machine.load_average,
                                 machine.compiler);
  const auto measured = std::ranges::find_if(run.cases, [](const CaseResult& item) { return item.skipped.empty(); });
  if (measured != run.cases.end())
    text += fmt::format("; backend {} ({}), seed {}", measured->backend, measured->device, run.seed);
  return text;
}

std::string repair_sentence(const CaseResult& item) {
  const Repair& repair = *item.repair;
  return fmt::format(
      "{}: {} fails, and {} of {} lose their path. From the routing before, matched by name in {}, {} ({}) get "
      "another path in {}; a solve from nothing takes {}.",
      item.subject.name, repair.cable, count(repair.displaced), count(item.instance.flows, "flow"),
      duration(item.step("match").median_us()), count(repair.moved, "flow"),
      percent(static_cast<double>(repair.moved) / item.instance.flows), duration(item.step("repair").median_us()),
      duration(item.step("afresh").median_us()));
}

}  // namespace

std::string run_text(const Run& run, const TextStyle& style) {
  std::string text = wrap(head(run), style.width, 2) + "\n";
  text +=
      titled("Scoring all candidate paths of every flow, one thread", run, style,
             Table({{"case", true}, {"paths"}, {"median"}, {"min"}, {"max"}, {"paths/s"}, {"runs"}, {"digest", true}}),
             add_score);
  text +=
      titled("Solving", run, style,
             Table({{"case", true}, {"threads"}, {"median"}, {"min"}, {"max"}, {"flows/s"}, {"per flow"}, {"runs"}}),
             add_solve);
  text += titled("The parts of a whole run, medians", run, style,
                 Table({{"case", true}, {"flows"}, {"load"}, {"build"}, {"solve"}, {"assess"}, {"whole"}, {"memory"}}),
                 add_whole);
  text += titled("What came out", run, style,
                 Table({{"case", true},
                        {"worst"},
                        {"bound"},
                        {"optimal"},
                        {"share"},
                        {"net eff"},
                        {"fluid"},
                        {"proof"},
                        {"digest", true}}),
                 add_quality);
  std::string notes;
  for (const CaseResult& item : run.cases) {
    if (item.repair) notes += wrap(repair_sentence(item), style.width, 2) + "\n";
    if (!item.skipped.empty())
      notes += wrap(fmt::format("Skipped: {}: {}", item.subject.name, item.skipped), style.width, 2) + "\n";
  }
  if (run.cases.size() < run.num_chosen)
    notes +=
        fmt::format("Interrupted: {} of {} were measured.\n", count(run.cases.size()), count(run.num_chosen, "case"));
  return text + (notes.empty() ? "" : "\n" + notes);
}

}  // namespace spineweave::bench
