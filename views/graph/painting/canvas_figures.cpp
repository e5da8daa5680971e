#include "views/graph/painting/canvas_figures.h"

#include "core/model/typed_graph.h"

#include <algorithm>

namespace views {

namespace {

std::int64_t elementsOf(const core::Shape& shape, bool skipFree) {
    std::int64_t count = 1;
    for (const core::Dimension& extent : shape.dimensions) {
        if (extent)
            count *= *extent;
        else if (!skipFree)
            return 0;
    }
    return count;
}

std::optional<double> valueOf(const NodeCost& cost, OverlayMetric metric) {
    switch (metric) {
    case OverlayMetric::Time:
        return cost.cycles;
    case OverlayMetric::Flops:
        return cost.flops;
    case OverlayMetric::Bytes:
        return cost.bytes;
    case OverlayMetric::Off:
        break;
    }
    return std::nullopt;
}

std::optional<double> sumOf(const CanvasFigures& figures, const std::vector<int>& members,
                            OverlayMetric metric) {
    std::optional<double> sum;
    for (const int node : members) {
        if (const auto value = valueOf(figures.costs[std::size_t(node)], metric))
            sum = sum.value_or(0) + *value;
    }
    return sum;
}

UnitChoice unitFor(OverlayMetric metric, double largest, const Units& units, const TimeScale& scale) {
    // A step below the largest keeps the small ones readable: 24.5 MiB and 25 088 KiB both have their place.
    if (metric == OverlayMetric::Time)
        return timeUnitFor(core::Cycles(std::int64_t(largest / 4)), units.time, scale);
    if (metric == OverlayMetric::Bytes)
        return byteUnitFor(core::Bytes(std::int64_t(largest / 4)), units.bytes);
    const NumberText text = flopsText(core::Flops(std::int64_t(largest / 4)));
    const double factor = text.unit.startsWith(u'T')   ? 1e-12
                          : text.unit.startsWith(u'G') ? 1e-9
                          : text.unit.startsWith(u'M') ? 1e-6
                          : text.unit.startsWith(u'k') ? 1e-3
                                                       : 1;
    return {text.unit, factor, 1};
}

/// The share of each box in the largest one is its heat, so that a group is held against groups too.
NodeFigure figureOf(const CanvasFigures& figures, const std::vector<int>& members, OverlayMetric metric,
                    const UnitChoice& unit) {
    const std::optional<double> value = sumOf(figures, members, metric);
    if (!value)
        return {};
    const double number = *value * unit.factor;
    const int decimals = unit.factor == 1 || number >= 10 ? 0 : 1;
    const bool isOld = metric == OverlayMetric::Time && std::ranges::any_of(members, [&](int node) {
                           return figures.costs[std::size_t(node)].isOld;
                       });
    return {fixedText(number, decimals), *value, isOld};
}

/// What a box shows a figure of: a call alone, whatever follows it in its rows; a group with all it holds.
std::vector<int> countedIn(const BoxShape& box) {
    return box.group >= 0 ? box.members : std::vector<int>{box.node};
}

QString groupFacts(const CanvasFigures& figures, const std::vector<int>& members) {
    std::int64_t parameters = 0;
    for (const int node : members)
        parameters += figures.costs[std::size_t(node)].parameters;
    QString text =
        countedText(std::int64_t(members.size()), QStringLiteral("layer"), QStringLiteral("layers"));
    if (parameters > 0) {
        const NumberText count = countText(double(parameters));
        text += QStringLiteral(" · ") + count.value + (count.unit.isEmpty() ? QString() : u' ' + count.unit);
    }
    return text;
}

} // namespace

CanvasFigures makeFigures(const CanvasModel& model, const ProjectAnalysis& analysis,
                          const std::optional<core::PlanEstimate>& estimate) {
    CanvasFigures figures;
    figures.costs.resize(model.nodes.size());
    for (const CanvasNode& node : model.nodes) {
        figures.layers += node.isInput || node.key.call > 0 ? 0 : 1;
        figures.uncounted += analysis.graph && node.outputShapes.empty() ? 1 : 0;
    }
    if (analysis.graph) {
        std::vector<bool> isCounted(analysis.graph->layers.size(), false);
        for (const core::TypedInvocation& invocation : analysis.graph->invocations) {
            const core::TypedLayer& layer = analysis.graph->layer(invocation.layer);
            const int node = model.find(layer.path, invocation.call);
            if (node < 0)
                continue;
            NodeCost& cost = figures.costs[std::size_t(node)];
            for (const core::WeightSpec& weight : layer.weights) {
                const std::int64_t count = elementsOf(weight.shape, false);
                cost.parameters += count;
                cost.trainableParameters += weight.trainable && layer.trainable ? count : 0;
            }
            if (!isCounted[invocation.layer.index()])
                figures.parameters += cost.parameters;
            isCounted[invocation.layer.index()] = true;
            if (invocation.flops)
                cost.flops = double(*invocation.flops);
            std::int64_t bytes = 0;
            for (const core::TensorSpec& spec : invocation.outputs)
                bytes += elementsOf(spec.shape, true) * core::elementBytes(spec.type);
            if (!invocation.outputs.empty())
                cost.bytes = double(bytes);
        }
    }
    if (estimate) {
        for (const core::InvocationEstimate& invocation : estimate->invocations) {
            const int node = model.find(invocation.layer, invocation.call);
            if (node < 0 || model.nodes[std::size_t(node)].isInput)
                continue;
            figures.costs[std::size_t(node)].cycles = double(invocation.forward.value());
            figures.costs[std::size_t(node)].isOld = invocation.isOld || !estimate->refusal.empty();
        }
    }
    return figures;
}

QString fillFigures(CanvasState& state, const CanvasGeometry& geometry, const CanvasFigures& figures,
                    OverlayMetric metric, const Units& units, const TimeScale& scale) {
    state.figures.clear();
    state.boxTexts.clear();
    for (const BoxShape& box : geometry.boxes)
        state.boxTexts.push_back(box.group >= 0 ? groupFacts(figures, box.members) : QString());
    if (metric == OverlayMetric::Off)
        return {};
    double largest = 0;
    for (const NodeCost& cost : figures.costs)
        largest = std::max(largest, valueOf(cost, metric).value_or(0));
    if (largest <= 0)
        return {};
    const UnitChoice unit = unitFor(metric, largest, units, scale);
    double most = 0;
    for (const BoxShape& box : geometry.boxes) {
        state.figures.push_back(figureOf(figures, countedIn(box), metric, unit));
        most = std::max(most, state.figures.back().share);
    }
    for (NodeFigure& figure : state.figures)
        figure.share = most > 0 ? figure.share / most : 0;
    return unit.name;
}

} // namespace views
