// What the ranks of a training job send each other, from the model's sizes and from how it is split.
#pragma once

#include <cstdint>

#include "workload/presets.hpp"

namespace spineweave {

// Degrees of parallelism. A rank holds one of `pipeline` runs of layers, and of these one of `tensor` slices; `data`
// copies of that share the batch, and each `experts` of them the experts of a copy.
struct Parallelism {
  std::uint64_t data = 1, pipeline = 1, tensor = 1, experts = 1;
  std::uint64_t micro_batches = 1;  // of each copy, in an epoch
  std::uint64_t micro_batch = 1;    // sequences in one
  [[nodiscard]] std::uint64_t ranks() const { return data * pipeline * tensor; }
};

// Bytes per flow and step of each collective, all values of two bytes (16-bit floating point), rounded up.
struct TrainingTraffic {
  // One micro-batch where the pipeline cuts the model: each tensor rank sends its slice of it (Narayanan et al.,
  // "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM", 2021, section 4.1).
  std::uint64_t activations = 0;
  // Tokens of one micro-batch from one rank to one other: as many to each, top_k times each (Lepikhin et al.,
  // "GShard: Scaling Giant Models with Conditional Computation and Automatic Sharding", 2020).
  std::uint64_t tokens = 0;
  // In a pass: each of a rank's layers with experts dispatches tokens and combines the results.
  std::uint64_t exchanges = 0;
  // A step of the ring all-reduce over all copies, and of that over those of the same experts (Fedus, Zoph, Shazeer,
  // "Switch Transformers", 2021, section 5). The second is 0 where experts are not split, and go with the first.
  std::uint64_t gradients = 0;
  std::uint64_t expert_gradients = 0;
};

[[nodiscard]] TrainingTraffic traffic_of(const ModelPreset& model, const Parallelism& split);

}  // namespace spineweave
