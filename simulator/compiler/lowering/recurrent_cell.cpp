#include "simulator/compiler/lowering/recurrent_cell.h"

#include "core/model/layer_definition.h"
#include "simulator/compiler/lowering/activation_functions.h"

namespace simulator {
namespace {

using core::TensorId;

/// The function of a gate.
core::Result<GateFunction> gateFunction(const core::LayerAttributes& attributes, std::string_view name) {
    const core::ActivationSpec spec = attributes.activation(name);
    if (spec.name == "softmax")
        return GateFunction::softmax();
    const auto activation = elementwiseActivation(spec);
    if (!activation)
        return cannotLower("the activation \"" + spec.name + "\" is not computed in recurrent layers",
                           "use one that looks at one element at a time, such as tanh");
    // Kernels of cells compute with the parameters of the catalogue.
    const core::UnaryDefinition& row = core::definitionOf(activation->function);
    if (activation->alpha != row.alpha || activation->beta != row.beta)
        return cannotLower("a parametrised \"" + spec.name + "\" is not computed in recurrent layers",
                           "use the function without parameters of its own");
    return GateFunction(activation->function);
}

double dropoutRate(const core::LayerAttributes& attributes, std::string_view name) {
    return attributes.definition().findAttribute(name) == nullptr ? 0 : attributes.number(name);
}

} // namespace

core::Result<Recurrent> recurrentAttributes(const core::LayerAttributes& attributes,
                                            std::string_view className) {
    Recurrent recurrent;
    if (className.find("LSTM") != std::string_view::npos)
        recurrent.cell = RecurrentCell::Lstm;
    else if (className.find("GRU") != std::string_view::npos)
        recurrent.cell = RecurrentCell::Gru;
    else
        recurrent.cell = RecurrentCell::Simple;
    const auto activation = gateFunction(attributes, "activation");
    if (!activation)
        return core::failure(activation.error());
    recurrent.activation = *activation;
    if (recurrent.cell != RecurrentCell::Simple) {
        const auto gate = gateFunction(attributes, "recurrent_activation");
        if (!gate)
            return core::failure(gate.error());
        recurrent.recurrentActivation = *gate;
    }
    recurrent.useBias = attributes.boolean("use_bias");
    recurrent.halfPartials =
        attributes.definition().findAttribute("partials_dtype") != nullptr &&
        core::dataTypeFromName(attributes.text("partials_dtype")) == core::DataType::Float16;
    recurrent.resetAfter = recurrent.cell == RecurrentCell::Gru && attributes.boolean("reset_after");
    return recurrent;
}

TensorId timeMajorSwapped(LoweringCall& call, TensorId sequence) {
    return call.attributes.boolean("time_major") && call.build.rank(sequence) == 3
               ? call.build.transpose(sequence, {1, 0, 2})
               : sequence;
}

core::Result<RecurrentResult> addRecurrent(LoweringCall& call, Recurrent attributes,
                                           RecurrentOperands operands) {
    GraphBuilder& build = call.build;
    const std::int64_t samples = build.extents(operands.x)[0];
    const std::int64_t units = build.extents(operands.recurrentKernel)[0];
    const core::DataType type = build.type(operands.x);
    const double inputRate = call.isTraining() ? dropoutRate(call.attributes, "dropout") : 0;
    if (inputRate > 0) {
        // One decision per feature for the whole sequence.
        const Extents noise{samples, 1, build.extents(operands.x)[2]};
        operands.x =
            build.add(Dropout{inputRate, noise, call.seed(), call.nextStream()}, {operands.x}, "dropout");
    }
    std::vector<TensorId> inputs{operands.x, operands.kernel, operands.recurrentKernel};
    attributes.useBias = operands.bias.isValid();
    if (attributes.useBias)
        inputs.push_back(operands.bias);
    const std::size_t stateCount = attributes.cell == RecurrentCell::Lstm ? 2 : 1;
    for (std::size_t i = 0; i < stateCount; ++i)
        inputs.push_back(i < operands.states.size() ? operands.states[i]
                                                    : build.constant(0, {samples, units}, type));
    const auto addOptional = [&](TensorId id, bool& flag) {
        flag = id.isValid();
        if (flag)
            inputs.push_back(id);
    };
    addOptional(operands.attention, attributes.attentionUpdate);
    addOptional(operands.lengths, attributes.sequenceLengths);
    addOptional(operands.mask, attributes.masked);
    const double recurrentRate = call.isTraining() ? dropoutRate(call.attributes, "recurrent_dropout") : 0;
    TensorId factors;
    if (recurrentRate > 0) {
        const TensorId ones = build.constant(1, {samples, units}, type);
        factors = build.add(Dropout{recurrentRate, {}, call.seed(), call.nextStream()}, {ones},
                            "recurrent_dropout");
    }
    addOptional(factors, attributes.recurrentFactors);
    attributes.keepReserve = call.context.differentiates;
    attributes.halfPartials = attributes.halfPartials && core::elementBytes(type) <= 2;
    const std::vector<TensorId> outputs = build.addAll(attributes, std::move(inputs), "");
    return RecurrentResult{
        outputs[0], {outputs.begin() + 1, outputs.begin() + 1 + static_cast<std::ptrdiff_t>(stateCount)}};
}

} // namespace simulator
