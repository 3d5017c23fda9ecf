#include "service/api/metrics.hpp"

#include <fmt/format.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <chrono>
#include <map>
#include <mutex>
#include <utility>

#include "service/api/status.hpp"

namespace spineweave::service::api {
namespace {

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;

const Histogram::BucketBoundaries kRequestSeconds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                     0.05,   0.1,   0.25,   0.5,   1,    5};
const Histogram::BucketBoundaries kSolveSeconds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5};
constexpr double kMicrosecond = 1e-6;

double of_flag(bool flag) { return flag ? 1 : 0; }

}  // namespace

class Metrics::Families {
 public:
  // Families are looked up by labels once; what is counted at every request is kept at hand.
  void count(const http::Exchange& exchange) {
    const auto key = std::pair(std::string(exchange.route), exchange.status);
    auto found = requests_.find(key);
    if (found == requests_.end()) {
      const std::string route = exchange.route.empty() ? "none" : key.first;
      Counter& counter = request_family_.Add({{"route", route}, {"status", fmt::format("{}", exchange.status)}});
      Histogram& seconds = seconds_family_.Add({{"route", route}}, kRequestSeconds);
      found = requests_.emplace(key, std::pair(&counter, &seconds)).first;
    }
    found->second.first->Increment();
    found->second.second->Observe(std::chrono::duration<double>(exchange.duration).count());
  }

  void count(const Event& event, const Snapshot& snapshot) {
    if (event.kind == Event::Kind::assessed && snapshot.summary) {
      solve_seconds_.Observe(snapshot.summary->solve_us * kMicrosecond);
    } else if (event.kind == Event::Kind::routed) {
      revisions_.Increment();
      moves_.Increment(static_cast<double>(event.routing->moves.size()));
      if (event.routing->improvement) improvements_.Increment();
    } else if (event.kind == Event::Kind::changed) {
      changes_.Increment();
    }
  }

  // One scrape at a time.
  [[nodiscard]] std::string text(const Snapshot& snapshot, const Levels& levels) {
    const std::scoped_lock lock(scraping_);
    set(snapshot, levels);
    return prometheus::TextSerializer().Serialize(registry_.Collect());
  }

 private:
  void set(const Snapshot& snapshot, const Levels& levels) {
    connections_.Set(levels.server.connections);
    queued_.Set(levels.server.queued);
    tasks_.Set(static_cast<double>(levels.tasks_waiting));
    streams_.Set(static_cast<double>(levels.event_streams));
    links_measured_.Set(levels.measured.links);
    measured_utilisation_.Set(levels.measured.max_utilisation);
    revision_.Set(static_cast<double>(snapshot.revision));
    jobs_.Set(static_cast<double>(snapshot.jobs->size()));
    const LinkCounts links = count_links(snapshot);
    links_down_.Set(links.down);
    links_degraded_.Set(links.degraded);
    hosts_behind_.Set(snapshot.health.hosts_behind);
    hosts_pinned_.Set(snapshot.health.hosts_pinned);
    frozen_.Set(of_flag(snapshot.frozen));
    stale_.Set(of_flag(snapshot.health.stale));
    backend_lost_.Set(of_flag(snapshot.health.backend_lost));
    failing_.Set(of_flag(!snapshot.health.error.empty()));
    if (snapshot.summary) set(*snapshot.summary);
  }

  void set(const Summary& summary) {
    worst_job_.Set(summary.worst_job);
    lower_bound_.Set(summary.lower_bound);
    gap_.Set(summary.certificate.gap);
    utilisation_.Set(summary.max_utilisation);
    unreachable_.Set(summary.unreachable_flows);
    if (summary.assessment) efficiency_.Set(summary.assessment->network_efficiency);
    Gauge& backend = backend_family_.Add({{"backend", summary.backend}, {"device", summary.device}});
    if (backend_ != nullptr && backend_ != &backend) backend_family_.Remove(backend_);
    backend_ = &backend;
    backend.Set(1);
  }

  Gauge& gauge(const std::string& name, const std::string& help) {
    return prometheus::BuildGauge().Name("spineweave_" + name).Help(help).Register(registry_).Add({});
  }
  Counter& counter(const std::string& name, const std::string& help) {
    return prometheus::BuildCounter().Name("spineweave_" + name).Help(help).Register(registry_).Add({});
  }

  std::mutex scraping_;
  prometheus::Registry registry_;
  prometheus::Family<Counter>& request_family_ = prometheus::BuildCounter()
                                                     .Name("spineweave_http_requests_total")
                                                     .Help("Requests that were answered")
                                                     .Register(registry_);
  prometheus::Family<Histogram>& seconds_family_ = prometheus::BuildHistogram()
                                                       .Name("spineweave_http_request_seconds")
                                                       .Help("Time from a request's first byte to its answer's last")
                                                       .Register(registry_);
  std::map<std::pair<std::string, std::uint16_t>, std::pair<Counter*, Histogram*>> requests_;

  Gauge& connections_ = gauge("http_connections", "Open connections");
  Gauge& queued_ = gauge("http_queue_depth", "Requests that wait for a worker or are with one");
  Gauge& streams_ = gauge("http_event_streams", "Open event streams");
  Gauge& tasks_ = gauge("tasks_waiting", "Evaluations and optimizations that have not begun");

  Counter& changes_ = counter("changes_total", "Revisions that changed fabric, jobs, links or settings");
  Counter& revisions_ = counter("routings_total", "Revisions that changed routes");
  Counter& improvements_ = counter("improvements_total", "Those of them in which flows left live paths");
  Counter& moves_ = counter("moves_total", "Flows that were given another path");
  Histogram& solve_seconds_ = prometheus::BuildHistogram()
                                  .Name("spineweave_solve_seconds")
                                  .Help("Time to choose the routes of a revision")
                                  .Register(registry_)
                                  .Add({}, kSolveSeconds);

  Gauge& revision_ = gauge("revision", "The present revision");
  Gauge& jobs_ = gauge("jobs", "Jobs");
  Gauge& worst_job_ = gauge("worst_job", "Bottleneck of the worst job; 1: as fast as alone");
  Gauge& lower_bound_ = gauge("lower_bound", "What no routing can bring the worst job below");
  Gauge& gap_ = gauge("gap", "Worst job over lower bound, less 1");
  Gauge& utilisation_ = gauge("max_utilisation", "Demand over capacity of the fullest link");
  Gauge& links_measured_ = gauge("links_measured", "Directed links whose real load was told");
  Gauge& measured_utilisation_ = gauge("max_utilisation_measured", "Real load over capacity of the fullest of them");
  Gauge& efficiency_ = gauge("network_efficiency", "Endpoint-weighted mean of the jobs' efficiencies");
  Gauge& unreachable_ = gauge("unreachable_flows", "Flows without any live path");
  Gauge& links_down_ = gauge("links_down", "Directed links that are down");
  Gauge& links_degraded_ = gauge("links_degraded", "Directed links that are degraded");
  Gauge& hosts_behind_ = gauge("hosts_behind", "Hosts that have not applied all their moves");
  Gauge& hosts_pinned_ = gauge("hosts_pinned", "Hosts that are left where they are, for having been silent");
  Gauge& frozen_ = gauge("frozen", "1: routes are not improved, by order");
  Gauge& stale_ = gauge("telemetry_stale", "1: no report on links for too long");
  Gauge& backend_lost_ = gauge("backend_lost", "1: the GPU failed, the CPU goes on");
  Gauge& failing_ = gauge("solve_failing", "1: the last attempt to choose routes failed");
  prometheus::Family<Gauge>& backend_family_ = prometheus::BuildGauge()
                                                   .Name("spineweave_backend_info")
                                                   .Help("Where routes were chosen last")
                                                   .Register(registry_);
  Gauge* backend_ = nullptr;
};

Metrics::Metrics(Controller& controller)
    : families_(std::make_unique<Families>()),
      subscription_(controller.subscribe(
          [this, &controller](const Event& event) { families_->count(event, *controller.snapshot()); })) {}

Metrics::~Metrics() = default;

void Metrics::count(const http::Exchange& exchange) { families_->count(exchange); }

std::string Metrics::text(const Snapshot& snapshot, const Levels& levels) { return families_->text(snapshot, levels); }

}  // namespace spineweave::service::api
