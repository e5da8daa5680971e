#include "views/common/theme/color_mix.h"
#include "views/liveness/liveness_painter.h"
#include "views/profile/time/plot_style.h"

#include <algorithm>
#include <qcustomplot.h>

namespace views {

namespace {

bool isShown(const LivenessScene& scene, std::size_t category) {
    const auto value = static_cast<core::MemoryCategory>(category);
    if (!scene.state.isolated.empty() && !scene.state.isolated.contains(value))
        return false;
    return scene.state.showsAlwaysLive || !core::isAlwaysLive(value);
}

/// Bottom to top: what is always live, then the stash, activations and temporaries.
std::vector<std::size_t> stackOrder() {
    std::vector<std::size_t> order;
    for (const bool alwaysLive : {true, false}) {
        for (std::size_t i = 0; i < core::memoryCategoryCount; ++i) {
            if (core::isAlwaysLive(static_cast<core::MemoryCategory>(i)) == alwaysLive)
                order.push_back(i);
        }
    }
    return order;
}

/// A step holds its value to the next one, so the last is repeated at the end.
QVector<QCPGraphData> stepCurve(const LivenessScene& scene, const std::vector<core::Bytes>& values) {
    QVector<QCPGraphData> points;
    const auto& curve = scene.data->curve.points;
    points.reserve(static_cast<qsizetype>(curve.size()) + 1);
    for (std::size_t i = 0; i < curve.size(); ++i)
        points.append({scene.position(curve[i].step), static_cast<double>(values[i].value())});
    if (!points.isEmpty())
        points.append({scene.end(), points.last().value});
    return points;
}

} // namespace

void setLivenessRange(QCustomPlot& plot, const LivenessScene& scene, const LivenessLayout& layout) {
    plot.xAxis->setRange(scene.from(), scene.to());
    plot.yAxis->setRange(0, static_cast<double>(scene.top().value()));
    std::vector<std::pair<double, QString>> ticks;
    const UnitChoice unit = byteUnitFor(scene.top(), scene.state.units.bytes);
    for (const double tick : byteTicks(scene.top(), unit, layout.curve().height(), layout.scale))
        ticks.emplace_back(tick, QString());
    setTicks(*plot.yAxis, ticks);
}

void fillLivenessPlot(QCustomPlot& plot, const LivenessScene& scene, const Theme& theme) {
    plot.clearGraphs();
    stylePlot(plot, theme);
    plot.axisRect()->setAutoMargins(QCP::msNone);
    plot.axisRect()->setMargins(QMargins(0, 0, 0, 0));
    plot.plotLayout()->setRowSpacing(0);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setTickLabels(false);
        axis->setTicks(axis == plot.yAxis);
        axis->setBasePen(Qt::NoPen);
    }
    const auto& curve = scene.data->curve.points;
    std::vector<core::Bytes> sum(curve.size());
    QCPGraph* below = nullptr;
    for (const std::size_t category : stackOrder()) {
        bool isEmpty = true;
        for (std::size_t i = 0; i < curve.size(); ++i) {
            if (isShown(scene, category) && curve[i].byCategory[category].value() > 0) {
                sum[i] += curve[i].byCategory[category];
                isEmpty = false;
            }
        }
        if (isEmpty)
            continue;
        const QColor colour = theme.category(static_cast<core::MemoryCategory>(category));
        QCPGraph* graph = plot.addGraph();
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->data()->set(stepCurve(scene, sum), true);
        // A seam of the canvas between bands, a darker line on top of all.
        graph->setPen(QPen(mix(colour, theme.color(Role::Canvas), 0.35), 0.8));
        graph->setBrush(colour);
        if (below != nullptr)
            graph->setChannelFillGraph(below);
        below = graph;
    }
    if (below != nullptr)
        below->setPen(QPen(mix(below->brush().color(), Qt::black, 0.3), 1.2));
}

} // namespace views
