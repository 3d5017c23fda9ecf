// Options of solvers that several verbs have.
#pragma once

#include "cli/command_line.hpp"
#include "spineweave/optimize.hpp"

namespace spineweave::cli {

void add_rounds_option(CommandLine& line);
void add_ecmp_hash_option(CommandLine& line);

[[nodiscard]] std::uint32_t rounds_of(const CommandLine& line);
[[nodiscard]] EcmpHash ecmp_hash_of(const CommandLine& line);
// Of --time-limit, which verbs describe in words of their own. 0: none was given.
[[nodiscard]] std::uint64_t time_limit_us_of(const CommandLine& line);

}  // namespace spineweave::cli
