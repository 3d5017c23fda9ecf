// Whatever bytes arrive, the service answers with an error or closes, and goes on.
#include <gmock/gmock.h>

#include <cstdlib>
#include <random>

#include "service/api/test_service.hpp"

namespace spineweave::service::test {
namespace {

// Seeds are printed where something fails, and SPINEWEAVE_TEST_SEED moves them.
std::uint64_t first_seed() {
  const char* shift = std::getenv("SPINEWEAVE_TEST_SEED");
  return shift == nullptr ? 1 : std::strtoull(shift, nullptr, 10);
}

class Fuzzer {
 public:
  explicit Fuzzer(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }

  // A request of the kind that the service takes, with some of it broken.
  std::string request() {
    std::string body = pick(kBodies);
    std::string text = pick(kMethods) + ' ' + pick(kTargets) + " HTTP/1.1\r\nHost: localhost\r\n";
    if (below(4) == 0) text += pick(kHeaders);
    if (below(3) == 0) break_some(body);
    if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    if (below(3) == 0) break_some(text);
    return text + "\r\n" + body;
  }

 private:
  std::string pick(const std::vector<std::string>& choices) { return choices[below(choices.size())]; }

  void break_some(std::string& text) {
    const std::size_t times = 1 + below(4);
    for (std::size_t i = 0; i < times && !text.empty(); ++i) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, 1 + below(8));
          break;
        case 2:
          text.insert(at, text.substr(below(text.size()), below(20)));
          break;
        default:
          text.insert(at, pick(kPieces));
      }
    }
  }

  const std::vector<std::string> kMethods = {"GET", "PUT", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"};
  const std::vector<std::string> kTargets = {"/v1/fabric",
                                             "/v1/jobs/a",
                                             "/v1/jobs",
                                             "/v1/routing",
                                             "/v1/routing?host=host-1-0",
                                             "/v1/routing?since=1&wait=1ms",
                                             "/v1/fabric/links/leaf-0-%3Espine-0",
                                             "/v1/fabric/switches/spine-1",
                                             "/v1/hosts/host-1-0/applied",
                                             "/v1/rollback",
                                             "/v1/phases",
                                             "/v1/evaluations?validate_only=true",
                                             "/v1/optimizations?validate_only=true",
                                             "/v1/revisions?limit=3",
                                             "/metrics",
                                             "/v1/jobs/%C3%A4%2F"};
  const std::vector<std::string> kHeaders = {
      "If-Match: \"3\"\r\n",      "Content-Encoding: gzip\r\n", "Transfer-Encoding: chunked\r\n",
      "Expect: 100-continue\r\n", "Connection: close\r\n",      "Accept: */*\r\n"};
  const std::vector<std::string> kBodies = {
      "",
      "leaf-spine:leaves=2,spines=2,hosts=2,gbps=100",
      R"({"state": "down"})",
      R"({"state": "degraded", "degraded_gbps": 10.5, "observed_at": "2026-01-01T00:00:00Z"})",
      R"({"revision": 2})",
      R"({"collectives": [{"kind": "ring_allreduce", "bytes": 100, "ranks": ["host-0-0", "host-0-1", "host-1-0"]}]})",
      R"({"phases": [{"id": "a", "length_ns": 10}]})",
      R"({"fabric": "leaf-spine:leaves=2,spines=2,hosts=2,gbps=100", "jobs": "permutation:seed=1"})",
      R"({"schema": "spineweave.fabric/1", "endpoints": [], "switches": [], "links": []})"};
  const std::vector<std::string> kPieces = {
      "[[[[", "{\"a\":", "\\u0000", "1e999", "-1", "\xff\xfe", "\r\n", "%00", "18446744073709551616",
      "null", "\x1f\x8b"};
  std::mt19937_64 random_;
};

void fuzz(std::size_t requests) {
  ServiceOptions options = quick_options();
  options.request_timeout = std::chrono::milliseconds(300);  // broken lengths make requests that never end
  const TestService service(options);
  (void)service.put_fabric_and_job();
  const std::uint64_t seed = first_seed();
  SCOPED_TRACE(testing::Message() << "SPINEWEAVE_TEST_SEED=" << seed);
  Fuzzer fuzzer(seed);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < requests; ++i) {
    Client client(service.port());
    client.send(fuzzer.request());
    client.finish();
    Answer answer = client.receive();
    ASSERT_NE(answer.status, 500) << answer.body;
    if (answer.status >= 400) {
      ++refused;
      ASSERT_FALSE(answer.headers["content-type"] == "application/json") << answer.body;
    }
  }
  EXPECT_GT(refused, requests / 10);
  EXPECT_EQ(service.ask("GET", "/healthz").status, 200);
}

TEST(Fuzz, BrokenRequestsAreRefusedAndTheServiceGoesOn) { fuzz(1500); }
TEST(Fuzz, LongBrokenRequestsAreRefusedAndTheServiceGoesOn) { fuzz(100'000); }

}  // namespace
}  // namespace spineweave::service::test
