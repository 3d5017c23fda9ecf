// The format is told from the content, and errors say what a file is.
#include <gtest/gtest.h>

#include "io/input_error.hpp"
#include "spineweave/io.hpp"

namespace spineweave::test {
namespace {

TEST(DetectFormat, TellsTheFormatFromTheContent) {
  const auto name = [](std::string_view content) { return name_of(detect_format(content)); };
  EXPECT_EQ(name("{\"schema\": \"spineweave.fabric/1\"}"), "spineweave.fabric/1");
  EXPECT_EQ(name(" {\n \"schema\" :\"spineweave.jobs/1\", \"jobs\": []}"), "spineweave.jobs/1");
  EXPECT_EQ(name("{\"schema\":\"spineweave.routing/1\"}"), "spineweave.routing/1");
  EXPECT_EQ(name("{\"schema\":\"spineweave.routings/1\"}"), "spineweave.routings/1");
  EXPECT_EQ(name("num_nodes=3\n"), "floodns topology");
  EXPECT_EQ(name("#src dst src_tor dst_tor start_time flow_size compute_time stage_index\n"), "floodns jobs");
  EXPECT_EQ(name("6 7 0 1 0 100 5 0\n"), "floodns jobs");
  EXPECT_EQ(name("#\n# Topology file: generated on Mon\n"), "ibnetdiscover");
  EXPECT_EQ(name("vendid=0x2c9\n"), "ibnetdiscover");
  EXPECT_EQ(name("# a net\n\nSwitch\t8 \"Switch1\"\n"), "ibsim");
}

TEST(DetectFormat, EverythingElseIsUnknown) {
  for (const char* content : {"", "\n\n", "# nothing but a comment\n", "{\"schema\": \"spineweave.fabric/2\"}",
                              "{\"endpoints\": [], \"schema\": \"spineweave.fabric/1\"}", "<svg/>", "1 2 3\n"})
    EXPECT_EQ(detect_format(content), FileFormat::unknown) << content;
}

TEST(DetectFormat, ErrorsSayWhatTheFileIsAndWhatWasExpected) {
  EXPECT_EQ(input_error([] { (void)parse_fabric("<svg/>", "picture.svg"); }),
            "picture.svg: is of no known format; expected a fabric: spineweave.fabric/1, floodns topology, "
            "ibnetdiscover or ibsim");
  EXPECT_EQ(input_error([] { (void)parse_fabric("6 7 0 1 0 100 5 0\n", "job_0.txt"); }),
            "job_0.txt: is a floodns jobs file; expected a fabric: spineweave.fabric/1, floodns topology, "
            "ibnetdiscover or ibsim");
  EXPECT_EQ(input_error([] { (void)parse_routing("num_nodes=1\n", "topology.properties"); }),
            "topology.properties: is a floodns topology file; expected a routing: spineweave.routing/1");
  const Fabric fabric = build_fabric("leaf-spine:leaves=2,spines=1,hosts=1,gbps=1");
  EXPECT_EQ(input_error([&] { (void)parse_workload(fabric, "num_nodes=1\n", "t"); }),
            "t: is a floodns topology file; expected jobs: spineweave.jobs/1 or a floodns job file");
}

TEST(DetectFormat, ErrorsNameASchemaThatIsNotOurs) {
  EXPECT_EQ(input_error([] { (void)parse_routing(R"({"schema": "spineweave.routing/2", "routes": []})", "r.json"); }),
            "r.json: is JSON of the schema 'spineweave.routing/2'; expected a routing: spineweave.routing/1");
  EXPECT_EQ(input_error([] { (void)parse_routing(R"({"routes": [], "schema": "spineweave.routing/1"})", "r.json"); }),
            "r.json: is JSON whose first key is not 'schema'; expected a routing: spineweave.routing/1");
}

}  // namespace
}  // namespace spineweave::test
