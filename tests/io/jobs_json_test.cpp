// spineweave.jobs/1
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/changed_text.hpp"
#include "io/input_error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kJobs = R"({"schema": "spineweave.jobs/1",
"phases": [{"id": "day", "length_ns": 5}, {"id": "night", "length_ns": 7}],
"jobs": [
{"id": "a", "model": "GPT_3", "start_ns": 11, "compute_ns": 12, "epochs": 13, "phases": ["night"], "collectives": [
  {"kind": "ring_allreduce", "ranks": ["n1", "n3", "n2"], "bytes": 1000, "qps": 4},
  {"kind": "p2p", "ranks": ["n1", "n4"], "bytes": 18446744073709551615},
  {"kind": "pipeline", "ranks": ["n1", "n2", "n4"], "bytes": 7, "repeats": 16, "turn": 3}]},
{"id": "b", "collectives": [{"kind": "all_to_all", "ranks": ["n4", "n3"], "bytes": 1}]}]}
)";

const Fabric& fabric() {
  static const Fabric kLeaf = [] {
    FabricBuilder builder;
    const auto leaf = builder.add_switch("L1", 1);
    for (const char* name : {"n1", "n2", "n3", "n4"})
      builder.add_cable(builder.add_endpoint(name), leaf, 1'000'000'000);
    return builder.finish();
  }();
  return kLeaf;
}

std::string jobs_error(const std::string& old, const std::string& replacement) {
  return input_error([&] { (void)parse_workload(fabric(), with(kJobs, old, replacement), "j.json"); });
}

TEST(JobsJson, ReadsPhasesJobsAndCollectives) {
  const Workload workload = parse_workload(fabric(), kJobs, "j.json");
  ASSERT_EQ(workload.phases.size(), 2U);
  EXPECT_EQ(workload.phases[1].id, "night");
  EXPECT_EQ(workload.phases[1].length_ns, 7U);
  ASSERT_EQ(workload.jobs.size(), 2U);
  const Job& a = workload.jobs[0];
  EXPECT_EQ(a.id, "a");
  EXPECT_EQ(a.model, "GPT_3");
  EXPECT_EQ(a.start_ns, 11U);
  EXPECT_EQ(a.compute_ns, 12U);
  EXPECT_EQ(a.epochs, 13U);
  EXPECT_EQ(a.phase_mask, 0b10U);
  ASSERT_EQ(a.collectives.size(), 3U);
  EXPECT_EQ(a.collectives[0].kind, CollectiveKind::ring_allreduce);
  EXPECT_EQ(a.collectives[0].qps, 4U);
  EXPECT_EQ(a.collectives[0].bytes, 1000U);
  EXPECT_THAT(a.collectives[0].ranks, ElementsAre(*fabric().find("n1"), *fabric().find("n3"), *fabric().find("n2")));
  EXPECT_EQ(a.collectives[1].kind, CollectiveKind::p2p);
  EXPECT_EQ(a.collectives[1].bytes, ~std::uint64_t{0});
  EXPECT_EQ(a.collectives[1].repeats, 1U);
  EXPECT_EQ(a.collectives[1].turn, 0U);
  EXPECT_EQ(a.collectives[2].kind, CollectiveKind::pipeline);
  EXPECT_EQ(a.collectives[2].repeats, 16U);
  EXPECT_EQ(a.collectives[2].turn, 3U);
  const Job& b = workload.jobs[1];
  EXPECT_EQ(b.model, "");
  EXPECT_EQ(b.epochs, 0U);
  EXPECT_EQ(b.phase_mask, kAllPhases);
  EXPECT_EQ(b.collectives[0].qps, 1U);
}

TEST(JobsJson, WhatIsWrittenReadsBackTheSame) {
  const Workload workload = parse_workload(fabric(), kJobs, "j.json");
  const std::string text = write_workload_json(fabric(), workload);
  const Workload again = parse_workload(fabric(), text, "written");
  EXPECT_EQ(digest_of(again, fabric()), digest_of(workload, fabric()));
  EXPECT_EQ(write_workload_json(fabric(), again), text);
  EXPECT_EQ(again.jobs[0].model, "GPT_3");
  EXPECT_EQ(again.jobs[0].epochs, 13U);
}

TEST(JobsJson, BuiltJobsSurviveARoundTrip) {
  const Fabric leaf_spine = build_fabric("leaf-spine:leaves=4,spines=2,hosts=4,gbps=100");
  for (const char* spec :
       {"permutation:seed=1", "rings:jobs=2,size=4,placement=random,seed=1,qps=2", "all-to-all:jobs=2,size=4,seed=3"}) {
    const Workload workload = build_workload(leaf_spine, spec);
    const Workload again = parse_workload(leaf_spine, write_workload_json(leaf_spine, workload), "written");
    EXPECT_EQ(digest_of(again, leaf_spine), digest_of(workload, leaf_spine)) << spec;
  }
}

TEST(JobsJson, SixtyFourPhasesAreTheMost) {
  Workload workload = parse_workload(fabric(), kJobs, "j.json");
  workload.phases.resize(64);
  for (std::size_t p = 0; p < 64; ++p) workload.phases[p] = {"p" + std::to_string(p), 1};
  workload.jobs[0].phase_mask = (std::uint64_t{1} << 63U) | 1U;
  const Workload again = parse_workload(fabric(), write_workload_json(fabric(), workload), "written");
  EXPECT_EQ(again.jobs[0].phase_mask, workload.jobs[0].phase_mask);
  workload.phases.push_back({"one more", 1});
  EXPECT_EQ(input_error([&] { (void)parse_workload(fabric(), write_workload_json(fabric(), workload), "j.json"); }),
            "j.json: 65 phases; expected at most 64");
}

TEST(JobsJson, CountsAndNamesRanksThatAreNoEndpoints) {
  EXPECT_EQ(jobs_error("\"n3\"", "\"n33\""),
            "j.json: 1 ranks are no endpoints of the fabric: 'n33' in j.json: jobs[0]: collectives[0]");
  // A switch is a node, yet no rank.
  EXPECT_EQ(jobs_error("\"n1\", \"n3\", \"n2\"", "\"L1\", \"n3\", \"x\""),
            "j.json: 2 ranks are no endpoints of the fabric: 'L1' in j.json: jobs[0]: collectives[0], 'x' in j.json: "
            "jobs[0]: collectives[0]");
}

TEST(JobsJson, PhasesMayStandBehindTheJobsThatNameThem) {
  const std::string phases = R"("phases": [{"id": "day", "length_ns": 5}, {"id": "night", "length_ns": 7}])";
  std::string text = with(kJobs, phases + ",\n", "");
  text.insert(text.rfind('}'), ", " + phases);
  EXPECT_EQ(digest_of(parse_workload(fabric(), text, "j.json"), fabric()),
            digest_of(parse_workload(fabric(), kJobs, "j.json"), fabric()));
}

TEST(JobsJson, CollectivesStayWithTheirJob) {
  std::string text = with(kJobs, "\"id\": \"b\", ", "");
  text = with(text, "\"bytes\": 1}]}", "\"bytes\": 1}], \"id\": \"b\"}, {\"id\": \"c\", \"collectives\": []}");
  const Workload workload = parse_workload(fabric(), text, "j.json");
  ASSERT_EQ(workload.jobs.size(), 3U);
  EXPECT_EQ(workload.jobs[0].collectives.size(), 3U);
  EXPECT_EQ(workload.jobs[1].collectives.size(), 1U);
  EXPECT_TRUE(workload.jobs[2].collectives.empty());
}

TEST(JobsJson, RefusesPhasesThatDoNotHold) {
  EXPECT_EQ(jobs_error("[\"night\"]", "[\"nigth\"]"), "j.json: jobs[0]: phase \"nigth\" is not declared");
  EXPECT_EQ(jobs_error("[\"night\"]", "[1]"), "j.json: jobs[0]: phase 1 is not declared");
  EXPECT_THAT(jobs_error("[\"night\"]", "[]"), HasSubstr("j.json: jobs[0]: phases is empty"));
  EXPECT_EQ(jobs_error("\"id\": \"night\"", "\"id\": \"day\""), "j.json: phases[1]: phase 'day' is declared twice");
  EXPECT_EQ(jobs_error("\"length_ns\": 7", "\"length_ns\": 0"),
            "j.json: phases[1]: length_ns is 0; expected a length above 0");
}

TEST(JobsJson, RefusesJobsOfOneId) {
  EXPECT_EQ(jobs_error("\"id\": \"b\"", "\"id\": \"a\""), "j.json: jobs[1]: job 'a' is declared twice");
}

TEST(JobsJson, RefusesUnknownKeysAndUnitsThatAreNotTheirOwn) {
  EXPECT_EQ(jobs_error("\"qps\": 4", "\"pqs\": 4"),
            "j.json: jobs[0]: collectives[0]: unknown key 'pqs'; did you mean qps?");
  EXPECT_EQ(jobs_error("\"start_ns\"", "\"start_ms\""),
            "j.json: jobs[0]: unknown key 'start_ms'; did you mean start_ns?");
  EXPECT_EQ(
      jobs_error("\"bytes\": 1000", "\"bytes\": \"1kB\""),
      "j.json: jobs[0]: collectives[0]: bytes is \"1kB\"; expected a whole number from 0 to 18446744073709551615");
}

TEST(JobsJson, RefusesWrongValues) {
  EXPECT_EQ(jobs_error("\"kind\": \"p2p\"", "\"kind\": \"ring\""),
            "j.json: jobs[0]: collectives[1]: kind is 'ring'; expected ring_allreduce, all_gather, reduce_scatter, "
            "all_to_all, tree_allreduce, p2p or pipeline");
  EXPECT_THAT(jobs_error("\"bytes\": 1000", "\"bytes\": -1000"), HasSubstr("bytes is -1000; expected a whole number"));
  EXPECT_THAT(jobs_error("\"bytes\": 1000", "\"bytes\": 0.5"), HasSubstr("bytes is 0.5; expected a whole number"));
  EXPECT_THAT(jobs_error("18446744073709551615", "18446744073709551616"), HasSubstr("expected a whole number"));
  EXPECT_THAT(jobs_error("\"repeats\": 16", "\"repeats\": 4294967296"), HasSubstr("repeats is 4294967296; expected"));
  EXPECT_THAT(jobs_error("\"turn\": 3", "\"turn\": \"last\""), HasSubstr("turn is \"last\"; expected"));
  EXPECT_EQ(jobs_error("\"epochs\": 13", "\"epochs\": 4294967296"),
            "j.json: jobs[0]: epochs is 4294967296; expected a whole number from 0 to 4294967295");
  EXPECT_EQ(jobs_error("\"n1\", \"n4\"", "\"n1\", 4"),
            "j.json: jobs[0]: collectives[1]: rank 4 is no text; expected an endpoint's id");
  EXPECT_EQ(jobs_error("\"kind\": \"p2p\", ", ""), "j.json: jobs[0]: collectives[1]: 'kind' is missing");
}

}  // namespace
}  // namespace spineweave::test
