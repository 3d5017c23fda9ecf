#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>

#include "cli/verbs.hpp"
#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave::cli {
namespace {

struct Verb {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Arguments&);
};

constexpr Verb kVerbs[] = {
    {"inspect", "check a fabric and its jobs, and name what is odd", inspect},
    {"optimize", "choose a path for every flow, and report what it gains", optimize},
    {"evaluate", "score a given routing, or a solver's", evaluate},
    {"simulate", "play jobs over time under several schemes", simulate},
    {"reproduce", "play all scenarios of the paper under several schemes", reproduce},
    {"generate", "write a fabric or jobs from a spec", generate},
    {"convert", "turn another format's fabric or jobs into ours", convert},
    {"bench", "measure the standard performance table on this machine", bench},
#ifdef SPINEWEAVE_HAS_SERVICE
    {"serve", "keep the routing of a live fabric, over HTTP", serve},
#endif
    {"backends", "list where scores can be computed on this machine", backends},
};

void print_help() {
  fmt::print(
      "Spineweave chooses routes for machine-learning traffic over data-centre fabrics.\n\n"
      "Usage:\n"
      "  spineweave VERB [options]\n\n"
      "Verbs:\n");
  for (const Verb& verb : kVerbs) fmt::print("  {:<11}{}\n", verb.name, verb.summary);
  fmt::print(
      "\n'spineweave VERB --help' lists a verb's options; --version shows the version.\n\n"
      "Examples:\n"
      "  spineweave optimize --fabric leaf-spine:leaves=8,spines=4,hosts=8,gbps=100 \\\n"
      "    --jobs rings:jobs=8,size=8,placement=random,seed=1 -o routing.json\n"
      "  spineweave inspect --fabric fabric.json --jobs jobs.json\n\n"
      "Exit status: 0 done, 2 wrong usage, 3 bad input, 4 backend unavailable,\n"
      "5 internal error, 6 out of memory, 130 interrupted (what was found is written).\n");
}

const Verb& find_verb(std::string_view name) {
  const auto* verb = std::find_if(std::begin(kVerbs), std::end(kVerbs), [&](const Verb& v) { return v.name == name; });
  if (verb != std::end(kVerbs)) return *verb;
  std::vector<std::string_view> names;
  for (const Verb& known : kVerbs) names.push_back(known.name);
  const std::string hint = util::suggest(name, names);
  throw Error(ErrorCode::usage,
              fmt::format("unknown {} '{}'; {}", name.starts_with('-') ? "option" : "verb", name,
                          hint.empty() ? fmt::format("the verbs are {}", fmt::join(names, ", ")) : hint));
}

int run(Arguments arguments) {
  if (arguments.empty()) throw Error(ErrorCode::usage, "a verb is missing");
  const std::string first = arguments.front();
  if (first == "--help" || first == "-h") return print_help(), 0;
  if (first == "--version") return fmt::print("spineweave {}\n", SPINEWEAVE_VERSION), 0;
  const Verb& verb = find_verb(first);
  arguments.erase(arguments.begin());
  return verb.run(arguments);
}

int fail(ErrorCode code, std::string_view message) {
  fmt::print(stderr, "spineweave: error: {}\n", message);
  return static_cast<int>(code);
}

}  // namespace
}  // namespace spineweave::cli

int main(int argc, char** argv) {
  using spineweave::ErrorCode;
  namespace cli = spineweave::cli;
  const cli::Arguments arguments(argv + std::min(argc, 1), argv + argc);
  try {
    return cli::run(arguments);
  } catch (const spineweave::Error& error) {
    const int status = cli::fail(error.code(), error.what());
    if (error.code() == ErrorCode::usage) fmt::print(stderr, "spineweave: --help shows how it is used\n");
    return status;
  } catch (const std::bad_alloc&) {
    return cli::fail(ErrorCode::out_of_memory, "out of memory");
  } catch (const std::exception& error) {
    return cli::fail(ErrorCode::internal, error.what());
  }
}
