#include "views/inspector/layer_facts.h"

#include "core/model/count.h"

#include <QCoreApplication>
#include <algorithm>

namespace views {

namespace {

QString factText(const char* text) {
    return QCoreApplication::translate("views::LayerFacts", text);
}

QString spacedShape(const core::Shape& shape) {
    return shapeText(shape).replace(QChar(0x00D7), QStringLiteral(" × "));
}

/// Elements with a free axis taken as one.
std::int64_t elementsOf(const core::Shape& shape) {
    std::int64_t count = 1;
    for (const core::Dimension& extent : shape.dimensions)
        count *= extent.value_or(1);
    return count;
}

std::vector<Fact> shapeFacts(const core::TypedGraph& graph, const core::TypedInvocation& invocation) {
    std::vector<Fact> facts;
    for (std::size_t i = 0; i < invocation.inputs.size() && i < 6; ++i) {
        const core::TensorRef input = invocation.inputs[i];
        const core::TypedInvocation& source = graph.invocation(input.invocation);
        if (input.output >= source.outputs.size())
            continue;
        const QString name = invocation.inputs.size() > 1 ? factText("input %1").arg(i) : factText("input");
        facts.push_back({name, spacedShape(source.outputs[input.output].shape), {}, {}, false});
    }
    const auto partsOf = [](const core::WeightSpec& weight, int count) {
        return toQString(weight.name).section(u':', 0, 0).section(u'/', -count);
    };
    const std::vector<core::WeightSpec>& weights = graph.layer(invocation.layer).weights;
    for (const core::WeightSpec& weight : weights) {
        // Of several kernels each is named with what it is the kernel of.
        const bool isShared = std::ranges::count_if(weights, [&](const core::WeightSpec& other) {
                                  return partsOf(other, 1) == partsOf(weight, 1);
                              }) > 1;
        const QString name = partsOf(weight, isShared ? 2 : 1);
        facts.push_back(
            {name, spacedShape(weight.shape), weight.trainable ? QString() : factText("fixed"), {}, false});
    }
    for (std::size_t i = 0; i < invocation.outputs.size(); ++i) {
        const QString name =
            invocation.outputs.size() > 1 ? factText("output %1").arg(i) : factText("output");
        const core::TensorSpec& spec = invocation.outputs[i];
        facts.push_back(
            {name,
             spacedShape(spec.shape),
             spec.type == core::DataType::Float32 ? QString() : toQString(core::toString(spec.type)),
             {},
             false});
    }
    return facts;
}

QString parametersFormula(const core::TypedLayer& layer) {
    QStringList parts;
    for (const core::WeightSpec& weight : layer.weights) {
        QStringList extents;
        for (const core::Dimension& extent : weight.shape.dimensions)
            extents.append(QString::number(extent.value_or(0)));
        parts.append(extents.isEmpty() ? QStringLiteral("1") : extents.join(QStringLiteral(" · ")));
    }
    return parts.join(QStringLiteral("\n+ "));
}

const core::InvocationEstimate* estimateOf(const Document& document, const core::TypedGraph& graph,
                                           const core::TypedInvocation& invocation) {
    if (!document.estimate())
        return nullptr;
    const std::string& path = graph.layer(invocation.layer).path;
    for (const core::InvocationEstimate& estimate : document.estimate()->invocations) {
        if (estimate.layer == path && estimate.call == invocation.call)
            return &estimate;
    }
    return nullptr;
}

} // namespace

const core::TypedInvocation* findInvocation(const core::TypedGraph& graph, const InvocationKey& key) {
    for (const core::TypedInvocation& invocation : graph.invocations) {
        if (invocation.call == key.call && graph.layer(invocation.layer).path == key.path)
            return &invocation;
    }
    return nullptr;
}

QString flopsFormula(const core::TypedGraph& graph, const core::TypedInvocation& invocation) {
    if (!invocation.flops || invocation.outputs.size() != 1)
        return {};
    const core::Shape& output = invocation.outputs.front().shape;
    for (const core::WeightSpec& weight : graph.layer(invocation.layer).weights) {
        if (weight.shape.rank() < 2 || output.rank() < 2)
            continue;
        // Matrix products and convolutions: every output position but its channels, times the whole kernel.
        QStringList factors{QStringLiteral("2")};
        std::int64_t product = 2;
        for (std::size_t axis = 0; axis + 1 < output.rank(); ++axis) {
            factors.append(QString::number(output[axis].value_or(1)));
            product *= output[axis].value_or(1);
        }
        for (const core::Dimension& extent : weight.shape.dimensions) {
            factors.append(QString::number(extent.value_or(0)));
            product *= extent.value_or(0);
        }
        if (product == *invocation.flops)
            return factors.join(QStringLiteral(" · ")) + QStringLiteral("\n= ") + groupedText(product);
    }
    return {};
}

LayerFacts layerFacts(const core::TypedGraph& graph, const core::TypedInvocation& invocation,
                      const Document& document) {
    LayerFacts facts;
    facts.shapes = shapeFacts(graph, invocation);
    const core::TypedLayer& layer = graph.layer(invocation.layer);
    std::int64_t parameters = 0;
    for (const core::WeightSpec& weight : layer.weights)
        parameters += elementsOf(weight.shape);
    facts.cost.push_back({factText("Parameters"),
                          groupedText(parameters),
                          {},
                          layer.weights.empty() ? QString() : parametersFormula(layer),
                          false});
    if (invocation.flops) {
        const NumberText flops = flopsText(core::Flops(*invocation.flops));
        facts.cost.push_back(
            {factText("Forward FLOPs"), flops.value, flops.unit, flopsFormula(graph, invocation), false});
    }
    const core::InvocationEstimate* estimate = estimateOf(document, graph, invocation);
    const bool isStale = !document.areFiguresCurrent() || (estimate != nullptr && estimate->isOld);
    if (estimate != nullptr) {
        const auto time = [&](core::Cycles cycles) {
            return timeText(cycles, document.units().time, document.timeScale());
        };
        const NumberText forward = time(estimate->forward);
        facts.cost.push_back({factText("Forward"), forward.value, forward.unit, {}, isStale});
        if (estimate->backward.value() > 0) {
            const NumberText backward = time(estimate->backward);
            facts.cost.push_back({factText("Backward"), backward.value, backward.unit, {}, isStale});
        }
    }
    std::int64_t bytes = 0;
    for (const core::TensorSpec& spec : invocation.outputs)
        bytes += elementsOf(spec.shape) * core::elementBytes(spec.type);
    const NumberText activation = bytesText(core::Bytes(bytes), document.units().bytes);
    const bool isPerSample = !invocation.outputs.empty() && invocation.outputs.front().shape.rank() > 0 &&
                             !invocation.outputs.front().shape[0];
    facts.cost.push_back({isPerSample ? factText("Activation, one sample") : factText("Activation"),
                          activation.value,
                          activation.unit,
                          {},
                          false});
    if (estimate != nullptr && estimate->tilesUsed > 0) {
        facts.cost.push_back({factText("Tiles used"), groupedText(estimate->tilesUsed), {}, {}, isStale});
        const NumberText temporary = bytesText(estimate->temporaryPerTile, document.units().bytes);
        facts.cost.push_back({factText("Temporary per tile"), temporary.value, temporary.unit, {}, isStale});
    }
    return facts;
}

namespace {

/// One figure of several calls.
class Sum {
public:
    void add(const QString& layer, double value) {
        if (m_count == 0 || value < m_least) {
            m_least = value;
            m_leastLayer = layer;
        }
        if (m_count == 0 || value > m_most) {
            m_most = value;
            m_mostLayer = layer;
        }
        m_sum += value;
        ++m_count;
    }
    [[nodiscard]] bool isEmpty() const { return m_count == 0; }
    template <class Text>
    [[nodiscard]] Fact fact(const QString& name, bool isMuted, const Text& textOf) const {
        const NumberText sum = textOf(m_sum);
        const QString range =
            factText("%1 to %2\nleast: %3\nmost: %4")
                .arg(textOf(m_least).joined(), textOf(m_most).joined(), m_leastLayer, m_mostLayer);
        return {name, sum.value, sum.unit, m_count > 1 ? range : QString(), isMuted};
    }

private:
    double m_sum = 0;
    double m_least = 0;
    double m_most = 0;
    QString m_leastLayer;
    QString m_mostLayer;
    std::size_t m_count = 0;
};

} // namespace

std::vector<Fact> selectionFacts(const core::TypedGraph& graph, const std::set<InvocationKey>& calls,
                                 const Document& document) {
    Sum parameters;
    Sum flops;
    Sum activations;
    Sum forward;
    Sum backward;
    bool isStale = !document.areFiguresCurrent();
    std::set<std::string> counted;
    for (const core::TypedInvocation& invocation : graph.invocations) {
        const core::TypedLayer& layer = graph.layer(invocation.layer);
        if (invocation.outputs.empty() || !calls.contains({layer.path, invocation.call}))
            continue;
        const QString name = toQString(layer.path);
        std::int64_t weights = 0;
        for (const core::WeightSpec& weight : layer.weights)
            weights += elementsOf(weight.shape);
        if (counted.insert(layer.path).second)
            parameters.add(name, double(weights));
        if (invocation.flops)
            flops.add(name, double(*invocation.flops));
        std::int64_t bytes = 0;
        for (const core::TensorSpec& spec : invocation.outputs)
            bytes += elementsOf(spec.shape) * core::elementBytes(spec.type);
        activations.add(name, double(bytes));
    }
    if (document.estimate()) {
        for (const core::InvocationEstimate& estimate : document.estimate()->invocations) {
            if (!calls.contains({estimate.layer, estimate.call}))
                continue;
            forward.add(toQString(estimate.layer), double(estimate.forward.value()));
            backward.add(toQString(estimate.layer), double(estimate.backward.value()));
            isStale = isStale || estimate.isOld;
        }
    }
    const auto time = [&](double cycles) {
        return timeText(core::Cycles(std::int64_t(cycles)), document.units().time, document.timeScale());
    };
    std::vector<Fact> facts;
    if (!parameters.isEmpty())
        facts.push_back(parameters.fact(factText("Parameters"), false, [](double value) {
            return NumberText{groupedText(std::int64_t(value)), {}};
        }));
    if (!flops.isEmpty())
        facts.push_back(flops.fact(factText("Forward FLOPs"), false,
                                   [](double value) { return flopsText(core::Flops(std::int64_t(value))); }));
    if (!forward.isEmpty())
        facts.push_back(forward.fact(factText("Forward"), isStale, time));
    if (!backward.isEmpty())
        facts.push_back(backward.fact(factText("Backward"), isStale, time));
    if (!activations.isEmpty())
        facts.push_back(activations.fact(factText("Activations"), false, [&](double value) {
            return bytesText(core::Bytes(std::int64_t(value)), document.units().bytes);
        }));
    return facts;
}

} // namespace views
