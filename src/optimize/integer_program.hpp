// Integer programs, solved by COIN-OR's CBC.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace spineweave {

// Looks for integers within limits that satisfy linear constraints with integer coefficients.
class IntegerProgram {
 public:
  struct Term {
    std::uint32_t column;
    std::int64_t factor;
  };

  // An integer from 0 to `most`. Returns its column.
  std::uint32_t add_column(std::uint64_t most);
  // least <= sum of terms <= most.
  void add_row(std::span<const Term> terms, std::int64_t least, std::int64_t most);
  static constexpr std::int64_t kUnlimited = std::int64_t{1} << 62U;  // as `-least` or `most`

  [[nodiscard]] std::size_t num_columns() const { return column_most_.size(); }

  enum class Answer : std::uint8_t { found, impossible, unknown };
  // `values` gets a solution: [num_columns]. Answer::unknown where `stop`, asked many times a second, says true
  // before. Works in a process of its own: CBC's root relaxation looks at no limit and no signal.
  // Throws Error{internal} where that process cannot be made or ends early.
  [[nodiscard]] Answer solve(const std::function<bool()>& stop, std::vector<std::uint64_t>& values) const;

 private:
  [[nodiscard]] Answer solve_here(std::vector<std::uint64_t>& values) const;

  std::vector<std::uint64_t> column_most_;
  std::vector<std::int64_t> row_least_, row_most_;
  std::vector<std::size_t> row_begin_{0};  // [rows + 1] into terms_
  std::vector<Term> terms_;
};

}  // namespace spineweave
