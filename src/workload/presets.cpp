#include "workload/presets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "spineweave/error.hpp"
#include "util/text.hpp"

namespace spineweave {
namespace {

// Two matrices of a feed-forward network, or three where it is gated (SwiGLU).
constexpr std::uint64_t feed_forward(std::uint64_t matrices, std::uint64_t hidden, std::uint64_t inner) {
  return matrices * hidden * inner;
}

constexpr std::array kPresets = {
    ModelPreset{"gpt-3", 175'000'000'000, 96, 12288, 2048,
                "Brown et al., \"Language Models are Few-Shot Learners\", 2020 (arXiv 2005.14165)"},
    ModelPreset{"gopher", 280'000'000'000, 80, 16384, 2048,
                "Rae et al., \"Scaling Language Models: Methods, Analysis & Insights from Training Gopher\", 2021 "
                "(arXiv 2112.11446)"},
    ModelPreset{"mt-nlg", 530'000'000'000, 105, 20480, 2048,
                "Smith et al., \"Using DeepSpeed and Megatron to Train Megatron-Turing NLG 530B\", 2022 "
                "(arXiv 2201.11990)"},
    ModelPreset{"palm", 540'000'000'000, 118, 18432, 2048,
                "Chowdhery et al., \"PaLM: Scaling Language Modeling with Pathways\", 2022 (arXiv 2204.02311)"},
    ModelPreset{"opt-175b", 175'000'000'000, 96, 12288, 2048,
                "Zhang et al., \"OPT: Open Pre-trained Transformer Language Models\", 2022 (arXiv 2205.01068)"},
    ModelPreset{"bloom", 176'000'000'000, 70, 14336, 2048,
                "BigScience Workshop, \"BLOOM: A 176B-Parameter Open-Access Multilingual Language Model\", 2022 "
                "(arXiv 2211.05100)"},
    ModelPreset{"llama2-70b", 70'000'000'000, 80, 8192, 4096,
                "Touvron et al., \"Llama 2: Open Foundation and Fine-Tuned Chat Models\", 2023 (arXiv 2307.09288)"},
    ModelPreset{"llama3.1-405b", 405'000'000'000, 126, 16384, 8192,
                "Grattafiori et al., \"The Llama 3 Herd of Models\", 2024 (arXiv 2407.21783)"},
    ModelPreset{"pangu-sigma",
                1'085'000'000'000,
                40,
                5120,
                1024,
                "Ren et al., \"PanGu-Sigma: Towards Trillion Parameter Language Model with Sparse Heterogeneous "
                "Computing\", 2023 (arXiv 2303.10845)",
                {8, 640, 1, feed_forward(2, 5120, 20480)}},
    ModelPreset{"mixtral-8x7b",
                47'000'000'000,
                32,
                4096,
                32768,
                "Jiang et al., \"Mixtral of Experts\", 2024 (arXiv 2401.04088)",
                {32, 8, 2, feed_forward(3, 4096, 14336)}},
    ModelPreset{"deepseek-v3",
                671'000'000'000,
                61,
                7168,
                4096,
                "DeepSeek-AI, \"DeepSeek-V3 Technical Report\", 2024 (arXiv 2412.19437)",
                {58, 256, 8, feed_forward(3, 7168, 2048)}},
};

}  // namespace

std::span<const ModelPreset> model_presets() { return kPresets; }

std::vector<std::string_view> preset_names() {
  std::vector<std::string_view> names(kPresets.size());
  std::ranges::transform(kPresets, names.begin(), &ModelPreset::name);
  return names;
}

const ModelPreset& find_preset(std::string_view name) {
  const auto found = std::ranges::find(kPresets, name, &ModelPreset::name);
  if (found != kPresets.end()) return *found;
  const std::vector<std::string_view> names = preset_names();
  throw Error(ErrorCode::usage,
              util::with_hint(fmt::format("unknown model '{}'; expected one of {}", name, fmt::join(names, ", ")), name,
                              names));
}

}  // namespace spineweave
