// SQLite's C interface with owners and errors: just as much of it as the store needs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace spineweave::service {

using Bytes = std::vector<std::uint8_t>;

// One connection. Every failure throws StoreError that names the file and what SQLite says.
class Database {
 public:
  explicit Database(std::string path);

  void execute(const char* sql);
  [[nodiscard]] std::int64_t number(const char* sql);  // the one value of its one row
  [[nodiscard]] std::string text(const char* sql);
  [[nodiscard]] bool in_transaction() const;
  // `code` is what a call gave.
  [[noreturn]] void fail(int code) const;

 private:
  friend class Statement;
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> connection_;
};

// Compiled once, run often. Parameters are bound in order, columns read in order.
class Statement {
 public:
  Statement(Database& database, const char* sql);

  // Runs it for one row at most that nobody reads.
  template <class... Values>
  void run(const Values&... values) {
    bind_all(values...);
    (void)step();
    reset();
  }
  // Calls `row(*this)` for each row.
  template <class Row, class... Values>
  void each(const Row& row, const Values&... values) {
    bind_all(values...);
    while (step()) {
      column_ = 0;
      row(*this);
    }
    reset();
  }

  [[nodiscard]] std::int64_t read_number();
  [[nodiscard]] std::uint64_t read_unsigned() { return static_cast<std::uint64_t>(read_number()); }
  [[nodiscard]] std::string read_text();
  [[nodiscard]] Bytes read_bytes();

 private:
  template <class... Values>
  void bind_all(const Values&... values) {
    reset();  // after a failure
    int place = 0;
    (bind(++place, values), ...);
  }
  void bind(int place, std::int64_t value);
  void bind(int place, std::uint64_t value) { bind(place, static_cast<std::int64_t>(value)); }
  void bind(int place, std::uint32_t value) { bind(place, static_cast<std::int64_t>(value)); }
  void bind(int place, bool value) { bind(place, static_cast<std::int64_t>(value)); }
  void bind(int place, std::string_view value);
  void bind(int place, const Bytes& value);
  [[nodiscard]] bool step();
  void reset();

  struct Finalise {
    void operator()(sqlite3_stmt* statement) const;
  };
  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalise> statement_;
  int column_ = 0;
};

}  // namespace spineweave::service
