// Recurrent layers and the cells they run.
#include "core/model/graph/layer_catalogue.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/layer_lowering.h"
#include "simulator/compiler/lowering/recurrent_cell.h"

namespace simulator {
namespace {

using core::Json;
using core::TensorId;

/// Initial states: the call's further inputs, else what a stateful layer kept.
std::vector<TensorId> initialStates(LoweringCall& call) {
    return {call.inputs.begin() + 1, call.inputs.end()};
}

/// States that survive a batch, zero before the first.
std::vector<TensorId> keptStates(LoweringCall& call, std::size_t count, std::int64_t units) {
    GraphBuilder& build = call.build;
    const std::int64_t samples = build.extents(call.input())[call.attributes.boolean("time_major") ? 1 : 0];
    std::vector<TensorId> states;
    for (std::size_t i = 0; i < count; ++i) {
        const TensorId state = build.tensor(build.scope().prefix + "/state_" + std::to_string(i),
                                            {{samples, units}, call.precision.compute}, TensorRole::State);
        build.graph().initialValues.push_back({state, {0}});
        states.push_back(state);
    }
    return states;
}

void updateStates(LoweringCall& call, const std::vector<TensorId>& kept, const std::vector<TensorId>& final) {
    for (std::size_t i = 0; i < kept.size(); ++i)
        call.build.addInPlace(MovingAverage{0, false, 0}, {kept[i], final[i]}, {kept[i]}, "keep_state");
}

Lowered sequenceOutputs(LoweringCall& call, const RecurrentResult& result) {
    std::vector<TensorId> outputs{timeMajorSwapped(call, result.output)};
    if (call.attributes.boolean("return_state"))
        outputs.insert(outputs.end(), result.states.begin(), result.states.end());
    if (call.attributes.boolean("return_sequences"))
        call.setMask(outputs[0], call.mask());
    return outputs;
}

Lowered lowerRecurrent(LoweringCall& call) {
    auto attributes = recurrentAttributes(call.attributes, call.attributes.definition().className);
    if (!attributes)
        return core::failure(attributes.error());
    attributes->returnSequences = call.attributes.boolean("return_sequences");
    attributes->goBackwards = call.attributes.boolean("go_backwards");
    RecurrentOperands operands;
    operands.x = timeMajorSwapped(call, call.input());
    operands.kernel = call.weight("kernel");
    operands.recurrentKernel = call.weight("recurrent_kernel");
    if (call.hasWeight("bias"))
        operands.bias = call.weight("bias");
    operands.states = initialStates(call);
    operands.mask = call.mask();
    std::vector<TensorId> kept;
    if (call.attributes.boolean("stateful") && operands.states.empty()) {
        kept = keptStates(call, attributes->cell == RecurrentCell::Lstm ? 2 : 1,
                          call.attributes.integer("units"));
        operands.states = kept;
    }
    const auto result = addRecurrent(call, *attributes, operands);
    if (!result)
        return core::failure(result.error());
    updateStates(call, kept, result->states);
    return sequenceOutputs(call, *result);
}

/// A cell of RNN or StackedRNNCells.
struct Cell {
    std::string className;
    Json config;
    std::vector<LoweredWeight> weights;
};

/// Cells inside one another's stack, in order.
void collectCells(const Json& entry, const std::vector<LoweredWeight>& weights, std::vector<Cell>& cells) {
    const std::string className = entry["class_name"].get<std::string>();
    const core::LayerDefinition* definition = core::findLayerDefinition(className);
    if (definition == nullptr || definition->className != "StackedRNNCells") {
        cells.push_back(
            {definition == nullptr ? className : definition->className, entry["config"], weights});
        return;
    }
    const core::LayerAttributes attributes(*definition, entry["config"]);
    const Json& inner = attributes.value("cells");
    for (std::size_t i = 0; i < inner.size(); ++i) {
        const std::string prefix = "cell_" + std::to_string(i) + "/";
        std::vector<LoweredWeight> own;
        for (const LoweredWeight& weight : weights) {
            if (weight.name.starts_with(prefix))
                own.push_back({weight.name.substr(prefix.size()), weight.tensor});
        }
        collectCells(inner[i], own, cells);
    }
}

/// Runs one cell along x [N, T, I]. `states` are taken from the front of the list given.
core::Result<RecurrentResult> runCell(LoweringCall& outer, const Cell& cell, TensorId x, bool returnSequences,
                                      bool goBackwards, std::vector<TensorId>& states) {
    const core::LayerDefinition* definition = core::findLayerDefinition(cell.className);
    if (definition == nullptr)
        return cannotLower("the cell \"" + cell.className + "\" is not computed",
                           "use SimpleRNNCell, LSTMCell or GRUCell");
    const core::LayerAttributes attributes(*definition, cell.config);
    LoweringCall call{outer.context, outer.build,     attributes,      outer.arguments, {x},
                      cell.weights,  outer.precision, outer.trainable, nullptr,         {}};
    auto recurrent = recurrentAttributes(attributes, cell.className);
    if (!recurrent)
        return core::failure(recurrent.error());
    recurrent->returnSequences = returnSequences;
    recurrent->goBackwards = goBackwards;
    RecurrentOperands operands;
    operands.x = x;
    operands.kernel = call.weight("kernel");
    operands.recurrentKernel = call.weight("recurrent_kernel");
    if (call.hasWeight("bias"))
        operands.bias = call.weight("bias");
    const std::size_t count = recurrent->cell == RecurrentCell::Lstm ? 2 : 1;
    if (states.size() >= count) {
        operands.states.assign(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(count));
        states.erase(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(count));
    }
    operands.mask = outer.mask();
    return addRecurrent(call, *recurrent, operands);
}

/// Cells on top of one another see the whole sequence one after the other: the same as step by step.
core::Result<RecurrentResult> runCells(LoweringCall& call, const std::vector<Cell>& cells, TensorId x,
                                       bool returnSequences, bool goBackwards, std::vector<TensorId> states) {
    RecurrentResult all{x, {}};
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool isLast = i + 1 == cells.size();
        // Only the first turns the sequence round; later cells get it in running order.
        auto result =
            runCell(call, cells[i], all.output, !isLast || returnSequences, goBackwards && i == 0, states);
        if (!result)
            return result;
        all.output = result->output;
        all.states.insert(all.states.end(), result->states.begin(), result->states.end());
    }
    return all;
}

Lowered lowerRnn(LoweringCall& call) {
    if (call.attributes.boolean("stateful"))
        return cannotLower("a stateful RNN of cells is not computed",
                           "use a stateful LSTM, GRU or SimpleRNN layer");
    if (call.mask().isValid() && call.attributes.boolean("go_backwards"))
        return cannotLower("a masked RNN of cells that runs backwards is not computed",
                           "use LSTM, GRU or SimpleRNN with go_backwards");
    std::vector<Cell> cells;
    collectCells(call.attributes.value("cell"), call.weights, cells);
    const auto result = runCells(call, cells, timeMajorSwapped(call, call.input()),
                                 call.attributes.boolean("return_sequences"),
                                 call.attributes.boolean("go_backwards"), initialStates(call));
    return result ? sequenceOutputs(call, *result) : core::failure(result.error());
}

/// A cell called by itself: a sequence of one step.
Lowered lowerLoneCell(LoweringCall& call) {
    std::vector<Cell> cells;
    collectCells(
        {{"class_name", call.attributes.definition().className}, {"config", call.attributes.config()}},
        call.weights, cells);
    const TensorId step = expandAxes(call.build, call.input(), {1});
    const auto result = runCells(call, cells, step, false, false, initialStates(call));
    if (!result)
        return core::failure(result.error());
    std::vector<TensorId> outputs{result->output};
    outputs.insert(outputs.end(), result->states.begin(), result->states.end());
    return outputs;
}

constexpr LoweringEntry recurrentLayers[]{
    {"LSTM", lowerRecurrent},           {"GRU", lowerRecurrent},      {"SimpleRNN", lowerRecurrent},
    {"PopnnLSTM", lowerRecurrent},      {"PopnnGRU", lowerRecurrent}, {"RNN", lowerRnn},
    {"LSTMCell", lowerLoneCell},        {"GRUCell", lowerLoneCell},   {"SimpleRNNCell", lowerLoneCell},
    {"StackedRNNCells", lowerLoneCell},
};

} // namespace

std::span<const LoweringEntry> recurrentLowerings() {
    return recurrentLayers;
}

} // namespace simulator
