// Small text helpers: natural order, near names, numbers with units, lists of names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spineweave::util {

// "leaf2" before "leaf10": runs of digits compare as numbers, then the plain order decides.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

// The whole text as a number; nothing for an empty, signed, fractional or too large one.
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text);
// Finite decimal number.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);
// "4GB", "512MiB", "1500B" -> bytes. A unit is a must.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);
// "50ms", "1.5s", "200us", "2min" -> nanoseconds. A unit is a must.
[[nodiscard]] std::optional<std::uint64_t> parse_duration_ns(std::string_view text);

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
[[nodiscard]] std::string_view trim(std::string_view text);

// "a, b, c and 17 more"
[[nodiscard]] std::string join_names(std::span<const std::string> names, std::size_t most = 5);
// Those of `known` that are nearest to `name` by edit distance: "did you mean leaf-1, leaf-11?"; empty
// where none is near.
[[nodiscard]] std::string suggest(std::string_view name, std::span<const std::string_view> known);
// The message, with that behind it where there is one.
[[nodiscard]] std::string with_hint(std::string message, std::string_view name,
                                    std::span<const std::string_view> known);

// "kind:key=value,key=value" with keys checked by the caller.
struct Spec {
  std::string kind;
  std::vector<std::pair<std::string, std::string>> values;
};
// Throws Error{usage} on a malformed text or a key given twice.
[[nodiscard]] Spec parse_spec(std::string_view text);

// Reads a spec's values by key and knows which were never asked for.
class SpecReader {
 public:
  explicit SpecReader(Spec spec) : spec_(std::move(spec)), used_(spec_.values.size(), false) {}
  [[nodiscard]] const std::string& kind() const { return spec_.kind; }
  [[nodiscard]] std::optional<std::string> text(std::string_view key);
  // Throws Error{usage} unless it is a whole number in [least, most].
  [[nodiscard]] std::optional<std::uint64_t> number(std::string_view key, std::uint64_t least, std::uint64_t most);
  [[nodiscard]] std::uint64_t number_or(std::string_view key, std::uint64_t fallback, std::uint64_t least,
                                        std::uint64_t most);
  // The same, but the key is a must.
  [[nodiscard]] std::uint64_t required(std::string_view key, std::uint64_t least, std::uint64_t most);
  [[nodiscard]] std::optional<double> real(std::string_view key);
  // Throws Error{usage} that names keys nobody asked for, with the nearest known one.
  void finish() const;

 private:
  Spec spec_;
  std::vector<bool> used_;
  std::vector<std::string> asked_;
};

}  // namespace spineweave::util
