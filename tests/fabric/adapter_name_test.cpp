#include <gtest/gtest.h>

#include "spineweave/fabric.hpp"

namespace spineweave {
namespace {

TEST(AdapterName, IsHostAndRailNumber) {
  const auto name = parse_adapter_name("node7 HCA-3");
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->host, "node7");
  EXPECT_EQ(name->rail, 3U);
}

TEST(AdapterName, CountsVerbsDevicesFromOneAsWell) {
  EXPECT_EQ(parse_adapter_name("node7 mlx5_2")->rail, 3U);
  EXPECT_EQ(parse_adapter_name("a08-p1-dgx-04-c01 mlx5_0")->rail, 1U);
  EXPECT_EQ(parse_adapter_name("old mlx4_1")->rail, 2U);
}

TEST(AdapterName, IsEmptyForOtherForms) {
  for (const char* name :
       {"", "node7", "HCA-1", " HCA-1", "node7 ", "node7 HCA-", "node7 HCA-x", "node7 HCA--1", "node7 mlx5_",
        "node7 mlx_1", "node7 mlx5_bond_0", "node7 eth0", "node7  HCA-1", "node7 HCA-1 port 2",
        "MT4129 ConnectX7   Mellanox Technologies", "Mellanox Technologies Aggregation Node", "node7 HCA-4294967295",
        "node7 mlx5_18446744073709551615"})
    EXPECT_FALSE(parse_adapter_name(name).has_value()) << name;
}

}  // namespace
}  // namespace spineweave
