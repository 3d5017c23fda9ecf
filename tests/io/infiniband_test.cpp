// ibnetdiscover and ibsim.
#include <gmock/gmock.h>

#include "io/changed_text.hpp"
#include "io/input_error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// One leaf and one spine with two crossed cables between them, four adapters of the four sorts.
const std::string kDump =
    "# Topology file: generated on a Monday\n"                                               // 1
    "\n"                                                                                     // 2
    "switchguid=0x1(1)\n"                                                                    // 3
    "Switch\t65 \"S-01\"\t\t# \"MF0;LEAF-1:MQM9701/U1\" enhanced port 0 lid 7 lmc 0\n"       // 4
    "[1]\t\"H-01\"[1](a1) \t\t# \"node1 mlx5_0\" lid 1 4xNDR\n"                              // 5
    "[2]\t\"H-02\"[1](a2) \t\t# \"node1 HCA-2\" lid 2 2xNDR\n"                               // 6
    "[3]\t\"H-03\"[1](a3) \t\t# \"MT4129 ConnectX7   Mellanox Technologies\" lid 3 4xNDR\n"  // 7
    "[4]\t\"S-02\"[9]\t\t# \"SPINE-1\" lid 8 4xHDR\n"                                        // 8
    "[5]\t\"S-02\"[8]\t\t# \"SPINE-1\" lid 8 4xNDR\n"                                        // 9
    "[65]\t\"H-04\"[1](a4) \t\t# \"Mellanox Technologies Aggregation Node\" lid 9 4xNDR\n"   // 10
    "\n"                                                                                     // 11
    "Switch\t65 \"S-02\"\t\t# \"SPINE-1\" enhanced port 0 lid 8 lmc 0\n"                     // 12
    "[8]\t\"S-01\"[5]\t\t# \"MF0;LEAF-1:MQM9701/U1\" lid 7 4xNDR\n"                          // 13
    "[9]\t\"S-01\"[4]\t\t# \"MF0;LEAF-1:MQM9701/U1\" lid 7 4xHDR\n"                          // 14
    "\n"                                                                                     // 15
    "caguid=0x1\n"                                                                           // 16
    "Ca\t1 \"H-01\"\t\t# \"node1 mlx5_0\"\n"                                                 // 17
    "[1](a1) \t\"S-01\"[1]\t\t# lid 1 lmc 0 \"MF0;LEAF-1:MQM9701/U1\" lid 7 4xNDR\n"         // 18
    "Ca\t1 \"H-02\"\t\t# \"node1 HCA-2\"\n"                                                  // 19
    "[1](a2) \t\"S-01\"[2]\t\t# lid 2 lmc 0 \"MF0;LEAF-1:MQM9701/U1\" lid 7 2xNDR\n"         // 20
    "Ca\t1 \"H-03\"\t\t# \"MT4129 ConnectX7   Mellanox Technologies\"\n"                     // 21
    "[1](a3) \t\"S-01\"[3]\t\t# lid 3 lmc 0 \"MF0;LEAF-1:MQM9701/U1\" lid 7 4xNDR\n"         // 22
    "Ca\t1 \"H-04\"\t\t# \"Mellanox Technologies Aggregation Node\"\n"                       // 23
    "[1](a4) \t\"S-01\"[65]\t\t# lid 9 lmc 0 \"MF0;LEAF-1:MQM9701/U1\" lid 7 4xNDR\n"        // 24
    "Ca\t1 \"H-05\"\t\t# \"node2 HCA-1\"\n";                                                 // 25

std::string dump_error(const std::string& old, const std::string& replacement) {
  return input_error([&] { (void)parse_fabric(with(kDump, old, replacement), "net.out"); });
}

const Node& node(const Fabric& fabric, std::string_view name) {
  const auto id = fabric.find(name);
  EXPECT_TRUE(id) << name;
  return fabric.node(id.value_or(0));
}

const Finding& finding(const Fabric& fabric, std::string_view what) {
  static const Finding none;
  for (const Finding& found : fabric.findings())
    if (found.what == what) return found;
  ADD_FAILURE() << "no finding '" << what << "'";
  return none;
}

TEST(Ibnetdiscover, NamesSwitchesAndAdaptersByTheirDescriptions) {
  const Fabric fabric = parse_fabric(kDump, "net.out");
  EXPECT_EQ(fabric.num_switches(), 2U);
  EXPECT_EQ(fabric.num_endpoints(), 5U);
  EXPECT_EQ(fabric.num_links(), 12U);
  EXPECT_EQ(node(fabric, "LEAF-1").tier, 1U);
  EXPECT_EQ(node(fabric, "SPINE-1").tier, 2U);
  EXPECT_EQ(node(fabric, "node1 mlx5_0").host, "node1");
  EXPECT_EQ(node(fabric, "node1 mlx5_0").rail, 1U);
  EXPECT_EQ(node(fabric, "node1 HCA-2").rail, 2U);
  EXPECT_EQ(node(fabric, "H-03").role, NodeRole::unnamed);
  EXPECT_EQ(node(fabric, "H-04").role, NodeRole::aggregation);
}

TEST(Ibnetdiscover, ReportsAdaptersThatJobsCannotUse) {
  const Fabric fabric = parse_fabric(kDump, "net.out");
  EXPECT_THAT(finding(fabric, "SHARP aggregation nodes").names, ElementsAre("H-04"));
  EXPECT_THAT(finding(fabric, "unnamed adapters").names,
              ElementsAre("H-03 (MT4129 ConnectX7   Mellanox Technologies)"));
  EXPECT_THAT(finding(fabric, "adapters and switches without a cable").names, ElementsAre("node2 HCA-1"));
}

TEST(Ibnetdiscover, CrossedParallelCablesKeepOneNumberBothWays) {
  const Fabric fabric = parse_fabric(kDump, "net.out");
  const NodeId leaf = *fabric.find("LEAF-1");
  const NodeId spine = *fabric.find("SPINE-1");
  // Port 4 of the leaf, at 200 Gbit/s, comes before port 5 at 400; the spine counts them the other way round.
  for (const auto& [parallel, bps] : {std::pair{0U, 200'000'000'000U}, std::pair{1U, 400'000'000'000U}}) {
    const auto up = fabric.find_link(leaf, spine, parallel);
    ASSERT_TRUE(up);
    EXPECT_EQ(fabric.link(*up).nominal_bps, bps);
    EXPECT_EQ(fabric.link(fabric.reverse(*up)).nominal_bps, bps);
  }
}

TEST(Ibnetdiscover, SpeedsScaleWithTheLanes) {
  const Fabric fabric = parse_fabric(kDump, "net.out");
  const auto speed = [&](std::string_view name) { return fabric.links_from(*fabric.find(name))[0].nominal_bps; };
  EXPECT_EQ(speed("node1 mlx5_0"), 400'000'000'000U);
  EXPECT_EQ(speed("node1 HCA-2"), 200'000'000'000U);
}

TEST(Ibnetdiscover, NodesThatShareANameAreToldApartByTheirGuid) {
  const Fabric fabric =
      parse_fabric(with(with(kDump, "\"H-02\"\t\t# \"node1 HCA-2\"", "\"H-02\"\t\t# \"node1 mlx5_0\""),
                        "\"S-02\"\t\t# \"SPINE-1\"", "\"S-02\"\t\t# \"\""),
                   "net.out");
  EXPECT_TRUE(fabric.find("S-02"));
  EXPECT_EQ(node(fabric, "node1 mlx5_0 (H-01)").host, "node1");
  EXPECT_THAT(finding(fabric, "nodes that share a name, told apart by their GUID").names,
              ElementsAre("node1 mlx5_0 (H-01)", "node1 mlx5_0 (H-02)"));
}

TEST(Ibnetdiscover, ReportsTwoAdaptersOfOneHostOnOneRail) {
  const Fabric fabric =
      parse_fabric(with(kDump, "\"H-02\"\t\t# \"node1 HCA-2\"", "\"H-02\"\t\t# \"node1 HCA-1\""), "net.out");
  EXPECT_EQ(fabric.num_endpoints(), 5U);
  EXPECT_THAT(finding(fabric, "adapters of one host on one rail").names, ElementsAre("node1 HCA-1", "node1 mlx5_0"));
}

TEST(Ibnetdiscover, BothEndsOfACableMustAgree) {
  EXPECT_EQ(dump_error("[8]\t\"S-01\"[5]\t\t# \"MF0;LEAF-1:MQM9701/U1\" lid 7 4xNDR\n", ""),
            "net.out:9: 'S-01' port 5 leads to 'S-02' port 8, but the reverse direction is missing there");
  EXPECT_EQ(dump_error("[8]\t\"S-01\"[5]", "[8]\t\"S-01\"[6]"),
            "net.out:9: 'S-01' port 5 leads to 'S-02' port 8, but the reverse direction is missing there");
}

TEST(Ibnetdiscover, BadLinesAreNamed) {
  EXPECT_EQ(dump_error("[1]\t\"H-01\"[1]", "[1]\t\"H-99\"[1]"),
            "net.out:5: the cable leads to 'H-99', which is not declared");
  EXPECT_EQ(dump_error("Ca\t1 \"H-02\"", "Ca\t1 \"H-01\""), "net.out:19: 'H-01' is declared twice");
  EXPECT_EQ(dump_error("[2]\t\"H-02\"", "[1]\t\"H-02\""), "net.out:6: port 1 of 'S-01' stands twice");
  EXPECT_EQ(dump_error("lid 2 2xNDR", "lid 2 2xYDR"), "net.out:6: the link's speed (as 4xNDR) is missing");
  EXPECT_EQ(dump_error("[2]\t\"H-02\"[1](a2)", "[2]\tH-02[1](a2)"),
            "net.out:6: '[2]\tH-02[1](a2) \t\t# \"node1 HCA-2\" lid 2 2xNDR' is not of the form [port] \"node\"[port]");
  EXPECT_EQ(dump_error("Ca\t1 \"H-02\"", "Cable\t1 \"H-02\""),
            "net.out:19: 'Cable' begins no record; expected Switch, Ca, Hca, Rt or a [port]");
}

TEST(Ibnetdiscover, RefusesADumpWithoutALink) {
  EXPECT_EQ(input_error([] { (void)parse_fabric("vendid=0x2c9\nCa\t1 \"H-1\"\t\t# \"n1 HCA-1\"\n", "alone.out"); }),
            "alone.out: the fabric has no link at all");
}

TEST(Ibsim, WidthAndSpeedMakeTheCapacity) {
  const auto net = [](const std::string& options) {
    return "Switch 8 \"S\"\n[1] \"H\"[1] " + options + "\n\nHca 1 \"H\"\n[1] \"S\"[1] " + options + "\n";
  };
  const auto gbps = [&](const std::string& options) {
    const Fabric fabric = parse_fabric(net(options), "net");
    return static_cast<double>(fabric.link(0).nominal_bps) / 1e9;
  };
  EXPECT_EQ(gbps(""), 10);
  EXPECT_EQ(gbps("w=1"), 2.5);
  EXPECT_EQ(gbps("w=12 s=2"), 60);
  EXPECT_EQ(gbps("s=7\tw=8"), 80);
  EXPECT_EQ(gbps("# \"w=1\" lid 3 4xEDR"), 100);
  EXPECT_EQ(input_error([&] { (void)parse_fabric(net("w=3"), "net"); }),
            "net:2: 'w=3'; expected w= of 1, 2, 4, 8 or 12, and s= from 1 to 7");
  EXPECT_EQ(input_error([&] { (void)parse_fabric(net("w=4 s=8"), "net"); }),
            "net:2: 'w=4 s=8'; expected w= of 1, 2, 4, 8 or 12, and s= from 1 to 7");
}

TEST(Ibsim, AdaptersWithoutADescriptionAreEndpoints) {
  const Fabric fabric = parse_fabric(
      "Switch\t8 \"Switch1\"\n[1]\t\"Hca1\"[1]\tw=12\n[2]\t\"Hca1\"[2]\n[3]\t\"Hca2\"[1]\n\n"
      "Hca\t2 \"Hca1\"\n[1]\t\"Switch1\"[1] w=12\n[2]\t\"Switch1\"[2]\n\nHca 2 \"Hca2\"\n[1]\t\"Switch1\"[3]\n",
      "net");
  EXPECT_EQ(fabric.num_endpoints(), 2U);
  EXPECT_EQ(node(fabric, "Hca1").role, NodeRole::endpoint);
  const auto ports = fabric.links_from(*fabric.find("Hca1"));
  ASSERT_EQ(ports.size(), 2U);
  EXPECT_EQ(ports[0].nominal_bps, 30'000'000'000U);
  EXPECT_EQ(ports[1].nominal_bps, 10'000'000'000U);
  EXPECT_THAT(fabric.findings(), IsEmpty());
}

}  // namespace
}  // namespace spineweave::test
