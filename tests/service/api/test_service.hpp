// The whole service on a free port, over a state directory of its own.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "service/control/snapshot.hpp"
#include "service/service.hpp"
#include "service/support/client.hpp"

namespace spineweave::service::test {

using Json = nlohmann::json;

class StateDirectory {
 public:
  StateDirectory() {
    std::string form = (std::filesystem::temp_directory_path() / "spineweave-XXXXXX").string();
    path_ = mkdtemp(form.data());
  }
  StateDirectory(const StateDirectory&) = delete;
  StateDirectory& operator=(const StateDirectory&) = delete;
  ~StateDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline ServiceOptions quick_options() {
  ServiceOptions options;
  options.port = 0;
  options.window = std::chrono::milliseconds(1);
  options.hold_up = std::chrono::milliseconds(1);
  options.interval = std::chrono::nanoseconds(0);
  options.time_budget = std::chrono::nanoseconds(0);  // the same routes on every machine
  return options;
}

class TestService {
 public:
  explicit TestService(ServiceOptions options = quick_options()) : log_(false, "error") {
    options.state_dir = state_.path();
    service_ = std::make_unique<Service>(options, log_);
    thread_ = std::thread([this] { service_->run(); });
  }
  TestService(const TestService&) = delete;
  TestService& operator=(const TestService&) = delete;
  ~TestService() {
    service_->drain();
    thread_.join();
  }

  [[nodiscard]] std::uint16_t port() const { return service_->port(); }
  [[nodiscard]] Service& service() { return *service_; }

  [[nodiscard]] Answer ask(std::string_view method, std::string_view target, std::string_view body = "",
                           std::string_view headers = "") const {
    return test::ask(port(), method, target, body, headers);
  }
  [[nodiscard]] Json get(std::string_view target) const { return Json::parse(ask("GET", target).body); }

  // A leaf-spine of 4 x 4 with two hosts a leaf, and a ring over all of them.
  Revision put_fabric_and_job() const {
    (void)ask("PUT", "/v1/fabric", "leaf-spine:leaves=4,spines=4,hosts=2,gbps=100");
    (void)ask("PUT", "/v1/jobs/ring", ring_of_all());
    return wait_for_routes_after(0);
  }
  // The revision of the routing, once it has changed.
  [[nodiscard]] Revision wait_for_routes_after(Revision revision) const {
    return get("/v1/routing?since=" + std::to_string(revision) + "&wait=20s").at("revision");
  }
  [[nodiscard]] std::string ring_of_all() const {
    Json ranks = Json::array();
    const Json fabric = get("/v1/fabric");
    for (const Json& endpoint : fabric.at("endpoints")) ranks.push_back(endpoint.at("id"));
    return Json{{"collectives", {{{"kind", "ring_allreduce"}, {"bytes", 1000000}, {"ranks", ranks}}}}}.dump();
  }

 private:
  StateDirectory state_;
  Log log_;
  std::unique_ptr<Service> service_;
  std::thread thread_;
};

}  // namespace spineweave::service::test
