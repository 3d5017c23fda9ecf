#include <fmt/format.h>

#include "cli/outputs.hpp"
#include "cli/verbs.hpp"
#include "spineweave/evaluator.hpp"

namespace spineweave::cli {
namespace {

constexpr Manual kManual = {"backends", "Lists where scores can be computed on this machine, the preferred one first.",
                            "", "  spineweave backends"};

}  // namespace

int backends(const Arguments& arguments) {
  CommandLine line(kManual);
  if (!line.parse(arguments)) return 0;
  std::string text = fmt::format("{:<10}{:<8}{}\n", "backend", "usable", "device, or why not");
  for (const Capabilities& backend : list_backends())
    text += fmt::format("{:<10}{:<8}{}\n", backend.name, backend.usable ? "yes" : "no",
                        backend.usable ? backend.device : backend.why_not);
  print_text(text);
  return 0;
}

}  // namespace spineweave::cli
