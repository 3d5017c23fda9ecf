// The state directory: what survives the process. SQLite with a write-ahead log, flushed at each commit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/control/snapshot.hpp"

namespace spineweave::service {

struct StoredScalars {
  Revision revision = 0, fabric_revision = 0, phases_revision = 0;
  bool frozen = false;
  Revision routing_revision = 0;
  std::uint64_t routing_digest = 0;
  Nanoseconds published_at{0};
  Revision history_since = 0;
};

struct StoredFabric {
  std::string document;      // spineweave.fabric/1
  std::uint64_t digest = 0;  // its ids are those of ports and paths: they hold for a fabric with this digest
};

struct StoredJob {
  Revision revision = 0;
  std::string document;  // spineweave.jobs/1 with this job alone
};

struct StoredPort {
  bool is_switch = false;
  std::uint32_t id = kNone;  // a LinkId or a NodeId
  PortReport report;
};

// A host as it was at revision `as_of`; later changes of routes are in the history.
struct StoredHost {
  std::string name;
  HostState state;  // all but `pinned`
  Revision as_of = 0;
};

struct StoredState {
  StoredScalars scalars;
  std::optional<StoredFabric> fabric;
  std::vector<Phase> phases;
  std::vector<StoredJob> jobs;
  std::vector<StoredPort> ports;
  std::vector<std::pair<std::string, PathTable>> routes;  // by job
  std::vector<StoredHost> hosts;
  std::vector<std::shared_ptr<const RoutingChange>> changes;  // ascending by revision
};

// One thread at a time. Everything throws StoreError where it fails; after abort() the store is as it was at the last
// commit, and goes on.
class Store {
 public:
  virtual ~Store() = default;
  [[nodiscard]] virtual StoredState load() = 0;

  virtual void begin() = 0;
  virtual void commit() = 0;  // durable when it returns
  virtual void abort() noexcept = 0;

  // Between begin() and commit().
  virtual void put_scalars(const StoredScalars& scalars) = 0;
  virtual void put_fabric(const StoredFabric& fabric) = 0;
  virtual void put_phases(const std::vector<Phase>& phases) = 0;
  virtual void put_job(std::string_view id, const StoredJob& job) = 0;
  virtual void remove_job(std::string_view id) = 0;
  virtual void put_port(const StoredPort& port) = 0;
  virtual void clear_ports() = 0;
  virtual void put_routes(std::string_view job, const PathTable& paths) = 0;
  virtual void remove_routes(std::string_view job) = 0;
  virtual void put_host(const StoredHost& host) = 0;
  virtual void clear_hosts() = 0;
  virtual void add_change(const RoutingChange& change) = 0;
  virtual void drop_changes(Revision until) = 0;  // and that one
};

// Opens or makes the state in that directory, brings it to the present schema, and keeps others out while it lives.
// Throws StoreError: held by another service, not a directory, not writable, damaged, of a newer version.
[[nodiscard]] std::unique_ptr<Store> open_store(const std::string& directory);

}  // namespace spineweave::service
