#include "views/graph/model/cut_points.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace views {

namespace {

/// Nodes of the two stages around a cut in the order of the assignment.
std::vector<int> entriesAround(const CanvasModel& model, std::size_t cut) {
    std::vector<int> nodes;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const CanvasNode& node = model.nodes[i];
        if (node.assignable && node.stage.isValid() &&
            (node.stage.index() == cut || node.stage.index() == cut + 1))
            nodes.push_back(int(i));
    }
    std::sort(nodes.begin(), nodes.end(), [&](int a, int b) {
        return *model.nodes[std::size_t(a)].assignable < *model.nodes[std::size_t(b)].assignable;
    });
    return nodes;
}

/// Where a node begins along the flow; members of a collapsed group share its length among them.
double beginOf(const CanvasGeometry& geometry, int node) {
    const bool isToRight = geometry.flow == FlowDirection::Right;
    const QRectF& place = geometry.placeOf[std::size_t(node)];
    const double begin = isToRight ? place.left() : place.top();
    const int box = geometry.boxOf[std::size_t(node)];
    if (box < 0)
        return begin;
    // Followers are rows below each other in whatever direction the boxes go: these share it too.
    const BoxShape& shape = geometry.boxes[std::size_t(box)];
    if (!shape.isCollapsed && !(isToRight && !shape.rows.empty()))
        return begin;
    const auto position = std::find(shape.members.begin(), shape.members.end(), node) - shape.members.begin();
    const double length = isToRight ? shape.rect.width() : shape.rect.height();
    return begin + length * double(position) / double(std::max<std::size_t>(1, shape.members.size()));
}

/// Before a node where there are no columns: in the gap before its box, or at its place inside of it.
QLineF lineBefore(const CanvasGeometry& geometry, int node) {
    constexpr double halfGap = 8;
    const int box = geometry.boxOf[std::size_t(node)];
    if (box < 0)
        return {};
    const BoxShape& shape = geometry.boxes[std::size_t(box)];
    const bool isFirst = shape.members.empty() || shape.members.front() == node;
    const double gap = isFirst ? halfGap : 0;
    if (shape.flow == FlowDirection::Right) {
        const double x = beginOf(geometry, node) - gap;
        return {x, shape.rect.top(), x, shape.rect.bottom()};
    }
    double y = beginOf(geometry, node);
    if (shape.flow == FlowDirection::Up && (isFirst || shape.isCollapsed))
        y = shape.rect.bottom() - (shape.isCollapsed ? y - shape.rect.top() : 0);
    y += shape.flow == FlowDirection::Up ? gap : -gap;
    return {shape.rect.left(), y, shape.rect.right(), y};
}

double distanceTo(const QLineF& line, const QPointF& point) {
    const QPointF nearest(
        std::clamp(point.x(), std::min(line.x1(), line.x2()), std::max(line.x1(), line.x2())),
        std::clamp(point.y(), std::min(line.y1(), line.y2()), std::max(line.y1(), line.y2())));
    return QLineF(nearest, point).length();
}

/// Copy of a repeated block that a node is in; −1: in none.
int copyOf(const CanvasModel& model, int group, int node) {
    const auto& copies = model.groups[std::size_t(group)].copies;
    for (std::size_t copy = 0; copy < copies.size(); ++copy) {
        if (std::ranges::binary_search(copies[copy], node))
            return int(copy);
    }
    return -1;
}

/// Whether a block, a group or a copy of a repeated one, holds both. Where a repeated one holds both, its
/// copies decide, whatever else they are grouped by.
bool areInOneBlock(const CanvasModel& model, int before, int behind) {
    bool isAnyGroup = false;
    for (int group = model.groupOf[std::size_t(behind)]; group >= 0;
         group = model.groups[std::size_t(group)].parent) {
        const CanvasGroup& which = model.groups[std::size_t(group)];
        if (!std::ranges::binary_search(which.members, before))
            continue;
        if (!which.copies.empty())
            return copyOf(model, group, before) == copyOf(model, group, behind);
        isAnyGroup = true;
    }
    return isAnyGroup;
}

} // namespace

std::vector<CutPoint> cutPoints(const CanvasModel& model, const CanvasGeometry& geometry, std::size_t cut) {
    std::vector<CutPoint> points;
    const std::vector<int> nodes = entriesAround(model, cut);
    std::map<std::size_t, double> lowest;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const CanvasNode& node = model.nodes[std::size_t(nodes[i])];
        const std::size_t column = node.stage.index();
        // Branches beside each other come one after the other in the list: heights must not go up again.
        double& low = lowest.try_emplace(column, -1e9).first->second;
        low = std::max(low, beginOf(geometry, nodes[i]));
        if (i > 0)
            points.push_back({*node.assignable, column, low,
                              geometry.columns.empty() ? lineBefore(geometry, nodes[i]) : QLineF(),
                              !areInOneBlock(model, nodes[i - 1], nodes[i])});
    }
    return points;
}

std::vector<QLineF> cutLines(const CanvasModel& model, const CanvasGeometry& geometry) {
    std::vector<int> first(model.stageCount, -1);
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const CanvasNode& node = model.nodes[i];
        if (!node.assignable || !node.stage.isValid() || node.stage.index() >= first.size())
            continue;
        int& present = first[node.stage.index()];
        if (present < 0 || *node.assignable < *model.nodes[std::size_t(present)].assignable)
            present = int(i);
    }
    std::vector<QLineF> lines;
    for (std::size_t stage = 1; stage < first.size(); ++stage)
        lines.push_back(first[stage] < 0 ? QLineF() : lineBefore(geometry, first[stage]));
    return lines;
}

namespace {

std::optional<CutPoint> nearestPlace(const std::vector<CutPoint>& points, const QPointF& point,
                                     bool takesLayers) {
    const bool hasBorders = std::ranges::any_of(points, &CutPoint::isBorder);
    std::optional<CutPoint> best;
    for (const CutPoint& candidate : points) {
        if (!candidate.across.isNull() && (takesLayers || !hasBorders || candidate.isBorder) &&
            (!best || distanceTo(candidate.across, point) < distanceTo(best->across, point)))
            best = candidate;
    }
    return best;
}

} // namespace

std::optional<CutPoint> cutPointAt(const std::vector<CutPoint>& points, const CanvasGeometry& geometry,
                                   std::size_t cut, const QPointF& point, const QPointF& from,
                                   bool takesLayers) {
    constexpr double deadZone = 14;
    if (geometry.columns.empty())
        return QLineF(point, from).length() < deadZone ? std::nullopt
                                                       : nearestPlace(points, point, takesLayers);
    if (cut + 1 >= geometry.columns.size())
        return std::nullopt;
    const double gutter = geometry.columns[cut + 1].left;
    const bool isToRight = geometry.flow == FlowDirection::Right;
    const bool isInGutter = std::abs(point.x() - gutter) < deadZone;
    if (isInGutter && (isToRight || std::abs(point.y() - from.y()) < deadZone))
        return std::nullopt;
    const bool isBefore = isInGutter ? point.y() < from.y() : point.x() < gutter;
    const double at = isToRight ? point.x() : point.y();
    const std::size_t column = isBefore ? cut : cut + 1;
    const bool hasBorders = std::ranges::any_of(
        points, [&](const CutPoint& each) { return each.column == column && each.isBorder; });
    std::optional<CutPoint> best;
    for (const CutPoint& candidate : points) {
        if (candidate.column == column && (takesLayers || !hasBorders || candidate.isBorder) &&
            (!best || std::abs(candidate.at - at) < std::abs(best->at - at)))
            best = candidate;
    }
    return best;
}

std::vector<int> movedNodes(const CanvasModel& model, std::size_t cut, std::size_t entry) {
    std::vector<int> moved;
    for (const int node : entriesAround(model, cut)) {
        const std::size_t stage = *model.nodes[std::size_t(node)].assignable < entry ? cut : cut + 1;
        if (model.nodes[std::size_t(node)].stage.index() != stage)
            moved.push_back(node);
    }
    return moved;
}

std::vector<std::pair<int, int>> cutTensors(const CanvasModel& model, std::size_t cut) {
    std::set<std::pair<int, int>> tensors;
    for (const CanvasEdge& edge : model.edges) {
        const core::StageId from = model.nodes[std::size_t(edge.from)].stage;
        const core::StageId to = model.nodes[std::size_t(edge.to)].stage;
        if (from.isValid() && to.isValid() && from.index() <= cut && to.index() > cut)
            tensors.insert({edge.from, edge.output});
    }
    return {tensors.begin(), tensors.end()};
}

} // namespace views
