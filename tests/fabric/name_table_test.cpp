#include "fabric/name_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace spineweave {
namespace {

struct Named {
  std::vector<Node> nodes;
  NameTable table;

  bool add(const std::string& name) {
    const bool is_new = table.insert(name, static_cast<std::uint32_t>(nodes.size()), nodes);
    if (is_new) nodes.emplace_back().name = name;
    return is_new;
  }
};

TEST(NameTable, AnEmptyOneHasNoName) { EXPECT_EQ(NameTable().find("a", {}), kNone); }

TEST(NameTable, FindsEveryNameWhileItGrowsAndNoOther) {
  for (const std::size_t reserved : {0U, 1U, 1000U, 5000U}) {
    Named named;
    named.table.reserve(reserved);
    for (int i = 0; i < 3000; ++i) EXPECT_TRUE(named.add("node-" + std::to_string(i)));
    for (std::uint32_t i = 0; i < 3000; ++i) EXPECT_EQ(named.table.find(named.nodes[i].name, named.nodes), i);
    EXPECT_EQ(named.table.find("node-3000", named.nodes), kNone);
    EXPECT_EQ(named.table.find("", named.nodes), kNone);
  }
}

TEST(NameTable, ANameThatIsThereStaysAsItIs) {
  Named named;
  EXPECT_TRUE(named.add("a"));
  EXPECT_TRUE(named.add("b"));
  EXPECT_FALSE(named.add("a"));
  EXPECT_EQ(named.table.find("a", named.nodes), 0U);
}

TEST(NameTable, FollowsItsNodesToNewPlaces) {
  Named named;
  for (const char* name : {"c", "a", "b"}) named.add(name);
  const std::vector<std::uint32_t> new_id = {2, 0, 1};
  named.table.renumber(new_id);
  std::ranges::sort(named.nodes, {}, &Node::name);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(named.table.find(named.nodes[i].name, named.nodes), i);
}

}  // namespace
}  // namespace spineweave
