#include "core/model/graph/layer_catalogue.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/recurrent/recurrent_rules.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

RuleResult<CellFacts> describeWrappedCell(const LayerCall& call, const Json& cell, std::int64_t features,
                                          int depth);

/// Cells on top of one another: each is fed with the output of the one before.
RuleResult<CellFacts> describeStack(const LayerCall& call, const Json& cells, std::int64_t features,
                                    int depth) {
    CellFacts stack;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto cell = describeWrappedCell(call, cells[i], features, depth + 1);
        if (!cell)
            return cell;
        for (WeightSpec spec : cell->weights) {
            spec.name = fmt::format("cell_{}/{}", i, spec.name);
            stack.weights.push_back(std::move(spec));
        }
        stack.states.insert(stack.states.end(), cell->states.begin(), cell->states.end());
        stack.flopsPerStep += cell->flopsPerStep;
        stack.outputs = features = cell->outputs;
    }
    return stack;
}

const CellKind* kindOf(std::string_view className) {
    for (const CellKind* kind : {&simpleCell(), &gatedCell(), &longShortTermCell()}) {
        if (className == kind->name + "Cell")
            return kind;
    }
    return nullptr;
}

RuleResult<CellFacts> describeWrappedCell(const LayerCall& call, const Json& cell, std::int64_t features,
                                          int depth) {
    constexpr int deepest = 8;
    const auto className = cell["class_name"].get<std::string>();
    const LayerDefinition* definition = findLayerDefinition(className);
    if (depth > deepest || definition == nullptr)
        return refuse(fmt::format("cannot run the cell \"{}\"", className),
                      "use SimpleRNNCell, GRUCell, LSTMCell or StackedRNNCells", "cell");
    const Diagnostics findings = checkAttributes(*definition, cell["config"], "", "");
    if (hasErrors(findings))
        return refuse(findings.front().message, "", "cell");
    const LayerAttributes attributes(*definition, cell["config"]);
    const LayerCall inner{attributes,     call.inputs,          call.arguments,
                          call.precision, call.globalPrecision, nullptr};
    if (definition->className == "StackedRNNCells")
        return describeStack(inner, attributes.value("cells"), features, depth);
    const CellKind* kind = kindOf(definition->className);
    if (kind == nullptr)
        return refuse(fmt::format("\"{}\" is no cell", className), "use a class that ends in Cell", "cell");
    return describeCell(inner, *kind, features);
}

RuleResult<CallFacts> describeRnn(const LayerCall& call) {
    if (auto error = requireRank(call, 3))
        return tl::unexpected(*error);
    const auto features = requireExtent(call.shape(), 2);
    if (!features)
        return tl::unexpected(features.error());
    const auto cell = describeWrappedCell(call, call.attributes.value("cell"), *features, 0);
    return cell ? runCell(call, *cell) : tl::unexpected(cell.error());
}

/// A cell called by itself: one step, input then states.
RuleResult<CallFacts> describeLoneCell(const LayerCall& call) {
    if (auto error = requireRank(call, 2))
        return tl::unexpected(*error);
    const auto features = requireExtent(call.shape(), 1);
    if (!features)
        return tl::unexpected(features.error());
    const Json entry{{"class_name", call.attributes.definition().className},
                     {"config", call.attributes.config()}};
    const auto cell = describeWrappedCell(call, entry, *features, 0);
    if (!cell)
        return tl::unexpected(cell.error());
    CallFacts facts = output(call, Shape{call.shape()[0], cell->outputs});
    for (const std::int64_t units : cell->states)
        facts.outputs.push_back({Shape{call.shape()[0], units}, call.precision.compute});
    facts.weights = cell->weights;
    facts.flops = cell->flopsPerStep * Count(call.shape()[0]);
    return facts;
}

LayerDefinition recurrentCellRow(std::string className, std::string documentation, Attributes attributes,
                                 LayerRule rule, std::size_t maximumInputs) {
    LayerDefinition definition = layerRow(std::move(className), LayerCategory::Recurrent,
                                          std::move(documentation), std::move(attributes), rule);
    definition.maximumInputs = maximumInputs;
    return definition;
}

Json startingCell() {
    return {{"class_name", "LSTMCell"}, {"config", {{"units", 64}}}};
}

LayerDefinition cell(const CellKind& kind) {
    return recurrentCellRow(kind.name + "Cell", "One step of " + kind.name + ", to be run by RNN.",
                            cellAttributes(kind), describeLoneCell, 1 + kind.states);
}

} // namespace

LayerFamily recurrentCellLayers() {
    return {
        recurrentCellRow("RNN", "Runs a cell along a sequence.",
                         joined({{any(AttributeKind::Layer, "cell", "The cell.").required(startingCell())},
                                 sequenceAttributes()}),
                         describeRnn, anyNumberOfInputs),
        cell(longShortTermCell()),
        cell(gatedCell()),
        cell(simpleCell()),
        recurrentCellRow(
            "StackedRNNCells", "Cells on top of one another, run as one by RNN.",
            {any(AttributeKind::Layers, "cells", "The cells, the first one nearest to the input.")
                 .required(Json::array({startingCell()})),
             json("reverse_state_order", false, "Bookkeeping of old editions.")},
            describeLoneCell, anyNumberOfInputs),
    };
}

} // namespace core
