#include "views/common/theme/color_mix.h"
#include "views/liveness/liveness_painter.h"
#include "views/profile/time/plot_style.h"

#include <algorithm>
#include <cmath>
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

/// A place on the axis, and the point of the curve that is shown from there to the next.
struct ShownPoint {
    double position;
    std::size_t point;
};

/// What is in view: every point, or the highest of each pixel where there are many.
std::vector<ShownPoint> pointsInView(const LivenessScene& scene, const LivenessBands& bands, double width) {
    const std::vector<double>& positions = bands.positions;
    const auto firstFrom = [&](double position) {
        return std::size_t(std::ranges::lower_bound(positions, position) - positions.begin());
    };
    // What begins before the view reaches into it.
    const std::size_t begin = std::max<std::size_t>(1, firstFrom(scene.from())) - 1;
    const std::size_t end = std::min(positions.size(), firstFrom(scene.to()) + 1);
    const double perPixel = (scene.to() - scene.from()) / std::max(1.0, width);
    const bool isDense = double(end - begin) > 2 * width;
    std::vector<ShownPoint> shown;
    double next = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const double position = positions[i];
        if (!isDense || shown.empty() || position >= next) {
            shown.push_back({position, i});
            next = scene.from() + perPixel * (std::floor((position - scene.from()) / perPixel) + 1);
        } else if (bands.sums[i] > bands.sums[shown.back().point]) {
            shown.back().point = i;
        }
    }
    // A step holds its value to the next one, so the last is repeated at the end.
    if (!shown.empty() && end == positions.size())
        shown.push_back({scene.end(), shown.back().point});
    return shown;
}

} // namespace

void setLivenessRange(QCustomPlot& plot, const LivenessScene& scene, const LivenessBands& bands,
                      const LivenessLayout& layout) {
    const std::vector<ShownPoint> shown = pointsInView(scene, bands, layout.curve().width());
    std::vector<core::Bytes> sums(shown.size());
    for (std::size_t band = 0; band < bands.categories.size(); ++band) {
        QVector<QCPGraphData> points;
        points.reserve(static_cast<qsizetype>(shown.size()));
        for (std::size_t i = 0; i < shown.size(); ++i) {
            sums[i] += scene.data->curve.points[shown[i].point].byCategory[bands.categories[band]];
            points.append({shown[i].position, static_cast<double>(sums[i].value())});
        }
        plot.graph(static_cast<int>(band))->data()->set(points, true);
    }
    plot.xAxis->setRange(scene.from(), scene.to());
    plot.yAxis->setRange(0, static_cast<double>(scene.top().value()));
    std::vector<std::pair<double, QString>> ticks;
    const UnitChoice unit = byteUnitFor(scene.top(), scene.state.units.bytes);
    for (const double tick : byteTicks(scene.top(), unit, layout.curve().height(), layout.scale))
        ticks.emplace_back(tick, QString());
    setTicks(*plot.yAxis, ticks);
}

LivenessBands fillLivenessPlot(QCustomPlot& plot, const LivenessScene& scene, const Theme& theme) {
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
    LivenessBands bands;
    bands.sums.resize(curve.size());
    bands.positions.reserve(curve.size());
    for (const core::LivenessPoint& point : curve)
        bands.positions.push_back(scene.position(point.step));
    QCPGraph* below = nullptr;
    for (const std::size_t category : stackOrder()) {
        bool isEmpty = true;
        for (std::size_t i = 0; i < curve.size(); ++i) {
            if (isShown(scene, category) && curve[i].byCategory[category].value() > 0) {
                bands.sums[i] += curve[i].byCategory[category].value();
                isEmpty = false;
            }
        }
        if (isEmpty)
            continue;
        const QColor colour = theme.category(static_cast<core::MemoryCategory>(category));
        QCPGraph* graph = plot.addGraph();
        graph->setLineStyle(QCPGraph::lsStepLeft);
        bands.categories.push_back(category);
        // A seam of the canvas between bands, a darker line on top of all.
        graph->setPen(QPen(mix(colour, theme.color(Role::Canvas), 0.35), 0.8));
        graph->setBrush(colour);
        if (below != nullptr)
            graph->setChannelFillGraph(below);
        below = graph;
    }
    if (below != nullptr)
        below->setPen(QPen(mix(below->brush().color(), Qt::black, 0.3), 1.2));
    return bands;
}

} // namespace views
