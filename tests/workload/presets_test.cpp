#include "workload/presets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/error_text.hpp"

namespace spineweave {
namespace {

using test::error_text;
using testing::AllOf;
using testing::HasSubstr;

TEST(Presets, HaveNamesOfTheirOwnAndASource) {
  std::set<std::string_view> names;
  for (const ModelPreset& preset : model_presets()) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_THAT(std::string(preset.source), HasSubstr("(arXiv ")) << preset.name;
    EXPECT_EQ(&find_preset(preset.name), &preset);
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"gpt-3", "bloom", "llama2-70b", "opt-175b", "gopher", "mt-nlg", "palm",
                                            "pangu-sigma", "llama3.1-405b", "deepseek-v3"}));
}

// A transformer layer has about 12 hidden^2 parameters: four matrices of attention, eight of the feed-forward network.
TEST(Presets, OfDenseModelsHaveTheParametersThatLayersAndHiddenSizeImply) {
  for (const ModelPreset& preset : model_presets()) {
    if (preset.has_experts()) continue;
    const double implied = 12.0 * preset.layers * preset.hidden * preset.hidden;
    EXPECT_NEAR(implied / static_cast<double>(preset.parameters), 1.0, 0.125) << preset.name;
  }
}

TEST(Presets, OfMixturesHoldNearlyAllParametersInTheirExperts) {
  for (const ModelPreset& preset : model_presets()) {
    if (!preset.has_experts()) continue;
    const ExpertLayers& experts = preset.experts;
    EXPECT_LE(experts.layers, preset.layers) << preset.name;
    EXPECT_LE(experts.top_k, experts.experts) << preset.name;
    const double share = static_cast<double>(experts.layers * experts.experts * experts.parameters) /
                         static_cast<double>(preset.parameters);
    EXPECT_GT(share, 0.95) << preset.name;
    EXPECT_LT(share, 1.0) << preset.name;
  }
}

TEST(Presets, ThatAreUnknownAreRefusedWithAllTheNames) {
  EXPECT_THAT(error_text(ErrorCode::usage, [] { (void)find_preset("gpt-4"); }),
              AllOf(HasSubstr("unknown model 'gpt-4'"), HasSubstr("gpt-3, "), HasSubstr("deepseek-v3"),
                    HasSubstr("did you mean gpt-3")));
}

}  // namespace
}  // namespace spineweave
