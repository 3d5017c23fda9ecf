#include "service/store/schema.hpp"

#include <fmt/format.h>

#include <array>

#include "service/control/errors.hpp"

namespace spineweave::service {
namespace {

constexpr std::int64_t kApplicationId = 0x5370576e;  // "SpWn"

// Step i leads from version i to i + 1. Steps are never edited, only added. Times are nanoseconds since 1970.
constexpr std::array kSteps = {
    R"sql(
CREATE TABLE state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  revision INTEGER NOT NULL,
  fabric_revision INTEGER NOT NULL,
  phases_revision INTEGER NOT NULL,
  frozen INTEGER NOT NULL,
  routing_revision INTEGER NOT NULL,
  routing_digest INTEGER NOT NULL,
  published_at INTEGER NOT NULL,
  history_since INTEGER NOT NULL
) STRICT;
CREATE TABLE fabric (one INTEGER PRIMARY KEY CHECK (one = 1), document TEXT NOT NULL, digest INTEGER NOT NULL) STRICT;
CREATE TABLE phases (place INTEGER PRIMARY KEY, id TEXT NOT NULL, length_ns INTEGER NOT NULL) STRICT;
CREATE TABLE jobs (id TEXT PRIMARY KEY, revision INTEGER NOT NULL, document TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE ports (
  is_switch INTEGER NOT NULL,
  id INTEGER NOT NULL,
  reported INTEGER NOT NULL,
  reported_bps INTEGER NOT NULL,
  believed INTEGER NOT NULL,
  believed_bps INTEGER NOT NULL,
  observed_at INTEGER NOT NULL,
  held_until INTEGER NOT NULL,
  got_worse_at INTEGER NOT NULL,
  flaps INTEGER NOT NULL,
  PRIMARY KEY (is_switch, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE routes (job TEXT PRIMARY KEY, paths BLOB NOT NULL) STRICT;
CREATE TABLE hosts (
  name TEXT PRIMARY KEY,
  acknowledged INTEGER NOT NULL,
  acknowledged_at INTEGER NOT NULL,
  behind_since INTEGER NOT NULL,
  as_of INTEGER NOT NULL,
  detours BLOB NOT NULL
) STRICT;
CREATE TABLE changes (revision INTEGER PRIMARY KEY, record BLOB NOT NULL) STRICT;
INSERT INTO state VALUES (1, 0, 0, 0, 0, 0, 0, 0, 0);
)sql"};

}  // namespace

void migrate(Database& database) {
  const std::int64_t owner = database.number("PRAGMA application_id");
  const std::int64_t version = database.number("PRAGMA user_version");
  const bool is_new = owner == 0 && version == 0 && database.number("SELECT count(*) FROM sqlite_schema") == 0;
  if (!is_new && owner != kApplicationId)
    throw StoreError("the state file is a database of another program; expected the state of Spineweave");
  const auto newest = static_cast<std::int64_t>(kSteps.size());
  if (version > newest)
    throw StoreError(fmt::format("the state is of schema {}, this program knows {} at most; use a newer version of it",
                                 version, newest));
  if (version == newest) return;
  database.execute("BEGIN IMMEDIATE");
  for (auto step = static_cast<std::size_t>(version); step < kSteps.size(); ++step) database.execute(kSteps[step]);
  database.execute(fmt::format("PRAGMA application_id = {}", kApplicationId).c_str());
  database.execute(fmt::format("PRAGMA user_version = {}", newest).c_str());
  database.execute("COMMIT");
}

}  // namespace spineweave::service
