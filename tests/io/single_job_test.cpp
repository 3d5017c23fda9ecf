// Jobs, phases and documents on their own: what a service reads and writes.
#include <gmock/gmock.h>

#include "io/input_error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::test {
namespace {

using testing::HasSubstr;

const std::vector<Phase> kTwoPhases = {{"forward", 10}, {"backward", 20}};

Fabric small_fabric() { return build_fabric("leaf-spine:leaves=2,spines=2,hosts=2,gbps=100"); }

TEST(SingleJob, ComesBackAsItWasWritten) {
  const Fabric fabric = small_fabric();
  const std::string text =
      R"({"model": "m", "compute_ns": 5, "epochs": 3, "phases": ["backward"],)"
      R"( "collectives": [{"kind": "p2p", "bytes": 7, "qps": 2, "ranks": ["host-0-0", "host-1-1"]}]})";
  const Job job = parse_job(fabric, kTwoPhases, "a \"b\"", text, "body");
  EXPECT_EQ(job.id, "a \"b\"");
  EXPECT_EQ(job.phase_mask, 0b10U);
  ASSERT_EQ(job.collectives.size(), 1U);
  EXPECT_EQ(job.collectives[0].qps, 2U);
  EXPECT_EQ(job.collectives[0].ranks, (std::vector<EndpointId>{*fabric.find("host-0-0"), *fabric.find("host-1-1")}));
  EXPECT_EQ(write_job_json(fabric, kTwoPhases, job),
            R"({"id": "a \"b\"", "model": "m", "compute_ns": 5, "epochs": 3, "phases": ["backward"], "collectives": [)"
            "\n"
            R"(  {"kind": "p2p", "bytes": 7, "qps": 2, "ranks": ["host-0-0", "host-1-1"]}]})");
}

TEST(SingleJob, ErrorsNameTheKeyAndThePlace) {
  const Fabric fabric = small_fabric();
  const auto error = [&](const std::string& text) {
    return input_error([&] { (void)parse_job(fabric, kTwoPhases, "a", text, "body"); });
  };
  EXPECT_THAT(error(R"({"id": "a", "collectives": []})"), HasSubstr("body: unknown key 'id'"));
  EXPECT_THAT(error("{}"), HasSubstr("'collectives' is missing"));
  EXPECT_THAT(error(R"({"collectives": [], "phases": ["sideways"]})"), HasSubstr("phase \"sideways\" is not declared"));
  EXPECT_THAT(error(R"({"collectives": [{"kind": "p2p", "bytes": 7, "ranks": ["x", "y"]}]})"),
              HasSubstr("2 ranks are no endpoints of the fabric: 'x' in body: collectives[0]"));
  EXPECT_THAT(error("{\n \"collectives\": [,]}"), HasSubstr("body:2: is no valid JSON"));
}

TEST(SinglePhases, AreReadAsInAFileOfJobs) {
  const std::vector<Phase> phases = parse_phases(R"({"phases": [{"id": "a", "length_ns": 3}]})", "body");
  ASSERT_EQ(phases.size(), 1U);
  EXPECT_EQ(phases[0].id, "a");
  EXPECT_EQ(phases[0].length_ns, 3U);
  EXPECT_THAT(input_error([] { (void)parse_phases(R"({"phases": [], "jobs": []})", "body"); }),
              HasSubstr("unknown key 'jobs'"));
}

TEST(JsonDocument, ComesBackOnOneLine) {
  const std::string text = R"({"a":[1,-2,0.5,true,null,"\u00e4\n"],"b":{}})";
  EXPECT_EQ(write_json_line(parse_document(text, "body")), R"({"a":[1,-2,0.5,true,null,"ä\n"],"b":{}})");
}

TEST(JsonDocument, NestsAsDeepAsAnyFormatNeedsAndNoDeeper) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_NO_THROW((void)parse_document(nested(64), "body"));
  EXPECT_THAT(input_error([&] { (void)parse_document(nested(65), "body"); }), HasSubstr("nests deeper than the 64"));
  EXPECT_THAT(input_error([&] { (void)parse_document(std::string(1'000'000, '['), "body"); }),
              HasSubstr("nests deeper"));
}

}  // namespace
}  // namespace spineweave::test
