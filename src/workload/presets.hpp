// Published sizes of language models: the traffic of training them follows from these.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace spineweave {

// The layers of a mixture of experts that hold routed experts in place of one feed-forward network.
struct ExpertLayers {
  std::uint32_t layers = 0;      // 0: the model is dense
  std::uint32_t experts = 0;     // in each of these layers; those that every token passes are not counted
  std::uint32_t top_k = 0;       // experts that a token is sent to
  std::uint64_t parameters = 0;  // of one expert
};

struct ModelPreset {
  std::string_view name;  // in specs
  std::uint64_t parameters = 0;
  std::uint32_t layers = 0;
  std::uint32_t hidden = 0;    // values that stand for a token between two layers
  std::uint32_t sequence = 0;  // tokens, in pre-training
  std::string_view source;
  ExpertLayers experts = {};
  [[nodiscard]] bool has_experts() const { return experts.layers > 0; }
};

// Dense models first, then mixtures of experts, each by year.
[[nodiscard]] std::span<const ModelPreset> model_presets();
[[nodiscard]] std::vector<std::string_view> preset_names();
// Throws Error{usage} that names all presets.
[[nodiscard]] const ModelPreset& find_preset(std::string_view name);

}  // namespace spineweave
