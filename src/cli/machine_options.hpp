// Options that say what to compute with. They change no result.
#pragma once

#include <cstdint>
#include <string>

#include "cli/command_line.hpp"

namespace spineweave::cli {

void add_machine_options(CommandLine& line);  // --threads, --backend

[[nodiscard]] std::uint32_t threads_of(const CommandLine& line);
// Throws what make_evaluator would throw for the name.
[[nodiscard]] std::string checked_backend(const CommandLine& line);

}  // namespace spineweave::cli
