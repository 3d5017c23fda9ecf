// One revision of the desired routing, ready to be served: the flows of each host, and texts that are rendered once
// for all who ask.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/control/snapshot.hpp"

namespace spineweave::service::api {

class RoutingView {
 public:
  using Text = std::shared_ptr<const std::string>;

  // `previous`, if not null, lends its index where the jobs are still the same.
  RoutingView(std::shared_ptr<const Snapshot> snapshot, const RoutingView* previous);

  [[nodiscard]] const Snapshot& snapshot() const { return *snapshot_; }
  // What the view shows of this snapshot is still the same.
  [[nodiscard]] bool shows(const Snapshot& snapshot) const;
  // A view of this snapshot could borrow the index: then it is made in no time.
  [[nodiscard]] bool lends_index_to(const Snapshot& snapshot) const;

  // From any thread. The flows of one host; one host's routes are short.
  [[nodiscard]] Text of_host(std::uint32_t host) const;
  // All flows. Long.
  [[nodiscard]] Text whole() const;

 private:
  struct FlowPlace {
    std::uint32_t job;  // in DesiredRouting::jobs
    FlowId flow;
  };
  struct Index {
    std::vector<std::shared_ptr<const JobEntry>> jobs;
    std::vector<std::uint32_t> begin;  // [hosts + 1]
    std::vector<FlowPlace> flows;      // by (host, job, flow)
  };
  [[nodiscard]] std::shared_ptr<const Index> build_index() const;
  [[nodiscard]] std::string head_text() const;
  void append(std::string& text, FlowPlace place) const;

  std::shared_ptr<const Snapshot> snapshot_;
  std::shared_ptr<const Index> index_;
  mutable std::mutex mutex_;
  mutable std::vector<Text> host_texts_;  // [hosts] null: not rendered yet
  mutable Text whole_;
};

// The newest view.
class RoutingViews {
 public:
  // The view of this snapshot, if that takes no time; else null.
  [[nodiscard]] std::shared_ptr<const RoutingView> find(const std::shared_ptr<const Snapshot>& snapshot);
  // However long it takes.
  [[nodiscard]] std::shared_ptr<const RoutingView> get(const std::shared_ptr<const Snapshot>& snapshot);

 private:
  [[nodiscard]] std::shared_ptr<const RoutingView> build(const std::shared_ptr<const Snapshot>& snapshot);

  std::mutex building_;
  std::atomic<std::shared_ptr<const RoutingView>> newest_;
};

// ", \"links\": [...]" as routes hold them.
void append_links(std::string& text, const Fabric& fabric, std::span<const LinkId> links);
// "\"job\": ..., \"collective\": ..., \"index\": ..., \"src\": ..., \"dst\": ..."
void append_flow(std::string& text, const Fabric& fabric, const JobEntry& job, const FlowSpec& flow);

}  // namespace spineweave::service::api
