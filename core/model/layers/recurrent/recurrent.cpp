#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/recurrent/recurrent_rules.h"

namespace core {

namespace {

using namespace attribute;

RuleResult<CallFacts> describeRecurrent(const LayerCall& call, const CellKind& kind) {
    if (auto error = requireRank(call, 3))
        return tl::unexpected(*error);
    const auto features = requireExtent(call.shape(), 2);
    if (!features)
        return tl::unexpected(features.error());
    return runCell(call, describeCell(call, kind, *features));
}

RuleResult<CallFacts> describeSimple(const LayerCall& call) {
    return describeRecurrent(call, simpleCell());
}
RuleResult<CallFacts> describeGru(const LayerCall& call) {
    return describeRecurrent(call, gatedCell());
}
RuleResult<CallFacts> describeLstm(const LayerCall& call) {
    return describeRecurrent(call, longShortTermCell());
}

LayerDefinition recurrentRow(const CellKind& kind, std::string documentation, LayerRule rule,
                             std::vector<std::string> aliases) {
    LayerDefinition definition = layerRow(kind.name, LayerCategory::Recurrent, std::move(documentation),
                                          joined({cellAttributes(kind), sequenceAttributes()}), rule);
    definition.minimumInputs = 1;
    definition.maximumInputs = 1 + kind.states;
    definition.inputNames = {"sequence", "state", "carry"};
    definition.aliases = std::move(aliases);
    return definition;
}

/// The IPU's own implementations: the same cells with the number format of their partial sums.
LayerDefinition popnn(LayerDefinition definition, std::string className) {
    definition.className = std::move(className);
    definition.category = LayerCategory::Ipu;
    definition.documentation += " The IPU's fused implementation.";
    definition.aliases.clear();
    definition.attributes.push_back(
        any(AttributeKind::DataType, "partials_dtype", "Element type of partial sums: float32 or float16.")
            .defaults("float32"));
    definition.attributes.push_back(json("dropout_seed", nullptr, "A pair of seeds of the dropout mask."));
    return definition;
}

} // namespace

LayerFamily recurrentLayers() {
    const LayerDefinition lstm = recurrentRow(
        longShortTermCell(),
        "Long short-term memory: input, forget and output gates around a cell that carries memory along a "
        "sequence.",
        describeLstm, {"CuDNNLSTM", "LSTMV1", "LSTMV2"});
    const LayerDefinition gru = recurrentRow(
        gatedCell(), "Gated recurrent unit: update and reset gates around a state carried along a sequence.",
        describeGru, {"CuDNNGRU", "GRUV1", "GRUV2"});
    return {
        lstm,
        gru,
        recurrentRow(simpleCell(), "A state that is a function of the last state and the new input.",
                     describeSimple, {}),
        popnn(lstm, "PopnnLSTM"),
        popnn(gru, "PopnnGRU"),
    };
}

} // namespace core
