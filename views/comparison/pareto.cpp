#include "views/comparison/pareto.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/hatch.h"
#include "views/profile/time/plot_style.h"
#include "views/profile/time/time_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <qcustomplot.h>

namespace views {

namespace {

/// By place in the catalogue of schedules; the diamond is left to runs without one.
constexpr std::array shapes{QCPScatterStyle::ssCircle,     QCPScatterStyle::ssSquare,
                            QCPScatterStyle::ssTriangle,   QCPScatterStyle::ssTriangleInverted,
                            QCPScatterStyle::ssStar,       QCPScatterStyle::ssCrossSquare,
                            QCPScatterStyle::ssPlusSquare, QCPScatterStyle::ssCrossCircle,
                            QCPScatterStyle::ssPlusCircle, QCPScatterStyle::ssPeace};

QCPScatterStyle::ScatterShape shapeOf(const std::string& schedule) {
    const core::ScheduleDefinition* definition = core::findSchedule(schedule);
    if (schedule.empty() || definition == nullptr)
        return QCPScatterStyle::ssDiamond;
    return shapes[static_cast<std::size_t>(definition - core::scheduleCatalogue().data()) % shapes.size()];
}

void addFrontier(QCustomPlot& plot, const ParetoScene& scene, double factor, const Theme& theme) {
    QVector<QCPGraphData> steps;
    for (const std::size_t i : paretoFrontier(scene.points))
        steps.append({double(scene.points[i].peak.value()) * factor, scene.points[i].samplesPerSecond});
    QCPGraph* frontier = plot.addGraph();
    frontier->setLineStyle(QCPGraph::lsStepLeft);
    frontier->setPen(QPen(theme.color(Role::Accent), 1.6));
    frontier->data()->set(steps, true);
}

void addPoints(QCustomPlot& plot, const ParetoScene& scene, double factor, const Theme& theme) {
    std::map<QCPScatterStyle::ScatterShape, QVector<QCPGraphData>> byShape;
    for (const ParetoPoint& point : scene.points)
        byShape[shapeOf(point.schedule)].append(
            {double(point.peak.value()) * factor, point.samplesPerSecond});
    for (const auto& [shape, points] : byShape) {
        QCPGraph* graph = plot.addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(QCPScatterStyle(shape, QPen(theme.color(Role::Text2), 1.1),
                                               mix(theme.color(Role::Canvas), theme.color(Role::Text3), 0.3),
                                               theme.px(8)));
        graph->data()->set(points, false);
    }
}

/// A ring and a letter at every compared run.
void addLetters(QCustomPlot& plot, const ParetoScene& scene, double factor, const Theme& theme) {
    for (std::size_t i = 0; i < scene.compared.size(); ++i) {
        const auto point = std::find_if(scene.points.begin(), scene.points.end(),
                                        [&](const ParetoPoint& p) { return p.run == scene.compared[i]; });
        if (point == scene.points.end())
            continue;
        const double x = double(point->peak.value()) * factor;
        auto* ring = new QCPItemTracer(&plot);
        ring->setStyle(QCPItemTracer::tsCircle);
        ring->setSize(theme.px(14));
        ring->setPen(QPen(theme.color(Role::Text), 1.6));
        ring->setBrush(Qt::NoBrush);
        ring->position->setCoords(x, point->samplesPerSecond);
        auto* letter = new QCPItemText(&plot);
        letter->setText(QString(QChar(static_cast<char16_t>(u'A' + i % 26))));
        letter->setFont(theme.font(10, QFont::DemiBold));
        letter->setColor(theme.color(i == 0 ? Role::OnAccent : Role::Text));
        letter->setBrush(theme.color(i == 0 ? Role::AccentFill : Role::Raised));
        letter->setPen(QPen(theme.color(i == 0 ? Role::AccentFill : Role::BorderStrong), 1));
        letter->setPadding(QMargins(4, 1, 4, 1));
        letter->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
        letter->position->setParentAnchor(ring->position);
        letter->position->setCoords(-8, -8);
    }
}

/// The region of runs that do not fit, from the limit on.
void addLimit(QCustomPlot& plot, double limit, double right, const Theme& theme) {
    if (right <= limit)
        return;
    auto* region = new QCPItemRect(&plot);
    region->setLayer(QStringLiteral("background"));
    region->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
    region->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
    region->topLeft->setCoords(limit, 0);
    region->bottomRight->setCoords(right, 1);
    region->setPen(Qt::NoPen);
    region->setBrush(theme.color(Role::ErrorSoft));
    auto* line = new QCPItemStraightLine(&plot);
    line->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
    line->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
    line->point1->setCoords(limit, 0);
    line->point2->setCoords(limit, 1);
    QPen pen(theme.color(Role::Limit), 1.5);
    pen.setDashPattern({4, 2});
    line->setPen(pen);
    auto* text = new QCPItemText(&plot);
    text->setText(QStringLiteral("over limit"));
    text->setFont(theme.font(10));
    text->setColor(theme.color(Role::Limit));
    // Ends at the right edge, so that it is whole however narrow the region is.
    text->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
    text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(right, 0.01);
    text->setPadding(QMargins(0, 2, 4, 0));
}

} // namespace

std::vector<ParetoPoint> paretoPoints(const std::vector<core::RunRow>& rows) {
    std::vector<ParetoPoint> points;
    for (const core::RunRow& row : rows) {
        if (row.samplesPerSecond && row.peak && std::isfinite(*row.samplesPerSecond))
            points.push_back(
                {row.run, *row.samplesPerSecond, *row.peak, row.ipus, row.schedule, row.fits.value_or(true)});
    }
    return points;
}

std::vector<std::size_t> paretoFrontier(std::span<const ParetoPoint> points) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i].fits)
            order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return points[a].peak != points[b].peak ? points[a].peak < points[b].peak
                                                : points[a].samplesPerSecond > points[b].samplesPerSecond;
    });
    std::vector<std::size_t> frontier;
    for (const std::size_t i : order) {
        const bool isEqual = !frontier.empty() && points[frontier.back()].peak == points[i].peak &&
                             points[frontier.back()].samplesPerSecond == points[i].samplesPerSecond;
        if (frontier.empty() || isEqual ||
            points[i].samplesPerSecond > points[frontier.back()].samplesPerSecond)
            frontier.push_back(i);
    }
    return frontier;
}

ParetoScene paretoScene(const std::vector<core::RunRow>& rows, const std::vector<core::RunId>& compared,
                        const Units& units) {
    ParetoScene scene{paretoPoints(rows), {}, compared, units};
    bool isOne = true;
    for (const core::RunRow& row : rows) {
        isOne = isOne && (!scene.limit || !row.limit || *row.limit == *scene.limit);
        if (row.limit)
            scene.limit = row.limit;
    }
    if (!isOne)
        scene.limit.reset();
    return scene;
}

void fillParetoPlot(QCustomPlot& plot, const ParetoScene& scene, const Theme& theme) {
    plot.clearItems();
    plot.clearGraphs();
    stylePlot(plot, theme);
    core::Bytes most = scene.limit.value_or(core::Bytes());
    core::Bytes least = most;
    double fastest = 0;
    double slowest = scene.points.empty() ? 0 : scene.points.front().samplesPerSecond;
    for (const ParetoPoint& point : scene.points) {
        most = std::max(most, point.peak);
        least = std::min(least.value() == 0 ? point.peak : least, point.peak);
        fastest = std::max(fastest, point.samplesPerSecond);
        slowest = std::min(slowest, point.samplesPerSecond);
    }
    const UnitChoice unit = byteUnitFor(most, scene.units.bytes);
    const double width = std::max(1.0, double((most - least).value())) * unit.factor;
    // Room for the letters at the left, for "over limit" at the right.
    const double low = std::max(0.0, double(least.value()) * unit.factor - 0.22 * width);
    const double high = double(most.value()) * unit.factor + 0.3 * width;
    plot.xAxis->setRange(low, high);
    const double span = std::max(fastest - slowest, fastest * 0.1);
    plot.yAxis->setRange(std::max(0.0, slowest - 0.12 * span), fastest + 0.12 * span);
    plot.xAxis->setLabel(QStringLiteral("peak memory of the fullest IPU, %1").arg(unit.name));
    plot.xAxis->setLabelPadding(4);
    plot.yAxis->setLabel(QStringLiteral("samples/s"));
    std::vector<std::pair<double, QString>> xTicks;
    for (const double value : valueTicks(low, high, 5))
        xTicks.emplace_back(value, fixedText(value, 0));
    setTicks(*plot.xAxis, xTicks);
    std::vector<std::pair<double, QString>> yTicks;
    for (const double value : valueTicks(plot.yAxis->range().lower, plot.yAxis->range().upper, 4))
        yTicks.emplace_back(value, fastest < 1e5 ? fixedText(value, fastest < 10 ? 2 : 0)
                                                 : countText(value).joined());
    setTicks(*plot.yAxis, yTicks);
    if (scene.limit)
        addLimit(plot, double(scene.limit->value()) * unit.factor, high, theme);
    addFrontier(plot, scene, unit.factor, theme);
    addPoints(plot, scene, unit.factor, theme);
    addLetters(plot, scene, unit.factor, theme);
}

std::optional<core::RunId> paretoRunAt(const QCustomPlot& plot, const ParetoScene& scene, double x,
                                       double y) {
    core::Bytes most = scene.limit.value_or(core::Bytes());
    for (const ParetoPoint& point : scene.points)
        most = std::max(most, point.peak);
    const double factor = byteUnitFor(most, scene.units.bytes).factor;
    constexpr double reach = 9;
    double best = reach * reach;
    std::optional<core::RunId> found;
    for (const ParetoPoint& point : scene.points) {
        const double dx = plot.xAxis->coordToPixel(double(point.peak.value()) * factor) - x;
        const double dy = plot.yAxis->coordToPixel(point.samplesPerSecond) - y;
        if (dx * dx + dy * dy < best) {
            best = dx * dx + dy * dy;
            found = point.run;
        }
    }
    return found;
}

} // namespace views
