// Tables for other programs.
#pragma once

#include <string>

namespace spineweave::report {

// As it is, or in quotes where it holds what a table is made of (RFC 4180).
[[nodiscard]] std::string csv_field(const std::string& text);

}  // namespace spineweave::report
