#include "views/profile/pareto/pareto_plot.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/profile/time/plot_style.h"
#include "views/profile/time/time_axis.h"

#include <QSizeF>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <qcustomplot.h>
#include <set>
#include <tuple>

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

/// What a point is in the key: the fewest IPUs first, the schedules by name.
struct KeyEntry {
    std::int64_t order = 0;
    std::string name;
    auto operator<=>(const KeyEntry&) const = default;
};

KeyEntry keyOf(const ParetoScene& scene, const ParetoPoint& point) {
    if (!scene.isByIpus)
        return {0, point.schedule};
    return {point.ipus, std::to_string(point.ipus) + (point.ipus == 1 ? " IPU" : " IPUs")};
}

QCPScatterStyle::ScatterShape shapeOf(const ParetoScene& scene, const KeyEntry& entry) {
    if (!scene.isByIpus)
        return shapeOf(entry.name);
    const auto size = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(entry.order)));
    return shapes[size % shapes.size()];
}

/// The points that the line goes through, from little memory to much.
std::vector<std::size_t> lineOf(const ParetoScene& scene) {
    if (!scene.front)
        return paretoFrontier(scene.points);
    std::vector<ParetoPoint> best;
    for (const std::size_t i : *scene.front)
        best.push_back(scene.points[i]);
    std::vector<std::size_t> line;
    for (const std::size_t i : paretoFrontier(best))
        line.push_back((*scene.front)[i]);
    return line;
}

void addFrontier(QCustomPlot& plot, const ParetoScene& scene, const std::vector<std::size_t>& line,
                 double factor, const Theme& theme) {
    QVector<QCPGraphData> steps;
    for (const std::size_t i : line)
        steps.append({double(scene.points[i].peak.value()) * factor, scene.points[i].samplesPerSecond});
    QCPGraph* frontier = plot.addGraph();
    frontier->setLineStyle(QCPGraph::lsStepLeft);
    frontier->setPen(QPen(theme.color(Role::Accent), 1.6));
    frontier->data()->set(steps, true);
    frontier->removeFromLegend();
}

/// Of a scatter of so many points.
double sizeOfMarks(std::size_t count, const Theme& theme) {
    constexpr std::size_t few = 300;
    constexpr std::size_t many = 5000;
    return theme.px(count <= few ? 8 : count <= many ? 5 : 3);
}

void addPoints(QCustomPlot& plot, const ParetoScene& scene, double factor, const Theme& theme) {
    std::map<KeyEntry, QVector<QCPGraphData>> byKey;
    for (const ParetoPoint& point : scene.points)
        byKey[keyOf(scene, point)].append({double(point.peak.value()) * factor, point.samplesPerSecond});
    const double size = sizeOfMarks(scene.points.size(), theme);
    for (const auto& [entry, points] : byKey) {
        QCPGraph* graph = plot.addGraph();
        graph->setName(entry.name.empty() ? QStringLiteral("no pipeline") : toQString(entry.name));
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(QCPScatterStyle(shapeOf(scene, entry), QPen(theme.color(Role::Text2), 1.1),
                                               mix(theme.color(Role::Canvas), theme.color(Role::Text3), 0.3),
                                               size));
        graph->data()->set(points, false);
    }
}

/// The best points once more, filled.
void addFront(QCustomPlot& plot, const ParetoScene& scene, double factor, const Theme& theme) {
    if (!scene.front)
        return;
    std::map<KeyEntry, QVector<QCPGraphData>> byKey;
    for (const std::size_t i : *scene.front)
        byKey[keyOf(scene, scene.points[i])].append(
            {double(scene.points[i].peak.value()) * factor, scene.points[i].samplesPerSecond});
    const double size = std::max(theme.px(7), sizeOfMarks(scene.points.size(), theme));
    for (const auto& [entry, points] : byKey) {
        QCPGraph* graph = plot.addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(QCPScatterStyle(shapeOf(scene, entry), QPen(theme.color(Role::Accent), 1.4),
                                               theme.color(Role::Accent), size));
        graph->data()->set(points, false);
        graph->removeFromLegend();
    }
}

/// A corner of the plot, and whether a key there would hide a point of the front.
struct KeyCorner {
    Qt::Alignment corner;
    bool hidesFront = false;
    /// Of the plot, what the key takes.
    double height = 0;
};

/// The corner of the plot in which the fewest points lie; slow and large first, where there is hardly ever
/// one.
KeyCorner emptiestCorner(const QCustomPlot& plot, const ParetoScene& scene,
                         const std::vector<std::size_t>& line, double factor, const Theme& theme) {
    constexpr std::array<Qt::Alignment, 4> corners{
        Qt::AlignRight | Qt::AlignBottom, Qt::AlignLeft | Qt::AlignBottom, Qt::AlignRight | Qt::AlignTop,
        Qt::AlignLeft | Qt::AlignTop};
    // Of the plot, what the key takes.
    constexpr double width = 0.5;
    const double rows = theme.px(14) * plot.legend->itemCount() + theme.px(12);
    const double height = std::clamp(rows / std::max(1, plot.axisRect()->height()), 0.2, 0.8);
    const QCPRange x = plot.xAxis->range();
    const QCPRange y = plot.yAxis->range();
    // What is hidden least may be one of the others, never the front.
    const auto pointsIn = [&](Qt::Alignment corner) {
        const auto isIn = [&](const ParetoPoint& point) {
            const double right = (double(point.peak.value()) * factor - x.lower) / x.size();
            const double up = (point.samplesPerSecond - y.lower) / y.size();
            return (corner.testFlag(Qt::AlignRight) ? right > 1 - width : right < width) &&
                   (corner.testFlag(Qt::AlignTop) ? up > 1 - height : up < height);
        };
        const auto hidden = std::ranges::count_if(line, [&](std::size_t i) { return isIn(scene.points[i]); });
        return std::pair(hidden, std::ranges::count_if(scene.points, isIn));
    };
    const Qt::Alignment best = *std::ranges::min_element(corners, {}, pointsIn);
    return {best, pointsIn(best).first > 0, height};
}

void addKey(QCustomPlot& plot, const ParetoScene& scene, const std::vector<std::size_t>& line, double factor,
            const Theme& theme) {
    const bool isNeeded = plot.legend->itemCount() > 1;
    plot.legend->setVisible(isNeeded);
    if (!isNeeded)
        return;
    KeyCorner place = emptiestCorner(plot, scene, line, factor, theme);
    if (place.hidesFront) {
        // Room above all points.
        plot.yAxis->setRangeUpper(plot.yAxis->range().lower +
                                  plot.yAxis->range().size() / (1 - place.height));
        markParetoAxes(plot);
        place.corner = Qt::AlignLeft | Qt::AlignTop;
    }
    plot.axisRect()->insetLayout()->setInsetAlignment(0, place.corner);
    QColor ground = theme.color(Role::Canvas);
    ground.setAlphaF(0.85F);
    plot.legend->setBrush(ground);
    plot.legend->setBorderPen(QPen(theme.color(Role::Border), 1));
    plot.legend->setFont(theme.font(10));
    plot.legend->setTextColor(theme.color(Role::Text2));
    plot.legend->setIconSize(theme.ipx(12), theme.ipx(10));
    plot.legend->setRowSpacing(0);
}

QCPItemTracer* addRing(QCustomPlot& plot, const ParetoPoint& point, double factor, const Theme& theme) {
    auto* ring = new QCPItemTracer(&plot);
    ring->setStyle(QCPItemTracer::tsCircle);
    ring->setSize(theme.px(14));
    ring->setPen(QPen(theme.color(Role::Text), 1.6));
    ring->setBrush(Qt::NoBrush);
    ring->position->setCoords(double(point.peak.value()) * factor, point.samplesPerSecond);
    return ring;
}

/// The corner of each lettered point at which its letter stands: points that lie near each other, or are
/// equal, take others. Four corners, then the same again further out.
std::vector<int> letterCorners(const QCustomPlot& plot, const std::vector<QPointF>& places,
                               const Theme& theme) {
    const double leastSide = theme.px(200);
    const double nearX =
        theme.px(36) / std::max<double>(leastSide, plot.axisRect()->width()) * plot.xAxis->range().size();
    const double nearY =
        theme.px(36) / std::max<double>(leastSide, plot.axisRect()->height()) * plot.yAxis->range().size();
    std::vector<int> corners;
    for (const QPointF& place : places) {
        std::set<int> taken;
        for (std::size_t before = 0; before < corners.size(); ++before) {
            const QPointF apart = places[before] - place;
            if (std::abs(apart.x()) < nearX && std::abs(apart.y()) < nearY)
                taken.insert(corners[before]);
        }
        int corner = 0;
        while (taken.contains(corner))
            ++corner;
        corners.push_back(corner);
    }
    return corners;
}

/// A ring and a letter at every point that has one.
void addLetters(QCustomPlot& plot, const ParetoScene& scene, double factor, const Theme& theme) {
    std::vector<std::pair<std::size_t, const ParetoPoint*>> points;
    std::vector<QPointF> places;
    for (std::size_t i = 0; i < scene.lettered.size(); ++i) {
        const auto point = std::ranges::find(scene.points, scene.lettered[i], &ParetoPoint::id);
        if (point == scene.points.end())
            continue;
        points.emplace_back(i, &*point);
        places.emplace_back(double(point->peak.value()) * factor, point->samplesPerSecond);
    }
    const std::vector<int> corners = letterCorners(plot, places, theme);
    for (std::size_t at = 0; at < points.size(); ++at) {
        const auto& [i, point] = points[at];
        QCPItemTracer* ring = addRing(plot, *point, factor, theme);
        auto* letter = new QCPItemText(&plot);
        letter->setText(QString(QChar(static_cast<char16_t>(u'A' + i % 26))));
        letter->setFont(theme.font(10, QFont::DemiBold));
        letter->setColor(theme.color(i == 0 ? Role::OnAccent : Role::Text));
        letter->setBrush(theme.color(i == 0 ? Role::AccentFill : Role::Raised));
        letter->setPen(QPen(theme.color(i == 0 ? Role::AccentFill : Role::BorderStrong), 1));
        letter->setPadding(QMargins(4, 1, 4, 1));
        constexpr int cornerCount = 4;
        const bool isRight = corners[at] % 2 == 1;
        const bool isBelow = corners[at] % cornerCount >= 2;
        const double out = 8 + theme.px(18) * (corners[at] / cornerCount);
        letter->setPositionAlignment((isRight ? Qt::AlignLeft : Qt::AlignRight) |
                                     (isBelow ? Qt::AlignTop : Qt::AlignBottom));
        letter->position->setParentAnchor(ring->position);
        letter->position->setCoords(isRight ? out : -out, isBelow ? 8 : -8);
    }
}

/// Whether a mark lies at the top of the plot between two places of its axis of memory.
bool isMarkedAbove(const QCustomPlot& plot, const ParetoScene& scene, double factor, double from, double to,
                   const Theme& theme) {
    const QCPRange& speed = plot.yAxis->range();
    const double height = theme.px(28) / std::max(1, plot.axisRect()->height()) * speed.size();
    const double beside = theme.px(8) / std::max(1, plot.axisRect()->width()) * plot.xAxis->range().size();
    return std::ranges::any_of(scene.points, [&](const ParetoPoint& point) {
        const double memory = double(point.peak.value()) * factor;
        return memory > from - beside && memory < to + beside &&
               point.samplesPerSecond > speed.upper - height;
    });
}

/// The region of runs that do not fit, from the limit on. `seen`: where what is shown ends.
void addLimit(QCustomPlot& plot, const ParetoScene& scene, double factor, double limit, double right,
              double seen, const Theme& theme) {
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
    if (seen <= limit)
        return;
    auto* text = new QCPItemText(&plot);
    text->setText(QStringLiteral("over limit"));
    text->setFont(theme.font(10));
    text->setColor(theme.color(Role::Limit));
    // Ends at the right edge; where the region is narrower than its name, before it: the line never crosses
    // it.
    const double end = std::min(right, seen);
    const double perUnit = plot.axisRect()->width() / std::max(1e-12, plot.xAxis->range().size());
    const bool isRoomy = (end - limit) * perUnit > textWidth(text->text(), text->font()) + theme.px(8);
    const double textEnd = isRoomy ? end : limit;
    const double textBegin = textEnd - (textWidth(text->text(), text->font()) + theme.px(8)) / perUnit;
    const bool isBelow = isMarkedAbove(plot, scene, factor, textBegin, textEnd, theme);
    text->setPositionAlignment(Qt::AlignRight | (isBelow ? Qt::AlignBottom : Qt::AlignTop));
    text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(textEnd, isBelow ? 0.99 : 0.01);
    text->setPadding(QMargins(4, 2, 4, 0));
    if (!isRoomy)
        text->setBrush(withAlpha(theme.color(Role::Canvas), 0.85));
}

/// Of the limit, so that it is the same however much is used of it.
UnitChoice memoryUnit(const ParetoScene& scene) {
    core::Bytes most = scene.limit.value_or(core::Bytes());
    for (const ParetoPoint& point : scene.points)
        most = std::max(most, point.peak);
    return byteUnitFor(most, scene.units.bytes);
}

/// Of memory and of throughput; with the limit where the fullest is near it.
std::pair<QCPRange, QCPRange> rangesOf(const ParetoScene& scene, double factor, double limit) {
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    double fastest = 0;
    double slowest = std::numeric_limits<double>::infinity();
    for (const ParetoPoint& point : scene.points) {
        const double memory = double(point.peak.value()) * factor;
        least = std::min(least, memory);
        most = std::max(most, memory);
        fastest = std::max(fastest, point.samplesPerSecond);
        slowest = std::min(slowest, point.samplesPerSecond);
    }
    if (scene.points.empty())
        return {{0, std::max(limit, 1.0)}, {0, 1}};
    if (most > 0.5 * limit)
        most = std::max(most, limit);
    // Room for the letters at the left, for "over limit" at the right.
    const double width = std::max(most - least, 0.02 * most);
    const double span = std::max({fastest - slowest, fastest * 0.1, 1e-9});
    return {{std::max(0.0, least - 0.22 * width), most + 0.3 * width},
            {std::max(0.0, slowest - 0.12 * span), fastest + 0.12 * span}};
}

} // namespace

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

ParetoScene thinned(const ParetoScene& scene, const QSizeF& pixels) {
    constexpr std::size_t few = 10'000;
    if (scene.points.size() <= few)
        return scene;
    const auto [least, most] = std::ranges::minmax(scene.points, {}, &ParetoPoint::peak);
    const auto [slowest, fastest] = std::ranges::minmax(scene.points, {}, &ParetoPoint::samplesPerSecond);
    const auto cellOf = [](double value, double low, double high, double cells) {
        return high > low ? static_cast<std::int64_t>((value - low) / (high - low) * cells) : 0;
    };
    std::vector<bool> isKept(scene.points.size(), false);
    if (scene.front)
        for (const std::size_t i : *scene.front)
            isKept[i] = true;
    const std::set<std::int64_t> named(scene.lettered.begin(), scene.lettered.end());
    std::set<std::tuple<std::int64_t, std::int64_t, bool, KeyEntry>> taken;
    std::map<std::size_t, std::size_t> places;
    ParetoScene thin = scene;
    thin.points.clear();
    for (std::size_t i = 0; i < scene.points.size(); ++i) {
        const ParetoPoint& point = scene.points[i];
        const bool isNew = taken
                               .emplace(cellOf(double(point.peak.value()), double(least.peak.value()),
                                               double(most.peak.value()), pixels.width()),
                                        cellOf(point.samplesPerSecond, slowest.samplesPerSecond,
                                               fastest.samplesPerSecond, pixels.height()),
                                        point.fits, keyOf(scene, point))
                               .second;
        if (!isNew && !isKept[i] && !named.contains(point.id) && scene.chosen != point.id)
            continue;
        if (isKept[i])
            places.emplace(i, thin.points.size());
        thin.points.push_back(point);
    }
    if (thin.front)
        for (std::size_t& i : *thin.front)
            i = places.at(i);
    return thin;
}

void markParetoAxes(QCustomPlot& plot) {
    const auto mark = [](QCPAxis& axis, int count) {
        const QCPRange range = axis.range();
        const std::vector<double> places = valueTicks(range.lower, range.upper, count);
        // Neighbours read differently, however near they are.
        const double apart = places.size() > 1 ? places[1] - places[0] : 1.0;
        const int decimals = std::clamp(int(std::ceil(-std::log10(apart) - 1e-9)), 0, 6);
        std::vector<std::pair<double, QString>> ticks;
        for (const double value : places)
            ticks.emplace_back(value, std::abs(value) < 1e5 ? fixedText(value, decimals)
                                                            : countText(value).joined());
        setTicks(axis, ticks);
    };
    mark(*plot.xAxis, 5);
    mark(*plot.yAxis, 4);
}

void fillParetoPlot(QCustomPlot& plot, const ParetoScene& scene, const Theme& theme) {
    plot.clearItems();
    plot.clearGraphs();
    stylePlot(plot, theme);
    const UnitChoice unit = memoryUnit(scene);
    const double limit = scene.limit ? double(scene.limit->value()) * unit.factor : 0;
    const auto [x, y] = rangesOf(scene, unit.factor, limit);
    plot.xAxis->setRange(x);
    plot.yAxis->setRange(y);
    const QString limitNote =
        scene.limit && x.upper < limit
            ? QStringLiteral(" (limit %1)").arg(inUnit(scene.limit->value(), unit).value)
            : QString();
    // Without points and limit nothing says which unit it will be.
    plot.xAxis->setLabel(scene.points.empty() && !scene.limit
                             ? QStringLiteral("fullest IPU")
                             : QStringLiteral("fullest IPU, %1%2").arg(unit.name, limitNote));
    plot.xAxis->setLabelPadding(4);
    plot.yAxis->setLabel(QStringLiteral("samples/s"));
    markParetoAxes(plot);
    if (scene.limit)
        addLimit(plot, scene, unit.factor, limit, std::max(x.upper, limit * 1.3), x.upper, theme);
    const std::vector<std::size_t> line = lineOf(scene);
    addFrontier(plot, scene, line, unit.factor, theme);
    addPoints(plot, scene, unit.factor, theme);
    addFront(plot, scene, unit.factor, theme);
    addKey(plot, scene, line, unit.factor, theme);
    const auto chosen = std::ranges::find_if(
        scene.points, [&](const ParetoPoint& point) { return scene.chosen == point.id; });
    if (chosen != scene.points.end())
        addRing(plot, *chosen, unit.factor, theme);
    addLetters(plot, scene, unit.factor, theme);
}

std::optional<std::int64_t> paretoPointAt(const QCustomPlot& plot, const ParetoScene& scene, double x,
                                          double y) {
    const double factor = memoryUnit(scene).factor;
    constexpr double reach = 9;
    double best = reach * reach;
    std::optional<std::int64_t> found;
    for (const ParetoPoint& point : scene.points) {
        const double dx = plot.xAxis->coordToPixel(double(point.peak.value()) * factor) - x;
        const double dy = plot.yAxis->coordToPixel(point.samplesPerSecond) - y;
        if (dx * dx + dy * dy < best) {
            best = dx * dx + dy * dy;
            found = point.id;
        }
    }
    return found;
}

} // namespace views
