// The small pieces that pages are made of.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace spineweave::report {

// For text and for attributes in double quotes.
[[nodiscard]] std::string escape_html(std::string_view text);

// A string literal for a script inside a page: no part of it can end the script element.
[[nodiscard]] std::string script_string(std::string_view text);

[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

// The page's style sheet and script, without their elements.
[[nodiscard]] std::string_view page_style();
[[nodiscard]] std::string_view page_script();

}  // namespace spineweave::report
