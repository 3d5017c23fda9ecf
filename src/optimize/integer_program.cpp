#include "optimize/integer_program.hpp"

#include <Cbc_C_Interface.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <limits>
#include <memory>
#include <numeric>

#include "spineweave/error.hpp"

namespace spineweave {
namespace {

constexpr int kPollMs = 20;

using Answer = IntegerProgram::Answer;

[[noreturn]] void fail(const char* what) {
  throw Error(ErrorCode::internal, fmt::format("the integer program's own process {}", what));
}

void write_all(int to, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(to, bytes, size);
    if (written <= 0) ::_exit(1);
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

// The process that solves, and the end of a pipe from which its answer comes.
class Solving {
 public:
  // `work(to)` writes the answer, in the new process.
  template <class Work>
  explicit Solving(const Work& work) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("could not be made");
    process_ = ::fork();
    if (process_ == 0) {
      std::signal(SIGINT, SIG_IGN);  // a Ctrl-C is for the program, which stops this process
      work(ends[1]);
      ::_exit(0);
    }
    ::close(ends[1]);
    answer_ = ends[0];
    if (process_ < 0) {
      ::close(answer_);
      fail("could not be made");
    }
  }
  Solving(const Solving&) = delete;
  Solving& operator=(const Solving&) = delete;
  ~Solving() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    ::close(answer_);
  }

  // False where `stop` came first.
  [[nodiscard]] bool read(void* data, std::size_t size, const std::function<bool()>& stop) const {
    auto* bytes = static_cast<char*>(data);
    while (size > 0) {
      if (stop()) return false;
      pollfd waiting = {answer_, POLLIN, 0};
      if (::poll(&waiting, 1, kPollMs) <= 0) continue;
      const ssize_t got = ::read(answer_, bytes, size);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) fail("ended early");
      bytes += got;
      size -= static_cast<std::size_t>(got);
    }
    return true;
  }

 private:
  pid_t process_ = -1;
  int answer_ = -1;
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

Answer IntegerProgram::solve_here(std::vector<std::uint64_t>& values) const {
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
  (void)Cbc_solve(model.get());
  if (Cbc_isProvenInfeasible(model.get()) != 0) return Answer::impossible;
  const double* const solution = Cbc_isProvenOptimal(model.get()) != 0 ? Cbc_getColSolution(model.get()) : nullptr;
  if (solution == nullptr) return Answer::unknown;
  values.resize(columns);
  for (std::size_t column = 0; column < columns; ++column)
    values[column] = static_cast<std::uint64_t>(std::llround(std::max(0.0, solution[column])));
  return Answer::found;
}

Answer IntegerProgram::solve(const std::function<bool()>& stop, std::vector<std::uint64_t>& values) const {
  const Solving solving([this](int to) {
    std::vector<std::uint64_t> solution;
    const Answer answer = solve_here(solution);
    solution.resize(num_columns());
    write_all(to, &answer, sizeof answer);
    write_all(to, solution.data(), solution.size() * sizeof solution.front());
  });
  Answer answer = Answer::unknown;
  std::vector<std::uint64_t> solution(num_columns());
  if (!solving.read(&answer, sizeof answer, stop) ||
      !solving.read(solution.data(), solution.size() * sizeof solution.front(), stop))
    return Answer::unknown;
  if (answer == Answer::found) values = std::move(solution);
  return answer;
}

}  // namespace spineweave
