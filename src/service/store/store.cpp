#include "service/store/store.hpp"

#include "service/control/errors.hpp"
#include "service/store/directory_lock.hpp"
#include "service/store/records.hpp"
#include "service/store/schema.hpp"
#include "service/store/sqlite.hpp"

namespace spineweave::service {
namespace {

std::int64_t count_of(Nanoseconds time) { return time.count(); }
Nanoseconds read_time(Statement& row) { return Nanoseconds(row.read_number()); }
std::uint32_t read_id(Statement& row) { return static_cast<std::uint32_t>(row.read_number()); }

PortState read_port_state(Statement& row) {
  const auto state = static_cast<LinkState>(row.read_number());
  return {state, row.read_unsigned()};
}

// Open, but of which nothing was read yet.
Database open_database(const std::string& directory) {
  Database database(directory + "/state.db");
  // Alone on the file, SQLite needs no shared memory beside it. Full: the log is flushed at each commit.
  database.execute("PRAGMA locking_mode = EXCLUSIVE");
  (void)database.text("PRAGMA journal_mode = WAL");
  database.execute("PRAGMA synchronous = FULL");
  database.execute("PRAGMA journal_size_limit = 67108864");
  // A commit that has to empty the log as well takes some flushes more: rarer than one in a hundred.
  database.execute("PRAGMA wal_autocheckpoint = 4000");
  if (const std::string found = database.text("PRAGMA quick_check(1)"); found != "ok")
    throw StoreError(directory + "/state.db is damaged: " + found);
  migrate(database);
  return database;
}

class SqliteStore final : public Store {
 public:
  explicit SqliteStore(const std::string& directory) : lock_(directory), database_(open_database(directory)) {}

  StoredState load() override;

  void begin() override { database_.execute("BEGIN IMMEDIATE"); }
  void commit() override { database_.execute("COMMIT"); }
  void abort() noexcept override {
    try {
      if (database_.in_transaction()) database_.execute("ROLLBACK");
    } catch (const StoreError&) {  // SQLite has rolled back by itself
    }
  }

  void put_scalars(const StoredScalars& scalars) override {
    put_scalars_.run(scalars.revision, scalars.fabric_revision, scalars.phases_revision, scalars.frozen,
                     scalars.routing_revision, scalars.routing_digest, count_of(scalars.published_at),
                     scalars.history_since);
  }
  void put_fabric(const StoredFabric& fabric) override {
    put_fabric_.run(std::string_view(fabric.document), fabric.digest);
  }
  void put_phases(const std::vector<Phase>& phases) override {
    database_.execute("DELETE FROM phases");
    std::uint64_t place = 0;
    for (const Phase& phase : phases) put_phase_.run(place++, std::string_view(phase.id), phase.length_ns);
  }
  void put_job(std::string_view id, const StoredJob& job) override {
    put_job_.run(id, job.revision, std::string_view(job.document));
  }
  void remove_job(std::string_view id) override { remove_job_.run(id); }
  void put_port(const StoredPort& port) override {
    const PortReport& report = port.report;
    put_port_.run(port.is_switch, port.id, static_cast<std::uint32_t>(report.reported.state),
                  report.reported.degraded_bps, static_cast<std::uint32_t>(report.believed.state),
                  report.believed.degraded_bps, count_of(report.observed_at), count_of(report.held_until),
                  count_of(report.got_worse_at), report.flaps);
  }
  void clear_ports() override { database_.execute("DELETE FROM ports"); }
  void put_routes(std::string_view job, const PathTable& paths) override { put_routes_.run(job, encode_paths(paths)); }
  void remove_routes(std::string_view job) override { remove_routes_.run(job); }
  void put_host(const StoredHost& host) override {
    const std::vector<Detour> none;
    put_host_.run(std::string_view(host.name), host.state.acknowledged, count_of(host.state.acknowledged_at),
                  count_of(host.state.behind_since), host.as_of,
                  encode_detours(host.state.detours ? *host.state.detours : none));
  }
  void clear_hosts() override { database_.execute("DELETE FROM hosts"); }
  void add_change(const RoutingChange& change) override { add_change_.run(change.revision, encode_change(change)); }
  void drop_changes(Revision until) override { drop_changes_.run(until); }

 private:
  void load_ports(StoredState& state);
  void load_hosts(StoredState& state);

  DirectoryLock lock_;
  Database database_;
  Statement put_scalars_{database_, "REPLACE INTO state VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Statement put_fabric_{database_, "REPLACE INTO fabric VALUES (1, ?, ?)"};
  Statement put_phase_{database_, "INSERT INTO phases VALUES (?, ?, ?)"};
  Statement put_job_{database_, "REPLACE INTO jobs VALUES (?, ?, ?)"};
  Statement remove_job_{database_, "DELETE FROM jobs WHERE id = ?"};
  Statement put_port_{database_, "REPLACE INTO ports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Statement put_routes_{database_, "REPLACE INTO routes VALUES (?, ?)"};
  Statement remove_routes_{database_, "DELETE FROM routes WHERE job = ?"};
  Statement put_host_{database_, "REPLACE INTO hosts VALUES (?, ?, ?, ?, ?, ?)"};
  Statement add_change_{database_, "REPLACE INTO changes VALUES (?, ?)"};
  Statement drop_changes_{database_, "DELETE FROM changes WHERE revision <= ?"};
};

StoredState SqliteStore::load() {
  StoredState state;
  Statement(database_, "SELECT * FROM state").each([&](Statement& row) {
    (void)row.read_number();
    StoredScalars& scalars = state.scalars;
    scalars.revision = row.read_unsigned();
    scalars.fabric_revision = row.read_unsigned();
    scalars.phases_revision = row.read_unsigned();
    scalars.frozen = row.read_number() != 0;
    scalars.routing_revision = row.read_unsigned();
    scalars.routing_digest = row.read_unsigned();
    scalars.published_at = read_time(row);
    scalars.history_since = row.read_unsigned();
  });
  Statement(database_, "SELECT document, digest FROM fabric").each([&](Statement& row) {
    std::string document = row.read_text();
    state.fabric = {std::move(document), row.read_unsigned()};
  });
  Statement(database_, "SELECT id, length_ns FROM phases ORDER BY place").each([&](Statement& row) {
    std::string id = row.read_text();
    state.phases.push_back({std::move(id), row.read_unsigned()});
  });
  Statement(database_, "SELECT revision, document FROM jobs ORDER BY id").each([&](Statement& row) {
    const Revision revision = row.read_unsigned();
    state.jobs.push_back({revision, row.read_text()});
  });
  Statement(database_, "SELECT job, paths FROM routes ORDER BY job").each([&](Statement& row) {
    std::string job = row.read_text();
    state.routes.emplace_back(std::move(job), decode_paths(row.read_bytes()));
  });
  Statement(database_, "SELECT record FROM changes ORDER BY revision").each([&](Statement& row) {
    state.changes.push_back(std::make_shared<const RoutingChange>(decode_change(row.read_bytes())));
  });
  load_ports(state);
  load_hosts(state);
  return state;
}

void SqliteStore::load_ports(StoredState& state) {
  Statement(database_, "SELECT * FROM ports").each([&](Statement& row) {
    StoredPort port;
    port.is_switch = row.read_number() != 0;
    port.id = read_id(row);
    port.report.reported = read_port_state(row);
    port.report.believed = read_port_state(row);
    port.report.observed_at = read_time(row);
    port.report.held_until = read_time(row);
    port.report.got_worse_at = read_time(row);
    port.report.flaps = read_id(row);
    state.ports.push_back(port);
  });
}

void SqliteStore::load_hosts(StoredState& state) {
  Statement(database_, "SELECT * FROM hosts").each([&](Statement& row) {
    StoredHost host;
    host.name = row.read_text();
    host.state.acknowledged = row.read_unsigned();
    host.state.acknowledged_at = read_time(row);
    host.state.behind_since = read_time(row);
    host.as_of = row.read_unsigned();
    auto detours = decode_detours(row.read_bytes());
    if (!detours.empty()) host.state.detours = std::make_shared<const std::vector<Detour>>(std::move(detours));
    state.hosts.push_back(std::move(host));
  });
}

}  // namespace

std::unique_ptr<Store> open_store(const std::string& directory) { return std::make_unique<SqliteStore>(directory); }

}  // namespace spineweave::service
