#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "spineweave/fabric.hpp"
#include "support/error_text.hpp"

namespace spineweave {
namespace {

using test::error_text;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

const char* const kSpec = "leaf-spine:leaves=3,spines=2,hosts=2,gbps=100,trunk=2";

std::vector<std::string> down_links(const Fabric& fabric) {
  std::vector<std::string> names;
  for (LinkId id = 0; id < fabric.num_links(); ++id) {
    const Link& link = fabric.link(id);
    EXPECT_EQ(link.state == LinkState::down, link.capacity_bps == 0) << fabric.link_name(id);
    EXPECT_GT(link.nominal_bps, 0U);
    if (link.state == LinkState::down) names.push_back(fabric.link_name(id));
  }
  return names;
}

std::vector<std::string> down_links(std::string_view faults) {
  return down_links(with_faults(build_fabric(kSpec), faults));
}

std::string refusal(const Fabric& fabric, std::string_view faults) {
  return error_text(ErrorCode::usage, [&] { (void)with_faults(fabric, faults); });
}

TEST(Faults, ACableGoesDownInBothDirectionsWithAllParallelOnes) {
  EXPECT_THAT(down_links("leaf-1-spine-0"),
              ElementsAre("leaf-1->spine-0", "leaf-1->spine-0#1", "spine-0->leaf-1", "spine-0->leaf-1#1"));
  EXPECT_EQ(down_links("spine-0-leaf-1"), down_links("leaf-1-spine-0"));
}

TEST(Faults, OneDirectionAndOneOfParallelCablesCanBeNamed) {
  EXPECT_THAT(down_links("leaf-1->spine-0"), ElementsAre("leaf-1->spine-0", "leaf-1->spine-0#1"));
  EXPECT_THAT(down_links("leaf-1-spine-0#1"), ElementsAre("leaf-1->spine-0#1", "spine-0->leaf-1#1"));
  EXPECT_THAT(down_links("spine-0->leaf-1#0"), ElementsAre("spine-0->leaf-1"));
}

TEST(Faults, ASwitchTakesAllItsLinksDown) {
  const Fabric fabric = with_faults(build_fabric(kSpec), "leaf-2");
  EXPECT_EQ(down_links(fabric).size(), 2U * (2 + 4));
  const NodeId leaf = fabric.find("leaf-2").value();
  for (LinkId id = 0; id < fabric.num_links(); ++id)
    EXPECT_EQ(fabric.link(id).state == LinkState::down, fabric.link(id).from == leaf || fabric.link(id).to == leaf);
}

TEST(Faults, AnEndpointCanGoDown) {
  EXPECT_THAT(down_links("host-0-1"), ElementsAre("host-0-1->leaf-0", "leaf-0->host-0-1"));
}

TEST(Faults, SpineNumbersCountInTheHighestTier) {
  EXPECT_EQ(down_links("spine:1"), down_links("spine-1"));
  const Fabric tree = build_fabric("fat-tree:k=4,gbps=1");
  EXPECT_EQ(down_links(with_faults(tree, "spine:2")), down_links(with_faults(tree, "core-1-0")));
  EXPECT_THAT(refusal(tree, "spine:4"), AllOf(HasSubstr("'spine:4'"), HasSubstr("0 to 3")));
  EXPECT_THAT(refusal(tree, "spine:first"), HasSubstr("0 to 3"));
}

TEST(Faults, ListsAddUpAndMayRepeat) {
  EXPECT_EQ(down_links("host-0-0, leaf-0->spine-0#0,host-0-0").size(), 3U);
  EXPECT_EQ(down_links("random:50%,seed=4,random:50%,seed=4"), down_links("random:50%,seed=4"));
}

TEST(Faults, ARandomShareIsExactAndSparesEndpoints) {
  const Fabric fabric = build_fabric("leaf-spine:leaves=8,spines=5,hosts=2,gbps=100");
  for (const auto& [share, cables] : {std::pair{"0%", 0U}, {"5%", 2U}, {"6.25%", 3U}, {"50%", 20U}, {"100%", 40U}}) {
    const auto down = down_links(with_faults(fabric, std::string("random:") + share + ",seed=3"));
    EXPECT_EQ(down.size(), 2U * cables) << share;
    for (const auto& name : down) EXPECT_THAT(name, testing::Not(HasSubstr("host")));
  }
}

TEST(Faults, RandomSharesDependOnTheSeedAlone) {
  EXPECT_EQ(down_links("random:50%,seed=1"), down_links("random:50%"));
  EXPECT_EQ(down_links("random:50%,seed=7"), down_links("random:50%,seed=7"));
  std::set<std::vector<std::string>> different;
  for (int seed = 0; seed < 8; ++seed) different.insert(down_links("random:50%,seed=" + std::to_string(seed)));
  EXPECT_GT(different.size(), 4U);
  // A larger share holds the smaller one, so that a sweep over shares is a sweep of growing damage.
  const auto few = down_links("random:25%,seed=5");
  const auto many = down_links("random:75%,seed=5");
  EXPECT_THAT(many, IsSupersetOf(few));
}

TEST(Faults, NumberingAndShapeStayWhileDigestAndSymmetryChange) {
  const Fabric intact = build_fabric(kSpec);
  const Fabric faulty = with_faults(intact, "spine-0");
  EXPECT_EQ(faulty.num_links(), intact.num_links());
  for (LinkId id = 0; id < intact.num_links(); ++id) EXPECT_EQ(faulty.link_name(id), intact.link_name(id));
  ASSERT_NE(faulty.clos(), nullptr);
  EXPECT_EQ(faulty.clos()->position, intact.clos()->position);
  EXPECT_EQ(faulty.clos()->leaf_trunk, intact.clos()->leaf_trunk);
  EXPECT_FALSE(faulty.clos()->symmetric);
  EXPECT_NE(faulty.digest(), intact.digest());
  EXPECT_THAT(down_links(intact), IsEmpty());
  EXPECT_EQ(with_faults(faulty, "spine-0").digest(), faulty.digest());
}

TEST(Faults, NamesWithSpacesAndDashesAreFound) {
  FabricBuilder builder;
  const auto leaf = builder.add_switch("MF0;A09-P1-IBLEAF-01-01:MQM9701/U1");
  builder.add_cable(builder.add_endpoint("a05-p1-dgx-01-c01 HCA-6"), leaf, 400);
  builder.add_cable(builder.add_endpoint("b#1"), leaf, 400);
  const Fabric fabric = builder.finish();
  EXPECT_EQ(down_links(with_faults(fabric, "a05-p1-dgx-01-c01 HCA-6-MF0;A09-P1-IBLEAF-01-01:MQM9701/U1")).size(), 2U);
  EXPECT_EQ(down_links(with_faults(fabric, "b#1->MF0;A09-P1-IBLEAF-01-01:MQM9701/U1")).size(), 1U);
  EXPECT_EQ(down_links(with_faults(fabric, "MF0;A09-P1-IBLEAF-01-01:MQM9701/U1-b#1#0")).size(), 2U);
}

TEST(Faults, AnAmbiguousCableIsRefusedWithItsMeanings) {
  FabricBuilder builder;
  const auto a = builder.add_switch("a");
  const auto ab = builder.add_switch("a-b");
  builder.add_cable(builder.add_endpoint("b-c"), a, 1);
  builder.add_cable(builder.add_endpoint("c"), ab, 1);
  builder.add_cable(builder.add_endpoint("d"), a, 1);
  const Fabric fabric = builder.finish();
  EXPECT_THAT(refusal(fabric, "a-b-c"),
              AllOf(HasSubstr("ambiguous"), HasSubstr("'a' to 'b-c'"), HasSubstr("'a-b' to 'c'")));
  EXPECT_THAT(down_links(with_faults(fabric, "a-b")), ElementsAre("c->a-b", "a-b->c"));
  EXPECT_EQ(down_links(with_faults(fabric, "a-d")).size(), 2U);
}

TEST(Faults, UnknownNamesAreRefusedWithTheNearest) {
  const Fabric fabric = build_fabric(kSpec);
  EXPECT_THAT(refusal(fabric, "leef-1"), AllOf(HasSubstr("'leef-1' is not in the fabric"), HasSubstr("leaf-1")));
  EXPECT_THAT(refusal(fabric, "leaf-1-spin-0"), AllOf(HasSubstr("'spin-0'"), HasSubstr("spine-0")));
  EXPECT_THAT(refusal(fabric, "leif-1->spine-0#1"), AllOf(HasSubstr("'leif-1'"), HasSubstr("leaf-1")));
  EXPECT_THAT(refusal(fabric, "leaf-0,seed=3"), HasSubstr("'seed=3'"));
  EXPECT_THAT(refusal(fabric, "leaf-0,,leaf-1"), HasSubstr("empty"));
  EXPECT_THAT(refusal(fabric, ""), HasSubstr("empty"));
}

TEST(Faults, CablesThatAreNotThereAreRefused) {
  const Fabric fabric = build_fabric(kSpec);
  EXPECT_THAT(refusal(fabric, "leaf-0-leaf-1"), HasSubstr("0 cable(s) join 'leaf-0' and 'leaf-1'"));
  EXPECT_THAT(refusal(fabric, "leaf-0-spine-1#2"), AllOf(HasSubstr("2 cable(s)"), HasSubstr("#0 to #1")));
}

TEST(Faults, MalformedSharesAreRefused) {
  const Fabric fabric = build_fabric(kSpec);
  for (const char* fault : {"random:5", "random:", "random:%", "random:101%", "random:-1%", "random:nan%", "random:x%"})
    EXPECT_THAT(refusal(fabric, fault), HasSubstr("0% to 100%")) << fault;
  EXPECT_THAT(refusal(fabric, "random:5%,seed=x"), HasSubstr("seed"));
}

TEST(LinkStates, AreSetAndTakenBack) {
  const Fabric fabric = build_fabric(kSpec);
  const std::vector<LinkId> links = find_links(fabric, "leaf-0-spine-1#1");
  ASSERT_EQ(links.size(), 2U);
  const std::vector<LinkSetting> settings = {{links[0], LinkState::down}, {links[1], LinkState::degraded, 40}};
  const Fabric changed = with_link_states(fabric, settings);
  EXPECT_THAT(down_links(changed), ElementsAre("leaf-0->spine-1#1"));
  EXPECT_EQ(changed.link(links[1]).capacity_bps, 40U);
  EXPECT_NE(changed.digest(), fabric.digest());
  const std::vector<LinkSetting> up = {{links[0], LinkState::up}, {links[1], LinkState::up}};
  EXPECT_EQ(with_link_states(changed, up).digest(), fabric.digest());
}

TEST(LinkStates, ALinkIsNotDegradedToWhatItHasOrToNothing) {
  const Fabric fabric = build_fabric(kSpec);
  for (const std::uint64_t bps : {std::uint64_t{0}, fabric.link(0).nominal_bps}) {
    const auto text = error_text(ErrorCode::bad_input, [&] { check_setting(fabric, {0, LinkState::degraded, bps}); });
    EXPECT_THAT(text, AllOf(HasSubstr(fabric.link_name(0)), HasSubstr("expected above 0")));
  }
}

TEST(LinkStates, NamesMeanOneDirectionOrBothOfOneCableOrAll) {
  const Fabric fabric = build_fabric(kSpec);
  EXPECT_EQ(find_links(fabric, "leaf-0-spine-1").size(), 4U);
  EXPECT_EQ(find_links(fabric, "leaf-0->spine-1").size(), 2U);
  EXPECT_EQ(find_links(fabric, "spine-1->leaf-0#1").size(), 1U);
  for (const char* name : {"leaf-0", "spine:1", "random:5%", "leaf-0-spine-1,leaf-1-spine-1"})
    EXPECT_THROW((void)find_links(fabric, name), Error) << name;
}

}  // namespace
}  // namespace spineweave
