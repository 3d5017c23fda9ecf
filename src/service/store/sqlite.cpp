#include "service/store/sqlite.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <utility>

#include "service/control/errors.hpp"

namespace spineweave::service {
namespace {

// What an operator can do about it.
std::string_view advice(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return "; the disk is full";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "; expected a directory that this user may write to";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "; the file is damaged: restore it from a backup, or move it away to start with nothing";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "; another program has it open";
    default:
      return "";
  }
}

// SQLite lets all read what it makes, and its other files get the rights of the first. What fails here, it explains.
void make_private(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
}

}  // namespace

void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Database::Database(std::string path) : path_(std::move(path)) {
  make_private(path_);
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(path_.c_str(), &connection,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  connection_.reset(connection);
  if (code != SQLITE_OK) fail(code);
  sqlite3_extended_result_codes(connection, 1);
}

void Database::execute(const char* sql) {
  if (const int code = sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr); code != SQLITE_OK) fail(code);
}

std::int64_t Database::number(const char* sql) {
  std::int64_t value = 0;
  Statement(*this, sql).each([&](Statement& row) { value = row.read_number(); });
  return value;
}

std::string Database::text(const char* sql) {
  std::string value;
  Statement(*this, sql).each([&](Statement& row) { value = row.read_text(); });
  return value;
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(connection_.get()) == 0; }

void Database::fail(int code) const {
  const char* what = connection_ ? sqlite3_errmsg(connection_.get()) : sqlite3_errstr(code);
  throw StoreError(fmt::format("{}: {}{}", path_, what, advice(code)));
}

void Statement::Finalise::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(Database& database, const char* sql) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v3(database.connection_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) database.fail(code);
}

std::int64_t Statement::read_number() { return sqlite3_column_int64(statement_.get(), column_++); }

std::string Statement::read_text() {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column_));
  const auto length = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column_++));
  return text == nullptr ? std::string() : std::string(text, length);
}

Bytes Statement::read_bytes() {
  const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column_));
  const int length = sqlite3_column_bytes(statement_.get(), column_++);
  return bytes == nullptr ? Bytes() : Bytes(bytes, bytes + length);
}

void Statement::bind(int place, std::int64_t value) {
  if (const int code = sqlite3_bind_int64(statement_.get(), place, value); code != SQLITE_OK) database_.fail(code);
}

// What is bound outlives the run: SQLite need not copy it.
void Statement::bind(int place, std::string_view value) {
  const int code = sqlite3_bind_text64(statement_.get(), place, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) database_.fail(code);
}

void Statement::bind(int place, const Bytes& value) {
  const int code = value.empty()
                       ? sqlite3_bind_zeroblob(statement_.get(), place, 0)
                       : sqlite3_bind_blob64(statement_.get(), place, value.data(), value.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) database_.fail(code);
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  database_.fail(code);
}

// Bindings stay; the next run sets them all.
void Statement::reset() { sqlite3_reset(statement_.get()); }

}  // namespace spineweave::service
