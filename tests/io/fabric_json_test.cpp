// spineweave.fabric/1
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/changed_text.hpp"
#include "io/input_error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::test {
namespace {

using testing::HasSubstr;

// Two leaves, one spine, one endpoint with a port on each leaf and one with a single port.
const std::string kFabric = R"({"schema": "spineweave.fabric/1",
"endpoints": [
{"id": "n1", "host": "h1", "rail": 3, "ports": [{"leaf": "L1", "gbps": 400}, {"leaf": "L2", "gbps": 400}]},
{"id": "n2", "ports": [{"leaf": "L2", "gbps": 0.5, "state": "down"}]}],
"switches": [{"id": "L1", "tier": 1}, {"id": "L2", "tier": 1}, {"id": "S1", "tier": 2}],
"links": [
{"from": "L1", "to": "S1", "gbps": 400}, {"from": "S1", "to": "L1", "gbps": 400},
{"from": "L2", "to": "S1", "gbps": 400, "state": "degraded", "degraded_gbps": 200, "reserved_gbps": 50},
{"from": "S1", "to": "L2", "gbps": 400, "state": "down"}]}
)";

std::string fabric_error(const std::string& old, const std::string& replacement) {
  return input_error([&] { (void)parse_fabric(with(kFabric, old, replacement), "f.json"); });
}

void expect_round_trip(const Fabric& fabric) {
  const std::string text = write_fabric_json(fabric);
  const Fabric again = parse_fabric(text, "written");
  EXPECT_EQ(again.digest(), fabric.digest());
  EXPECT_EQ(write_fabric_json(again), text);
  ASSERT_EQ(again.num_nodes(), fabric.num_nodes());
  for (NodeId n = 0; n < fabric.num_nodes(); ++n) {
    EXPECT_EQ(again.node(n).name, fabric.node(n).name);
    EXPECT_EQ(again.node(n).host, fabric.node(n).host);
    EXPECT_EQ(again.node(n).rail, fabric.node(n).rail);
    EXPECT_EQ(again.node(n).tier, fabric.node(n).tier);
    EXPECT_EQ(again.node(n).pod, fabric.node(n).pod);
    EXPECT_EQ(again.node(n).role, fabric.node(n).role);
  }
  ASSERT_EQ(again.num_links(), fabric.num_links());
  for (LinkId l = 0; l < fabric.num_links(); ++l) {
    EXPECT_EQ(again.link(l).state, fabric.link(l).state);
    EXPECT_EQ(again.link(l).nominal_bps, fabric.link(l).nominal_bps);
    EXPECT_EQ(again.link(l).capacity_bps, fabric.link(l).capacity_bps);
    EXPECT_EQ(again.link(l).reserved_bps, fabric.link(l).reserved_bps);
  }
}

TEST(FabricJson, ReadsNodesLinksAndTheirStates) {
  const Fabric fabric = parse_fabric(kFabric, "f.json");
  EXPECT_EQ(fabric.num_endpoints(), 2U);
  EXPECT_EQ(fabric.num_switches(), 3U);
  EXPECT_EQ(fabric.num_links(), 10U);
  const NodeId n1 = *fabric.find("n1");
  EXPECT_EQ(fabric.node(n1).host, "h1");
  EXPECT_EQ(fabric.node(n1).rail, 3U);
  EXPECT_EQ(fabric.links_from(n1).size(), 2U);
  const Link& half = fabric.links_from(*fabric.find("n2"))[0];
  EXPECT_EQ(half.nominal_bps, 500'000'000U);
  EXPECT_EQ(half.state, LinkState::down);
  const Link& degraded = fabric.link(*fabric.find_link(*fabric.find("L2"), *fabric.find("S1"), 0));
  EXPECT_EQ(degraded.nominal_bps, 400'000'000'000U);
  EXPECT_EQ(degraded.capacity_bps, 150'000'000'000U);
  EXPECT_EQ(degraded.reserved_bps, 50'000'000'000U);
  EXPECT_EQ(degraded.state, LinkState::degraded);
}

TEST(FabricJson, WhatIsWrittenReadsBackTheSame) { expect_round_trip(parse_fabric(kFabric, "f.json")); }

TEST(FabricJson, BuiltFabricsSurviveARoundTripWithTheirFaults) {
  for (const char* spec : {"leaf-spine:leaves=4,spines=2,hosts=3,gbps=100,trunk=2", "fat-tree:k=4,gbps=400",
                           "rail:hosts=8,rails=2,spines=2,hosts_per_leaf=4,gbps=400"}) {
    SCOPED_TRACE(spec);
    const Fabric fabric = build_fabric(spec);
    expect_round_trip(fabric);
    EXPECT_EQ(parse_fabric(write_fabric_json(fabric), "written").clos() != nullptr, fabric.clos() != nullptr);
    const Fabric faulty = with_faults(fabric, "random:20%,seed=3");
    expect_round_trip(faulty);
  }
}

TEST(FabricJson, AnAccessCableMayDifferBetweenItsDirections) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("L \"1\"\n\\", 1);
  const auto near = builder.add_endpoint("n\u00e9", "", kNone, NodeRole::aggregation);
  const auto far = builder.add_endpoint("n2", "h", 0, NodeRole::unnamed);
  builder.add_link(near, leaf, 123'456'789'012);
  builder.add_link(leaf, near, 123'456'789'013, LinkState::degraded, 1, 0);
  builder.add_link(far, leaf, 1, LinkState::down);
  builder.add_link(leaf, far, 999'999'999'999'999, LinkState::up, 0, 7);
  expect_round_trip(builder.finish());
}

TEST(FabricJson, ParallelCablesKeepTheirOrder) {
  FabricBuilder builder;
  const auto endpoint = builder.add_endpoint("n1");
  const auto leaf = builder.add_switch("L1");
  const auto spine = builder.add_switch("S1");
  for (const std::uint64_t gbps : {200U, 100U, 400U}) {
    builder.add_cable(endpoint, leaf, gbps * 1'000'000'000);
    builder.add_cable(leaf, spine, gbps * 2'000'000'000);
  }
  expect_round_trip(builder.finish());
}

TEST(FabricJson, TheOrderOfItsPartsDoesNotMatter) {
  const auto section = [](const std::string& from, const std::string& to) {
    const auto begin = kFabric.find(from);
    return kFabric.substr(begin, kFabric.find(to) - begin);
  };
  const std::string endpoints = section("\"endpoints\"", "\"switches\"");
  const std::string switches = section("\"switches\"", "\"links\"");
  std::string links = kFabric.substr(kFabric.find("\"links\""));
  links.resize(links.rfind('}'));
  const std::string text = "{\"schema\": \"spineweave.fabric/1\",\n" + links + ",\n" + endpoints + switches;
  EXPECT_EQ(parse_fabric(text.substr(0, text.rfind(',')) + "}", "f.json").digest(),
            parse_fabric(kFabric, "f.json").digest());
}

TEST(FabricJson, RefusesUnknownKeysAndNamesTheNearest) {
  EXPECT_EQ(fabric_error("\"switches\"", "\"switch\""), "f.json: unknown key 'switch'; did you mean switches?");
  EXPECT_EQ(fabric_error("\"host\"", "\"Host\""), "f.json: endpoints[0]: unknown key 'Host'; did you mean host?");
  EXPECT_THAT(fabric_error("\"gbps\": 0.5", "\"capacity\": 0.5"),
              HasSubstr("f.json: endpoints[1]: ports[0]: unknown key 'capacity'; the keys are leaf, gbps, state"));
}

TEST(FabricJson, RefusesAUnitThatIsNotItsOwn) {
  EXPECT_THAT(fabric_error("\"gbps\": 0.5", "\"mbps\": 500"),
              HasSubstr("f.json: endpoints[1]: ports[0]: unknown key 'mbps'; did you mean gbps?"));
  EXPECT_EQ(fabric_error("\"gbps\": 0.5", "\"gbps\": \"500M\""),
            "f.json: endpoints[1]: ports[0]: gbps is \"500M\"; expected a number above 0 and at most 1000000");
}

TEST(FabricJson, RefusesCapacitiesThatAreNone) {
  const auto refused = [](const std::string& value) {
    return "f.json: endpoints[1]: ports[0]: gbps is " + value + "; expected a number above 0 and at most 1000000";
  };
  for (const std::string value : {"0", "-100", "-0.5", "1000001", "null", "true", "[]"})
    EXPECT_EQ(fabric_error("0.5", value), refused(value));
  EXPECT_THAT(fabric_error("0.5", "NaN"), HasSubstr("f.json:4: is no valid JSON"));
  EXPECT_THAT(fabric_error("0.5", "1e999"), HasSubstr("f.json: is no valid JSON"));
  EXPECT_EQ(fabric_error("0.5", "0.00000000025"),
            "f.json: endpoints[1]: ports[0]: gbps is 2.5e-10, which is no whole number of bit/s");
  EXPECT_EQ(fabric_error("\"degraded_gbps\": 200", "\"degraded_gbps\": 400"),
            "f.json: links[2]: link L2->S1: is degraded to 400000000000 bit/s; expected above 0 and below its "
            "400000000000 bit/s");
  EXPECT_EQ(
      fabric_error("\"reserved_gbps\": 50", "\"reserved_gbps\": 200"),
      "f.json: links[2]: link L2->S1: 200000000000 of 200000000000 bit/s are reserved; nothing is left for flows");
}

TEST(FabricJson, RefusesStatesThatAreNone) {
  EXPECT_EQ(fabric_error("\"state\": \"down\"", "\"state\": \"dead\""),
            "f.json: endpoints[1]: ports[0]: state is 'dead'; expected up, down or degraded");
  EXPECT_EQ(fabric_error(", \"degraded_gbps\": 200", ""),
            "f.json: links[2]: degraded_gbps goes with the state degraded, and with no other");
}

TEST(FabricJson, RefusesNodesDeclaredTwice) {
  EXPECT_EQ(fabric_error("\"id\": \"n2\"", "\"id\": \"n1\""), "f.json: endpoints[1]: 'n1' is declared twice");
  EXPECT_EQ(fabric_error("\"id\": \"L2\"", "\"id\": \"L1\""), "f.json: switches[1]: 'L1' is declared twice");
  EXPECT_EQ(fabric_error("\"id\": \"n2\"", "\"id\": \"S1\""), "f.json: endpoints[1]: 'S1' is declared twice");
}

TEST(FabricJson, RefusesLinksToNowhere) {
  EXPECT_EQ(fabric_error("\"from\": \"L1\"", "\"from\": \"L9\""),
            "f.json: links[0]: from is 'L9', which is not declared");
  EXPECT_EQ(fabric_error("\"leaf\": \"L1\"", "\"leaf\": \"L9\""),
            "f.json: endpoints[0]: ports[0]: leaf is 'L9', which is not declared");
  EXPECT_EQ(fabric_error("\"leaf\": \"L1\"", "\"leaf\": \"n1\""),
            "f.json: endpoints[0]: ports[0]: link n1->n1: joins a node to itself");
  EXPECT_THAT(fabric_error("\"leaf\": \"L2\", \"gbps\": 0.5", "\"leaf\": \"n1\", \"gbps\": 0.5"),
              HasSubstr("f.json: endpoints[1]: ports[0]: link n2->n1: joins two endpoints"));
}

TEST(FabricJson, RefusesACableWithOneDirection) {
  EXPECT_EQ(fabric_error(", {\"from\": \"S1\", \"to\": \"L1\", \"gbps\": 400}", ""),
            "f.json: 1 link(s) have no reverse direction: L1->S1; a cable is two directed links");
}

TEST(FabricJson, RefusesWrongTypesAndMissingKeys) {
  EXPECT_EQ(fabric_error("\"rail\": 3", "\"rail\": \"3\""),
            "f.json: endpoints[0]: rail is \"3\"; expected a whole number from 0 to 4294967294");
  EXPECT_EQ(fabric_error("\"rail\": 3", "\"rail\": -3"),
            "f.json: endpoints[0]: rail is -3; expected a whole number from 0 to 4294967294");
  EXPECT_EQ(fabric_error("\"id\": \"n2\"", "\"id\": 2"), "f.json: endpoints[1]: id is 2; expected a text");
  EXPECT_EQ(fabric_error("\"id\": \"n2\", ", ""), "f.json: endpoints[1]: 'id' is missing");
  EXPECT_EQ(fabric_error("{\"id\": \"L2\", \"tier\": 1}", "7"),
            "f.json: switches[1]: is a JSON number; expected an object");
  EXPECT_EQ(fabric_error("\"tier\": 1", "\"tier\": 0"),
            "f.json: switches[0]: switch L1 has tier 0; expected 1 or more");
  EXPECT_EQ(fabric_error("\"host\": \"h1\"", "\"role\": \"spare\""),
            "f.json: endpoints[0]: role is 'spare'; expected aggregation or unnamed");
}

TEST(FabricJson, RefusesAKeyThatStandsTwice) {
  EXPECT_EQ(fabric_error("\"rail\": 3", "\"host\": \"h2\""), "f.json: the key 'host' stands twice in one object");
}

TEST(FabricJson, RefusesTextThatEndsEarlyAndNamesTheLine) {
  EXPECT_THAT(input_error([] { (void)parse_fabric(kFabric.substr(0, kFabric.size() - 40), "f.json"); }),
              HasSubstr("f.json:9: is no valid JSON: "));
}

TEST(FabricJson, RefusesAFabricWithoutLinks) {
  EXPECT_EQ(input_error([] {
              (void)parse_fabric(R"({"schema": "spineweave.fabric/1", "endpoints": [], "switches": [], "links": []})",
                                 "f");
            }),
            "f: the fabric has no link at all");
}

}  // namespace
}  // namespace spineweave::test
