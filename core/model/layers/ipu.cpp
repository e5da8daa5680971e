#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/shape_rules.h"

namespace core {

namespace {

using namespace attribute;

/// Every input comes out again.
RuleResult<CallFacts> describeCheckpoint(const LayerCall& call) {
    CallFacts facts;
    facts.outputs.assign(call.inputs.begin(), call.inputs.end());
    return facts;
}

} // namespace

LayerFamily ipuLayers() {
    LayerDefinition checkpoint;
    checkpoint.className = "RecomputationCheckpoint";
    checkpoint.category = LayerCategory::Ipu;
    checkpoint.documentation =
        "Keeps its inputs in memory when a pipeline stage is recomputed, so that what comes before is not "
        "computed again. Acts in the recomputation mode RecomputeAndBackpropagateInterleaved.";
    checkpoint.rule = describeCheckpoint;
    checkpoint.maximumInputs = anyNumberOfInputs;
    return {checkpoint};
}

} // namespace core
