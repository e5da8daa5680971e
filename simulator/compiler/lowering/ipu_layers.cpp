// Layers of the IPU extensions that Keras itself does not have.
#include "simulator/compiler/lowering/layer_lowering.h"

namespace simulator {
namespace {

Lowered lowerRecomputationCheckpoint(LoweringCall& call) {
    std::vector<core::TensorId> outputs;
    for (const core::TensorId input : call.inputs)
        outputs.push_back(call.build.add(RecomputationCheckpoint{}, {input}, "checkpoint"));
    return outputs;
}

constexpr LoweringEntry entries[]{
    {"RecomputationCheckpoint", lowerRecomputationCheckpoint, true},
};

} // namespace

std::span<const LoweringEntry> ipuLowerings() {
    return entries;
}

} // namespace simulator
