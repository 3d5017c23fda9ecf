#include "optimize/integer_program.hpp"

#include <Cbc_C_Interface.h>

#include <cmath>
#include <csignal>
#include <limits>
#include <memory>
#include <numeric>

namespace spineweave {
namespace {

// CBC puts its own handler of SIGINT in place while it solves, which would hide the signal from the program.
class OwnInterrupt {
 public:
  OwnInterrupt() { sigaction(SIGINT, nullptr, &before_); }
  OwnInterrupt(const OwnInterrupt&) = delete;
  OwnInterrupt& operator=(const OwnInterrupt&) = delete;
  ~OwnInterrupt() { sigaction(SIGINT, &before_, nullptr); }

 private:
  struct sigaction before_ {};
};

double as_bound(std::int64_t value) {
  if (value >= IntegerProgram::kUnlimited) return std::numeric_limits<double>::max();
  if (value <= -IntegerProgram::kUnlimited) return -std::numeric_limits<double>::max();
  return static_cast<double>(value);
}

}  // namespace

std::uint32_t IntegerProgram::add_column(std::uint64_t most) {
  column_most_.push_back(most);
  return static_cast<std::uint32_t>(column_most_.size() - 1);
}

void IntegerProgram::add_row(std::span<const Term> terms, std::int64_t least, std::int64_t most) {
  terms_.insert(terms_.end(), terms.begin(), terms.end());
  row_begin_.push_back(terms_.size());
  row_least_.push_back(least);
  row_most_.push_back(most);
}

IntegerProgram::Answer IntegerProgram::solve(double seconds, std::vector<std::uint64_t>& values) const {
  const std::size_t columns = num_columns(), rows = row_most_.size();
  // Column by column, as CBC wants it.
  std::vector<CoinBigIndex> column_begin(columns + 1, 0);
  for (const Term& term : terms_) ++column_begin[term.column + 1];
  std::partial_sum(column_begin.begin(), column_begin.end(), column_begin.begin());
  std::vector<int> row_of(terms_.size());
  std::vector<double> factor(terms_.size());
  std::vector<CoinBigIndex> next(column_begin.begin(), column_begin.end() - 1);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = row_begin_[row]; i < row_begin_[row + 1]; ++i) {
      const auto at = static_cast<std::size_t>(next[terms_[i].column]++);
      row_of[at] = static_cast<int>(row);
      factor[at] = static_cast<double>(terms_[i].factor);
    }
  }
  const std::vector<double> zeros(columns, 0.0);
  const std::vector<double> column_most(column_most_.begin(), column_most_.end());
  std::vector<double> row_least, row_most;
  for (std::size_t row = 0; row < rows; ++row) {
    row_least.push_back(as_bound(row_least_[row]));
    row_most.push_back(as_bound(row_most_[row]));
  }

  const std::unique_ptr<Cbc_Model, void (*)(Cbc_Model*)> model(Cbc_newModel(), Cbc_deleteModel);
  Cbc_loadProblem(model.get(), static_cast<int>(columns), static_cast<int>(rows), column_begin.data(), row_of.data(),
                  factor.data(), zeros.data(), column_most.data(), zeros.data(), row_least.data(), row_most.data());
  for (std::size_t column = 0; column < columns; ++column) Cbc_setInteger(model.get(), static_cast<int>(column));
  Cbc_setLogLevel(model.get(), 0);
  if (seconds > 0) Cbc_setMaximumSeconds(model.get(), seconds);
  {
    const OwnInterrupt own;
    (void)Cbc_solve(model.get());
  }
  if (Cbc_isProvenInfeasible(model.get()) != 0) return Answer::impossible;
  const double* const solution = Cbc_isProvenOptimal(model.get()) != 0 ? Cbc_getColSolution(model.get()) : nullptr;
  if (solution == nullptr) return Answer::unknown;
  values.resize(columns);
  for (std::size_t column = 0; column < columns; ++column)
    values[column] = static_cast<std::uint64_t>(std::llround(std::max(0.0, solution[column])));
  return Answer::found;
}

}  // namespace spineweave
