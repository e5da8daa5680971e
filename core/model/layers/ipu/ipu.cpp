#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/ipu/ipu_families.h"
#include "core/model/layers/layer_row.h"
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

LayerDefinition ipuLayer(std::string className, std::string documentation,
                         std::vector<AttributeDefinition> attributes, LayerRule rule,
                         std::vector<std::string> inputs) {
    LayerDefinition definition = layerRow(std::move(className), LayerCategory::Ipu, std::move(documentation),
                                          std::move(attributes), rule);
    definition.minimumInputs = inputs.size();
    definition.maximumInputs = inputs.size();
    definition.inputNames = std::move(inputs);
    return definition;
}

LayerFamily ipuLayers() {
    LayerDefinition checkpoint = ipuLayer(
        "RecomputationCheckpoint",
        "Keeps its inputs in memory when a pipeline stage is recomputed, so that what comes before is not "
        "computed again. Acts in the recomputation mode RecomputeAndBackpropagateInterleaved.",
        {}, describeCheckpoint, {});
    checkpoint.minimumInputs = 1;
    checkpoint.maximumInputs = anyNumberOfInputs;
    LayerDefinition transfer = ipuLayer(
        "HostTransfer",
        "Where an outside_compilation_scope begins and ends: its input goes to the host in the middle of the "
        "program, or comes back from there. The host computes the layers between the two, while the device "
        "waits for the rendezvous and the data of both ways; their gradients the device computes.",
        {choice("direction", {"to_host", "from_host"}, "Which way the tensor goes.").defaults("to_host")},
        describeCheckpoint, {"tensor"});
    LayerFamily family{std::move(checkpoint), std::move(transfer)};
    for (const LayerFamily& part :
         {ipuOperationLayers(), ipuSequenceLayers(), ipuCommunicationLayers(), hostEmbeddingLayers()})
        family.insert(family.end(), part.begin(), part.end());
    return family;
}

} // namespace core
