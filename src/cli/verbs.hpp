// The verbs of the program: each takes what follows its name and returns the exit status.
#pragma once

#include "cli/command_line.hpp"

namespace spineweave::cli {

[[nodiscard]] int inspect(const Arguments& arguments);
[[nodiscard]] int optimize(const Arguments& arguments);
[[nodiscard]] int evaluate(const Arguments& arguments);
[[nodiscard]] int simulate(const Arguments& arguments);
[[nodiscard]] int reproduce(const Arguments& arguments);
[[nodiscard]] int generate(const Arguments& arguments);
[[nodiscard]] int convert(const Arguments& arguments);
[[nodiscard]] int bench(const Arguments& arguments);
[[nodiscard]] int serve(const Arguments& arguments);  // where the service is built
[[nodiscard]] int backends(const Arguments& arguments);

}  // namespace spineweave::cli
