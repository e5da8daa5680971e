#include "views/graph/layout/stage_layout.h"

#include "views/graph/layout/moved_boxes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace views {

namespace {

/// (node, output)
using Tensor = std::pair<int, int>;

/// Fills what every layout knows from its boxes: which box and place shows each node.
void indexBoxes(CanvasGeometry& geometry, const CanvasModel& model) {
    geometry.boxOf.assign(model.nodes.size(), -1);
    geometry.placeOf.assign(model.nodes.size(), QRectF());
    for (std::size_t i = 0; i < geometry.boxes.size(); ++i) {
        BoxShape& box = geometry.boxes[i];
        const int first = box.node >= 0 ? box.node : box.members.front();
        box.stage = model.nodes[std::size_t(first)].stage;
        if (box.isFrame())
            continue;
        for (const int node : box.members) {
            geometry.boxOf[std::size_t(node)] = int(i);
            geometry.placeOf[std::size_t(node)] = box.rect;
        }
        for (const auto& [node, rect] : box.rows)
            geometry.placeOf[std::size_t(node)] = rect;
    }
}

std::size_t columnOf(const CanvasNode& node, std::size_t columns) {
    return node.stage.isValid() ? std::min(node.stage.index(), columns - 1) : 0;
}

/// Marks what an edge is with respect to the stages.
EdgeShape edgeShape(const CanvasModel& model, int edge) {
    EdgeShape shape;
    shape.edge = edge;
    const CanvasEdge& e = model.edges[std::size_t(edge)];
    const core::StageId from = model.nodes[std::size_t(e.from)].stage;
    const core::StageId to = model.nodes[std::size_t(e.to)].stage;
    if (from.isValid() && to.isValid() && from != to) {
        shape.crossesStages = true;
        shape.runsBackwards = to < from;
        shape.isPassThrough = to.index() > from.index() + 1;
    }
    return shape;
}

/// Tracks of vertical runs in one gutter: runs that overlap in height get different tracks.
class Gutter {
public:
    /// `key`: runs of one tensor share a track.
    int track(const Tensor& key, double from, double to) {
        const auto known = m_trackOf.find(key);
        if (known != m_trackOf.end()) {
            extend(known->second, from, to);
            return known->second;
        }
        int track = 0;
        while (track < int(m_tracks.size()) && overlaps(track, from, to))
            ++track;
        if (track == int(m_tracks.size()))
            m_tracks.emplace_back();
        extend(track, from, to);
        m_trackOf[key] = track;
        return track;
    }
    [[nodiscard]] int count() const { return int(m_tracks.size()); }

private:
    void extend(int track, double from, double to) {
        m_tracks[std::size_t(track)].emplace_back(std::min(from, to), std::max(from, to));
    }
    [[nodiscard]] bool overlaps(int track, double from, double to) const {
        const double low = std::min(from, to) - 4;
        const double high = std::max(from, to) + 4;
        return std::any_of(m_tracks[std::size_t(track)].begin(), m_tracks[std::size_t(track)].end(),
                           [&](const auto& run) { return run.first < high && low < run.second; });
    }

    std::map<Tensor, int> m_trackOf;
    std::vector<std::vector<std::pair<double, double>>> m_tracks;
};

/// Calls that no line begins or ends at, of those whose name has a place.
std::map<int, QPointF> looseAmong(const CanvasModel& model, const std::map<std::string, QPointF>& places) {
    std::map<int, QPointF> loose;
    for (const auto& [name, place] : places) {
        if (const int node = model.find({name, 0}); node >= 0)
            loose[node] = place;
    }
    for (const CanvasEdge& edge : model.edges) {
        loose.erase(edge.from);
        loose.erase(edge.to);
    }
    return loose;
}

/// Columns with their blocks, and the lines between them.
class StageBuilder {
public:
    StageBuilder(const CanvasModel& model, const BlockOptions& options, double availableWidth,
                 const std::map<std::string, QPointF>& dropped)
        : m_model(model)
        , m_options(options)
        , m_available(availableWidth)
        , m_columnCount(std::max<std::size_t>(1, model.stageCount))
        , m_dropped(looseAmong(model, dropped)) {}

    CanvasGeometry build() {
        m_geometry.flow = m_options.flow;
        layOutColumns();
        collectCrossings();
        levelColumns();
        assignTracks();
        placeColumns();
        placeCrossings();
        for (EdgeShape& shape : m_edges) {
            if (!shape.pieces.empty())
                m_geometry.edges.push_back(std::move(shape));
        }
        std::vector<QRectF> dropped;
        for (const auto& [node, middle] : m_dropped)
            dropped.push_back(placeDropped(node, middle));
        if (!dropped.empty())
            makeWay(m_geometry, m_model, dropped);
        indexBoxes(m_geometry, m_model);
        return std::move(m_geometry);
    }

private:
    struct Crossing {
        int edge = 0;
        std::size_t fromColumn = 0;
        std::size_t toColumn = 0;
        double leaveY = 0;
        double enterY = 0;
        int fromTrack = 0;
        int toTrack = 0;
        int corridor = -1;
    };

    void layOutColumns() {
        m_heads = dockFollowers(m_model, true);
        std::vector<std::vector<int>> members(m_columnCount);
        m_counts.assign(m_columnCount, 0);
        for (std::size_t i = 0; i < m_model.nodes.size(); ++i) {
            const std::size_t column = columnOf(m_model.nodes[i], m_columnCount);
            m_counts[column] += m_model.nodes[i].isInput ? 0 : 1;
            if (!m_dropped.contains(int(i)))
                members[column].push_back(int(i));
        }
        Block none;
        none.size = QSizeF(0, 0);
        for (const std::vector<int>& each : members)
            m_blocks.push_back(each.empty() ? none : layOutBlock(m_model, m_heads, each, m_options));
    }

    /// A box of its own, in its column, beside what stands there already.
    QRectF placeDropped(int node, const QPointF& middle) {
        Block block = layOutBlock(m_model, m_heads, {node}, m_options);
        const QSizeF size = block.size;
        ColumnShape& column = m_geometry.columns[columnOf(m_model.nodes[std::size_t(node)], m_columnCount)];
        const double margin = m_options.metrics.columnPadding / 2;
        const double left = column.left + margin;
        const double right = std::max(left, column.right() - margin - size.width());
        const QPointF wanted(std::clamp(middle.x() - size.width() / 2, left, right),
                             std::max(m_top, middle.y() - size.height() / 2));
        const QPointF at = freePlace(QRectF(wanted, size), node);
        Block placed;
        moveInto(placed, block, at);
        std::move(placed.boxes.begin(), placed.boxes.end(), std::back_inserter(m_geometry.boxes));
        column.bottom = std::max(column.bottom, at.y() + size.height());
        m_geometry.bounds =
            m_geometry.bounds.united(QRectF(at, size + QSizeF(0, m_options.metrics.columnTop)));
        return {at, size};
    }

    /// The nearest place above or below where no other box is.
    [[nodiscard]] QPointF freePlace(const QRectF& wanted, int node) const {
        constexpr double gap = 6;
        constexpr double step = 8;
        const auto isFree = [&](const QRectF& rect) {
            return std::ranges::none_of(m_geometry.boxes, [&](const BoxShape& box) {
                return box.node != node && box.rect.intersects(rect.adjusted(-gap, -gap, gap, gap));
            });
        };
        for (double shift = 0;; shift += step) {
            for (const double way : {shift, -shift}) {
                const QRectF rect = wanted.translated(0, way);
                if (rect.top() >= m_top && isFree(rect))
                    return rect.topLeft();
            }
        }
    }

    /// Pairs the end that leaves one column with the end that enters another.
    void collectCrossings() {
        std::map<int, Crossing> byEdge;
        for (std::size_t c = 0; c < m_columnCount; ++c) {
            for (const auto& [edge, y] : m_blocks[c].leaving) {
                byEdge[edge].edge = edge;
                byEdge[edge].fromColumn = c;
                byEdge[edge].leaveY = y;
            }
            for (const auto& [edge, y] : m_blocks[c].entering) {
                byEdge[edge].toColumn = c;
                byEdge[edge].enterY = y;
            }
        }
        for (const auto& [edge, crossing] : byEdge)
            m_crossings.push_back(crossing);
    }

    /// Where columns are read from left to right, what goes from one to the next does so straight.
    void levelColumns() {
        m_tops.assign(m_columnCount, 0);
        if (m_options.flow != FlowDirection::Right)
            return;
        for (std::size_t c = 1; c < m_columnCount; ++c) {
            const auto comes = std::ranges::find_if(m_crossings, [c](const Crossing& each) {
                return each.toColumn == c && each.fromColumn + 1 == c;
            });
            if (comes != m_crossings.end())
                m_tops[c] = m_tops[c - 1] + comes->leaveY - comes->enterY;
        }
        const double least = std::ranges::min(m_tops);
        for (double& top : m_tops)
            top -= least;
        for (Crossing& each : m_crossings) {
            each.leaveY += m_tops[each.fromColumn];
            each.enterY += m_tops[each.toColumn];
        }
    }

    Tensor tensorOf(const Crossing& crossing) const {
        const CanvasEdge& edge = m_model.edges[std::size_t(crossing.edge)];
        return {edge.from, edge.output};
    }

    /// Gutter g lies left of column g. A line leaves through the gutter on the right of its column and enters
    /// through the one on the left.
    void assignTracks() {
        m_gutters.resize(m_columnCount + 1);
        for (Crossing& crossing : m_crossings) {
            const std::size_t out = crossing.fromColumn + 1;
            const std::size_t in = crossing.toColumn;
            if (out == in) {
                crossing.fromTrack = crossing.toTrack =
                    m_gutters[out].track(tensorOf(crossing), crossing.leaveY, crossing.enterY);
                continue;
            }
            const auto [corridor, isNew] = m_corridors.try_emplace(tensorOf(crossing), m_corridors.size());
            crossing.corridor = int(corridor->second);
            const double top = -corridorHeight - double(crossing.corridor) * m_options.spacing.trackGap;
            crossing.fromTrack = m_gutters[out].track(tensorOf(crossing), crossing.leaveY, top);
            crossing.toTrack = m_gutters[in].track(tensorOf(crossing), crossing.enterY, top);
        }
        m_top = m_options.metrics.columnTop;
        if (!m_corridors.empty())
            m_top += corridorHeight + double(m_corridors.size() - 1) * m_options.spacing.trackGap;
    }

    double gutterWidth(std::size_t gutter) const {
        const bool isOuter = gutter == 0 || gutter == m_columnCount;
        const int tracks = m_gutters[gutter].count();
        const double needed =
            2 * m_options.metrics.columnPadding + std::max(0, tracks - 1) * m_options.spacing.trackGap;
        return isOuter && tracks == 0 ? 2 * m_options.metrics.columnPadding : needed;
    }

    void placeColumns() {
        // A column reaches from the middle of the gutter on its left to the middle of the one on its right.
        std::vector<double> widths(m_columnCount);
        for (std::size_t c = 0; c < m_columnCount; ++c)
            widths[c] = std::max(m_blocks[c].size.width(), m_options.metrics.nodeWidth) + gutterWidth(c) / 2 +
                        gutterWidth(c + 1) / 2;
        widen(widths);
        double left = 0;
        double bottom = 0;
        for (std::size_t c = 0; c < m_columnCount; ++c) {
            const double inner = widths[c] - gutterWidth(c) / 2 - gutterWidth(c + 1) / 2;
            const double x = std::round(left + gutterWidth(c) / 2 + (inner - m_blocks[c].size.width()) / 2);
            m_origins.emplace_back(x, m_top + m_tops[c]);
            m_widths.push_back(m_blocks[c].size.width());
            ColumnShape column{core::StageId(c), left, widths[c],
                               m_top + m_tops[c] + m_blocks[c].size.height(), m_counts[c]};
            bottom = std::max(bottom, column.bottom);
            m_geometry.columns.push_back(column);
            left += widths[c];
        }
        m_geometry.bounds = QRectF(0, 0, left, bottom + m_options.metrics.columnTop);
        placeBlocks();
    }

    void widen(std::vector<double>& widths) const {
        // Narrow columns first: all become equal where the space allows it.
        const double total = std::accumulate(widths.begin(), widths.end(), 0.0);
        double spare = m_available - total;
        std::vector<std::size_t> order(widths.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](auto a, auto b) { return widths[a] < widths[b]; });
        for (std::size_t i = 0; i < order.size() && spare > 0; ++i) {
            const double next = i + 1 < order.size() ? widths[order[i + 1]] : 1e9;
            const double step = std::min(next - widths[order[i]], spare / double(i + 1));
            for (std::size_t k = 0; k <= i; ++k)
                widths[order[k]] += step;
            spare -= step * double(i + 1);
        }
    }

    void placeBlocks() {
        m_edges.reserve(m_model.edges.size());
        for (std::size_t e = 0; e < m_model.edges.size(); ++e)
            m_edges.push_back(edgeShape(m_model, int(e)));
        for (std::size_t c = 0; c < m_columnCount; ++c) {
            Block placed;
            moveInto(placed, m_blocks[c], m_origins[c]);
            std::move(placed.boxes.begin(), placed.boxes.end(), std::back_inserter(m_geometry.boxes));
            std::move(placed.labels.begin(), placed.labels.end(), std::back_inserter(m_geometry.labels));
            for (auto& [edge, piece] : placed.pieces)
                m_edges[std::size_t(edge)].pieces.push_back(std::move(piece));
        }
    }

    double trackX(std::size_t gutter, int track) const {
        const double middle =
            gutter < m_columnCount ? m_geometry.columns[gutter].left : m_geometry.columns.back().right();
        const double spread = (m_gutters[gutter].count() - 1) * m_options.spacing.trackGap;
        return std::round(middle - spread / 2 + track * m_options.spacing.trackGap);
    }

    void placeCrossings() {
        for (const Crossing& crossing : m_crossings) {
            const std::size_t out = crossing.fromColumn + 1;
            const std::size_t in = crossing.toColumn;
            const double fromRight = m_origins[crossing.fromColumn].x() + m_widths[crossing.fromColumn];
            const double leaveY = m_top + crossing.leaveY;
            const double enterY = m_top + crossing.enterY;
            QPolygonF line;
            line << QPointF(fromRight, leaveY) << QPointF(trackX(out, crossing.fromTrack), leaveY);
            if (crossing.corridor >= 0) {
                const double y = m_options.metrics.columnTop + crossing.corridor * m_options.spacing.trackGap;
                line << QPointF(trackX(out, crossing.fromTrack), y)
                     << QPointF(trackX(in, crossing.toTrack), y);
            }
            line << QPointF(trackX(in, crossing.toTrack), enterY)
                 << QPointF(m_origins[crossing.toColumn].x(), enterY);
            m_edges[std::size_t(crossing.edge)].pieces.push_back(joined(crossing.edge, line));
        }
    }

    /// One line from port to port instead of three pieces, so that its corners are all rounded.
    QPolygonF joined(int edge, const QPolygonF& middle) {
        std::vector<QPolygonF>& pieces = m_edges[std::size_t(edge)].pieces;
        const auto near = [](const QPointF& a, const QPointF& b) {
            return std::abs(a.x() - b.x()) < 0.6 && std::abs(a.y() - b.y()) < 0.6;
        };
        QPolygonF line = middle;
        for (auto it = pieces.begin(); it != pieces.end();) {
            if (near(it->back(), line.front())) {
                line = *it + line.mid(1);
                it = pieces.erase(it);
            } else if (near(it->front(), line.back())) {
                line += it->mid(1);
                it = pieces.erase(it);
            } else {
                ++it;
            }
        }
        return line;
    }

    static constexpr double corridorHeight = 12;

    const CanvasModel& m_model;
    const BlockOptions& m_options;
    double m_available;
    std::size_t m_columnCount;
    /// Calls that stand where they were dropped, by their middle.
    std::map<int, QPointF> m_dropped;
    std::vector<int> m_heads;
    std::vector<Block> m_blocks;
    std::vector<std::size_t> m_counts;
    /// How far the blocks are below the highest one.
    std::vector<double> m_tops;
    std::vector<Crossing> m_crossings;
    std::vector<Gutter> m_gutters;
    std::map<Tensor, std::size_t> m_corridors;
    double m_top = 0;
    std::vector<QPointF> m_origins;
    std::vector<double> m_widths;
    std::vector<EdgeShape> m_edges;
    CanvasGeometry m_geometry;
};

} // namespace

CanvasGeometry layOutStages(const CanvasModel& model, const BlockOptions& options, double availableWidth,
                            const std::map<std::string, QPointF>& dropped) {
    return StageBuilder(model, options, availableWidth, dropped).build();
}

CanvasGeometry layOutFreely(const CanvasModel& model, const BlockOptions& options,
                            const std::map<std::string, QPointF>& moved) {
    std::vector<int> members(model.nodes.size());
    std::iota(members.begin(), members.end(), 0);
    Block block = layOutBlock(model, dockFollowers(model, true), members, options);
    CanvasGeometry geometry;
    geometry.flow = options.flow;
    const QPointF origin(options.metrics.columnPadding, options.metrics.columnTop);
    geometry.bounds = QRectF(QPointF(0, 0), block.size + QSizeF(2 * origin.x(), 2 * origin.y()));
    Block placed;
    moveInto(placed, block, origin);
    geometry.boxes = std::move(placed.boxes);
    geometry.labels = std::move(placed.labels);
    std::vector<EdgeShape> edges;
    for (std::size_t e = 0; e < model.edges.size(); ++e)
        edges.push_back(edgeShape(model, int(e)));
    for (auto& [edge, piece] : placed.pieces)
        edges[std::size_t(edge)].pieces.push_back(std::move(piece));
    for (EdgeShape& shape : edges) {
        if (!shape.pieces.empty())
            geometry.edges.push_back(std::move(shape));
    }
    if (!moved.empty())
        moveBoxes(geometry, model, moved);
    indexBoxes(geometry, model);
    return geometry;
}

std::string boxId(const CanvasModel& model, const BoxShape& box) {
    if (box.group >= 0)
        return model.groups[std::size_t(box.group)].id;
    const InvocationKey& key = model.nodes[std::size_t(box.node)].key;
    return key.call == 0 ? key.path : key.path + ":" + std::to_string(key.call);
}

} // namespace views
