#include "views/graph/layout/block_layout.h"

#include "views/graph/layout/u_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>

namespace views {

namespace {

/// (node, output)
using Tensor = std::pair<int, int>;

/// Something that is placed as one: a call with its rows, or a group.
struct Item {
    int node = -1;
    int group = -1;
    std::vector<int> members;
    /// Laid out inside; only of expanded groups.
    Block inside;
    /// Tensors through its ports, in the order of the ports.
    std::vector<Tensor> entries;
    std::vector<Tensor> exits;
    /// As it is seen.
    QSizeF size;
    FlowDirection flow = FlowDirection::Down;
    /// As it is laid out, along the flow.
    LayoutNode box;
    bool isCollapsed = false;
};

/// What does not change from block to block.
struct Source {
    const CanvasModel& model;
    const std::vector<int>& heads;
    const BlockOptions& options;
};

/// The child group of `group` (or top group) that holds `node`; −1 when it is in `group` itself.
int childGroup(const CanvasModel& model, int node, int group) {
    int at = model.groupOf[std::size_t(node)];
    while (at >= 0 && model.groups[std::size_t(at)].parent != group)
        at = model.groups[std::size_t(at)].parent;
    return at;
}

std::vector<double> spread(std::size_t count, double width) {
    std::vector<double> ports;
    const double step = std::min(20.0, width / double(count + 1));
    for (std::size_t i = 0; i < count; ++i)
        ports.push_back(std::round(width / 2 + (double(i) - double(count - 1) / 2) * step));
    return ports;
}

/// Calls with their rows, and groups, that are directly in `group` (−1: in the column or canvas itself).
std::vector<Item> collectItems(const Source& source, const std::vector<int>& members, int group) {
    std::vector<Item> items;
    std::unordered_map<int, std::size_t> itemOfGroup;
    std::unordered_map<int, std::size_t> itemOfHead;
    for (const int node : members) {
        const int child = childGroup(source.model, node, group);
        if (child >= 0) {
            const auto [entry, isNew] = itemOfGroup.try_emplace(child, items.size());
            if (isNew) {
                items.emplace_back();
                items.back().group = child;
                items.back().isCollapsed =
                    source.options.collapsed.contains(source.model.groups[std::size_t(child)].id);
            }
            items[entry->second].members.push_back(node);
            continue;
        }
        const int head = source.heads[std::size_t(node)];
        const auto [entry, isNew] = itemOfHead.try_emplace(head, items.size());
        if (isNew) {
            items.emplace_back();
            items.back().node = head;
        }
        items[entry->second].members.push_back(node);
    }
    return items;
}

/// Tensors that enter and leave a set of nodes, in the order of the nodes.
void collectPorts(const CanvasModel& model, Item& item) {
    std::set<int> inside(item.members.begin(), item.members.end());
    std::set<Tensor> seenIn;
    std::set<Tensor> seenOut;
    for (const int node : item.members) {
        for (const int e : model.incoming[std::size_t(node)]) {
            const CanvasEdge& edge = model.edges[std::size_t(e)];
            if (!inside.contains(edge.from) && seenIn.insert({edge.from, edge.output}).second)
                item.entries.emplace_back(edge.from, edge.output);
        }
        for (const int e : model.outgoing[std::size_t(node)]) {
            const CanvasEdge& edge = model.edges[std::size_t(e)];
            if (!inside.contains(edge.to) && seenOut.insert({edge.from, edge.output}).second)
                item.exits.emplace_back(edge.from, edge.output);
        }
    }
}

/// Turns what is seen to what is laid out, and back: the layout itself always goes down.
QSizeF turned(const QSizeF& size, FlowDirection flow) {
    return flow == FlowDirection::Right ? size.transposed() : size;
}

/// Of a box of one size everywhere: its ports are in the middle of its heading.
void measureBox(Item& item, const CanvasMetrics& metrics, double rows, std::size_t ins, std::size_t outs) {
    item.size = {metrics.nodeWidth, metrics.nodeHeight + rows};
    item.box.size = turned(item.size, item.flow);
    item.box.slidesPorts = true;
    const double side = item.flow == FlowDirection::Right ? metrics.nodeHeight : metrics.nodeWidth;
    item.box.inPorts = spread(std::max<std::size_t>(1, ins), side);
    item.box.outPorts = spread(std::max<std::size_t>(1, outs), side);
}

void measureNode(const Source& source, Item& item) {
    const CanvasMetrics& metrics = source.options.metrics;
    const CanvasNode& node = source.model.nodes[std::size_t(item.node)];
    const CanvasNode& last = source.model.nodes[std::size_t(item.members.back())];
    const double rows = double(item.members.size() - 1);
    const double bottom = rows > 0 ? metrics.rowsBottom : 0;
    measureBox(item, metrics, rows * metrics.rowHeight + bottom, std::size_t(std::max(1, node.inputCount)),
               std::size_t(std::max(1, last.outputCount)));
    item.box.hasFreeInPorts = node.inputCount > 1;
}

void measureCollapsed(const Source& source, Item& item) {
    measureBox(item, source.options.metrics, 0, item.entries.size(), item.exits.size());
    item.box.exchangesPorts = true;
}

/// Topological order of the items; of several that could come next, the one that was drawn first.
std::vector<int> sortItems(const CanvasModel& model, const std::vector<Item>& items,
                           const std::unordered_map<int, int>& itemOf) {
    std::vector<std::set<int>> targets(items.size());
    std::vector<int> waiting(items.size(), 0);
    for (std::size_t i = 0; i < items.size(); ++i) {
        for (const int node : items[i].members) {
            for (const int e : model.outgoing[std::size_t(node)]) {
                const auto to = itemOf.find(model.edges[std::size_t(e)].to);
                if (to != itemOf.end() && to->second != int(i) && targets[i].insert(to->second).second)
                    ++waiting[std::size_t(to->second)];
            }
        }
    }
    const auto drawn = [&](int item) {
        const int first = items[std::size_t(item)].members.front();
        return std::pair(model.nodes[std::size_t(first)].drawn, first);
    };
    const auto later = [&](int a, int b) { return drawn(a) > drawn(b); };
    std::priority_queue<int, std::vector<int>, decltype(later)> ready(later);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (waiting[i] == 0)
            ready.push(int(i));
    }
    std::vector<int> order;
    std::vector<bool> isDone(items.size(), false);
    const auto take = [&](int item) {
        order.push_back(item);
        isDone[std::size_t(item)] = true;
        for (const int target : targets[std::size_t(item)]) {
            if (--waiting[std::size_t(target)] == 0 && !isDone[std::size_t(target)])
                ready.push(target);
        }
    };
    while (order.size() < items.size()) {
        if (ready.empty()) {
            // Part of a group whose other part is on another stage may form a cycle: break it at the
            // first.
            const auto stuck = std::find(isDone.begin(), isDone.end(), false);
            take(int(stuck - isDone.begin()));
            continue;
        }
        const int next = ready.top();
        ready.pop();
        if (!isDone[std::size_t(next)])
            take(next);
    }
    return order;
}

int portOf(const std::vector<Tensor>& tensors, const Tensor& tensor) {
    const auto found = std::find(tensors.begin(), tensors.end(), tensor);
    return found == tensors.end() ? 0 : int(found - tensors.begin());
}

/// Port of an item through which an edge leaves or enters it.
int outPort(const Item& item, const CanvasEdge& edge) {
    return item.group < 0 ? edge.output : portOf(item.exits, {edge.from, edge.output});
}
int inPort(const Item& item, const CanvasEdge& edge) {
    return item.group < 0 ? edge.input : portOf(item.entries, {edge.from, edge.output});
}

/// What the lines into a block and out of it are drawn from and to, as boxes without length: entries come
/// first, exits last, so that every edge runs from a lower to a higher index.
struct BlockEnds {
    std::vector<Tensor> entries;
    std::vector<Tensor> exits;
};

/// One block on its way from calls to places. A frame is the item of the expanded group whose inside this is;
/// null for a column or the whole canvas, whose outside lines enter left and leave right.
class BlockBuilder {
public:
    BlockBuilder(const Source& source, int depth, Item* frame, FlowDirection flow)
        : m_source(source)
        , m_model(source.model)
        , m_depth(depth)
        , m_frame(frame)
        , m_flow(flow) {}

    Block build(const std::vector<int>& members, int group) {
        collect(members, group);
        collectEnds(members);
        makeNodes();
        for (const int node : members) {
            for (const int edge : m_model.incoming[std::size_t(node)])
                addIncoming(edge);
            for (const int edge : m_model.outgoing[std::size_t(node)])
                addLeaving(edge);
        }
        layOutNodes();
        Block block;
        const QPointF origin = frameOrigin(block);
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            const auto node = std::size_t(m_offset) + i;
            const QPointF at = origin + m_layout.positions[node];
            m_items[i].box.inPorts = m_layout.inPorts[node];
            m_items[i].box.outPorts = m_layout.outPorts[node];
            placeLabels(block, i, at);
            placeItem(block, m_items[i], at);
        }
        placeEdges(block, origin);
        return block;
    }

private:
    void collect(const std::vector<int>& members, int group) {
        std::vector<Item> unsorted = collectItems(m_source, members, group);
        for (std::size_t i = 0; i < unsorted.size(); ++i) {
            for (const int node : unsorted[i].members)
                m_itemOf[node] = int(i);
        }
        for (const int index : sortItems(m_model, unsorted, m_itemOf))
            m_items.push_back(std::move(unsorted[std::size_t(index)]));
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            for (const int node : m_items[i].members)
                m_itemOf[node] = int(i);
        }
        findLegs(members);
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            m_items[i].flow = !m_isRight.empty() && m_isRight[i] ? FlowDirection::Up : m_flow;
            measure(m_items[i]);
        }
    }

    /// Whether the whole has the shape of a U, and which items are on its way up.
    void findLegs(const std::vector<int>& members) {
        if (m_frame != nullptr || m_flow != FlowDirection::Down)
            return;
        std::set<std::pair<int, int>> edges;
        for (const int node : members) {
            for (const int e : m_model.outgoing[std::size_t(node)]) {
                const auto to = m_itemOf.find(m_model.edges[std::size_t(e)].to);
                const int from = m_itemOf.at(node);
                if (to == m_itemOf.end() || to->second < from)
                    return;
                if (to->second > from)
                    edges.insert({from, to->second});
            }
            for (const int e : m_model.incoming[std::size_t(node)]) {
                if (!m_itemOf.contains(m_model.edges[std::size_t(e)].from))
                    return;
            }
        }
        m_isRight = rightLegOf(m_items.size(), {edges.begin(), edges.end()});
    }

    void measure(Item& item) {
        collectPorts(m_model, item);
        if (item.group < 0)
            measureNode(m_source, item);
        else if (item.isCollapsed)
            measureCollapsed(m_source, item);
        else
            item.inside =
                BlockBuilder(m_source, m_depth + 1, &item, item.flow).build(item.members, item.group);
    }

    /// A frame has its ports; a column that is read from left to right has them on its sides.
    void collectEnds(const std::vector<int>& members) {
        if (m_frame != nullptr) {
            m_ends = BlockEnds{m_frame->entries, m_frame->exits};
        } else if (m_flow == FlowDirection::Right) {
            Item column;
            column.members = members;
            collectPorts(m_model, column);
            m_ends = BlockEnds{std::move(column.entries), std::move(column.exits)};
        }
        m_offset = m_ends ? int(m_ends->entries.size()) : 0;
    }

    void makeNodes() {
        LayoutNode entry;
        entry.kind = LayoutNode::Kind::Entry;
        entry.size = {portWidth, 0};
        entry.outPorts = {portWidth / 2};
        m_nodes.assign(std::size_t(m_offset), entry);
        for (const Item& item : m_items)
            m_nodes.push_back(item.box);
        m_firstExit = int(m_nodes.size());
        if (!m_ends)
            return;
        LayoutNode exit;
        exit.kind = LayoutNode::Kind::Exit;
        exit.size = {portWidth, 0};
        exit.inPorts = {portWidth / 2};
        m_nodes.insert(m_nodes.end(), m_ends->exits.size(), exit);
    }

    /// An output of the model says so beside its box.
    void markEnds() {
        constexpr double letters = 9; // of "output", and the mark before it
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            const bool isOutput = std::ranges::any_of(m_items[i].members, [this](int node) {
                return !m_model.nodes[std::size_t(node)].modelOutputs.empty();
            });
            double& length = m_nodes[std::size_t(m_offset) + i].labelLength;
            if (isOutput)
                length = std::max(length, letters * m_source.options.metrics.labelLetter);
        }
    }

    void layOutNodes() {
        const LayoutSpacing& spacing = m_source.options.spacing;
        if (!m_isRight.empty()) {
            m_layout = layOutAsU(m_nodes, m_edges, m_isRight, spacing);
            return;
        }
        if (m_flow == FlowDirection::Right)
            markEnds();
        m_layout = layOut(m_nodes, m_edges, spacing);
        if (m_flow == FlowDirection::Up)
            turnOver(m_layout, m_nodes);
        if (m_flow == FlowDirection::Right)
            turnToRight(m_layout);
    }

    void add(const LayoutEdge& edge, int modelEdge) {
        m_edges.push_back(edge);
        m_modelEdges.push_back(modelEdge);
    }

    int tensorId(const CanvasEdge& edge) {
        return m_tensorIds.try_emplace({edge.from, edge.output}, int(m_tensorIds.size())).first->second;
    }

    /// The tensor shows its shape at the port through which it leaves this item.
    void wantLabel(int item, const CanvasEdge& edge) {
        const std::vector<QString>& shapes = m_model.nodes[std::size_t(edge.from)].outputShapes;
        m_labelled.insert({edge.from, edge.output});
        if (std::size_t(edge.output) >= shapes.size())
            return;
        LayoutNode& node = m_nodes[std::size_t(m_offset + item)];
        const double width =
            8 + m_source.options.metrics.labelLetter * double(shapes[std::size_t(edge.output)].size());
        m_labelWidths[item] = std::max(m_labelWidths[item], width);
        const bool isBeside = m_flow != FlowDirection::Right;
        node.labelWidth = isBeside ? m_labelWidths[item] : 0;
        node.labelLength = isBeside
                               ? m_source.options.spacing.labelHeight + cardsOf(m_items[std::size_t(item)])
                               : m_labelWidths[item];
    }

    void addIncoming(int modelEdge) {
        const CanvasEdge& edge = m_model.edges[std::size_t(modelEdge)];
        const int to = m_itemOf.at(edge.to);
        const int toPort = inPort(m_items[std::size_t(to)], edge);
        const auto from = m_itemOf.find(edge.from);
        if (from == m_itemOf.end()) {
            if (m_ends)
                add({portOf(m_ends->entries, {edge.from, edge.output}), 0, m_offset + to, toPort, 0},
                    modelEdge);
            else
                add({LayoutEdge::outside, 0, m_offset + to, toPort, tensorId(edge)}, modelEdge);
            return;
        }
        if (from->second == to)
            return;
        const int fromPort = outPort(m_items[std::size_t(from->second)], edge);
        wantLabel(from->second, edge);
        if (from->second < to) {
            add({m_offset + from->second, fromPort, m_offset + to, toPort, 0}, modelEdge);
            return;
        }
        // A broken circle: out on one side, in on the other.
        add({m_offset + from->second, fromPort, LayoutEdge::outside, 0, tensorId(edge)}, modelEdge);
        add({LayoutEdge::outside, 0, m_offset + to, toPort, tensorId(edge)}, modelEdge);
    }

    void addLeaving(int modelEdge) {
        const CanvasEdge& edge = m_model.edges[std::size_t(modelEdge)];
        if (m_itemOf.contains(edge.to))
            return;
        const int from = m_itemOf.at(edge.from);
        const int fromPort = outPort(m_items[std::size_t(from)], edge);
        // On a frame its own port has the label.
        if (m_frame == nullptr)
            wantLabel(from, edge);
        if (m_ends)
            add({m_offset + from, fromPort, m_firstExit + portOf(m_ends->exits, {edge.from, edge.output}), 0,
                 0},
                modelEdge);
        else
            add({m_offset + from, fromPort, LayoutEdge::outside, 0, tensorId(edge)}, modelEdge);
    }

    /// Size of the block and, with a frame, the frame's size and ports; answers where the inside begins.
    QPointF frameOrigin(Block& block) const {
        block.size = m_layout.size;
        if (m_frame == nullptr)
            return {0, 0};
        const CanvasMetrics& metrics = m_source.options.metrics;
        const bool isToRight = m_flow == FlowDirection::Right;
        // Lines reach the sides where they come in and go out. The title needs space, however narrow the
        // inside.
        const double width =
            isToRight ? m_layout.size.width()
                      : std::max(m_layout.size.width(), metrics.nodeWidth) + 2 * metrics.groupPadding;
        const double above = metrics.groupHeader + (isToRight ? metrics.groupPadding : 0);
        const double below = isToRight ? metrics.groupPadding : 0;
        const QPointF origin((width - m_layout.size.width()) / 2, above);
        block.size = {width, above + m_layout.size.height() + below};
        m_frame->size = block.size;
        m_frame->box.size = turned(block.size, m_flow);
        const auto port = [&](int node) {
            const QPointF& at = m_layout.positions[std::size_t(node)];
            return portWidth / 2 + (isToRight ? origin.y() + at.y() : origin.x() + at.x());
        };
        for (int i = 0; i < m_offset; ++i)
            m_frame->box.inPorts.push_back(port(i));
        for (std::size_t i = 0; i < m_frame->exits.size(); ++i)
            m_frame->box.outPorts.push_back(port(m_firstExit + int(i)));
        const double middle = m_frame->box.size.width() / 2;
        if (m_frame->box.inPorts.empty())
            m_frame->box.inPorts = {middle};
        if (m_frame->box.outPorts.empty())
            m_frame->box.outPorts = {middle};
        return origin;
    }

    /// A port on the side at which lines come in (`isOut`: go out) of a box at a place.
    static QPointF portAt(const Item& item, const QPointF& at, double port, bool isOut) {
        if (item.flow == FlowDirection::Right)
            return at + QPointF(isOut ? item.size.width() : 0, port);
        const bool isLower = isOut == (item.flow == FlowDirection::Down);
        return at + QPointF(port, isLower ? item.size.height() : 0);
    }

    /// How far the cards behind a collapsed group reach below it.
    static double cardsOf(const Item& item) { return item.isCollapsed ? 5 : 0; }

    void placeLabels(Block& block, std::size_t item, const QPointF& at) const {
        const Item& what = m_items[item];
        const auto width = m_labelWidths.find(int(item));
        if (width == m_labelWidths.end())
            return;
        // Between two ports there is no space for a text: only the outermost one carries its shape, the last
        // of those that lie beside each other, the first of those below each other.
        const std::vector<double>& ports = what.box.outPorts;
        const auto outermost =
            std::size_t((what.flow == FlowDirection::Right ? std::ranges::min_element(ports)
                                                           : std::ranges::max_element(ports)) -
                        ports.begin());
        for (const Tensor& tensor : what.exits) {
            const int port = what.group < 0 ? tensor.second : portOf(what.exits, tensor);
            if (!m_labelled.contains(tensor) || std::min(ports.size() - 1, std::size_t(port)) != outermost)
                continue;
            const double height = m_source.options.spacing.labelHeight;
            const QPointF beside = what.flow == FlowDirection::Right ? QPointF(5, -height * 0.45)
                                   : what.flow == FlowDirection::Down
                                       ? QPointF(5, height * 0.6 + cardsOf(what))
                                       : QPointF(5, -height * 0.6);
            block.labels.push_back({portAt(what, at, ports[outermost], true) + beside, tensor.first,
                                    tensor.second, width->second});
            return;
        }
    }

    void placeItem(Block& block, Item& item, const QPointF& at) const {
        const CanvasMetrics& metrics = m_source.options.metrics;
        BoxShape shape;
        shape.rect = QRectF(at, item.size);
        shape.node = item.node;
        shape.group = item.group;
        shape.isCollapsed = item.isCollapsed;
        shape.members = item.members;
        shape.outTensors = item.exits;
        shape.depth = m_depth;
        shape.flow = item.flow;
        for (const double port : item.box.inPorts)
            shape.inPorts.push_back(portAt(item, at, port, false));
        for (const double port : item.box.outPorts)
            shape.outPorts.push_back(portAt(item, at, port, true));
        double y = at.y() + metrics.nodeHeight;
        for (std::size_t i = 1; item.group < 0 && i < item.members.size(); ++i, y += metrics.rowHeight)
            shape.rows.emplace_back(item.members[i], QRectF(at.x(), y, item.size.width(), metrics.rowHeight));
        block.boxes.push_back(std::move(shape));
        moveInto(block, item.inside, at);
    }

    void placeEdges(Block& block, const QPointF& origin) const {
        for (std::size_t i = 0; i < m_edges.size(); ++i) {
            const QPolygonF route = m_layout.routes[i].translated(origin);
            block.pieces.emplace_back(m_modelEdges[i], route);
            if (m_frame != nullptr)
                continue;
            if (m_edges[i].to == LayoutEdge::outside || (m_ends && m_edges[i].to >= m_firstExit))
                block.leaving.emplace_back(m_modelEdges[i], route.back().y());
            if (m_edges[i].from == LayoutEdge::outside || m_edges[i].from < m_offset)
                block.entering.emplace_back(m_modelEdges[i], route.front().y());
        }
    }

    static constexpr double portWidth = 8;

    const Source& m_source;
    const CanvasModel& m_model;
    int m_depth;
    Item* m_frame;
    FlowDirection m_flow;
    std::optional<BlockEnds> m_ends;
    int m_offset = 0;
    int m_firstExit = 0;
    /// By item; empty unless the whole is a U.
    std::vector<bool> m_isRight;
    std::vector<Item> m_items;
    std::unordered_map<int, int> m_itemOf;
    std::vector<LayoutNode> m_nodes;
    std::vector<LayoutEdge> m_edges;
    std::vector<int> m_modelEdges;
    std::map<Tensor, int> m_tensorIds;
    std::set<Tensor> m_labelled;
    /// By item.
    std::map<int, double> m_labelWidths;
    LayeredLayout m_layout;
};

} // namespace

void moveInto(Block& block, Block& inside, const QPointF& at) {
    for (BoxShape& box : inside.boxes) {
        box.rect.translate(at);
        for (auto& [node, rect] : box.rows)
            rect.translate(at);
        for (QPointF& port : box.inPorts)
            port += at;
        for (QPointF& port : box.outPorts)
            port += at;
        block.boxes.push_back(std::move(box));
    }
    for (auto& [edge, piece] : inside.pieces)
        block.pieces.emplace_back(edge, piece.translated(at));
    for (LabelShape& label : inside.labels) {
        label.anchor += at;
        block.labels.push_back(label);
    }
    inside = {};
}

std::vector<int> dockFollowers(const CanvasModel& model, bool withinStages) {
    std::vector<int> heads(model.nodes.size());
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        heads[i] = int(i);
        const CanvasNode& node = model.nodes[i];
        if (!node.isFollower || model.incoming[i].size() != 1)
            continue;
        const CanvasEdge& edge = model.edges[std::size_t(model.incoming[i].front())];
        const auto producer = std::size_t(edge.from);
        const CanvasNode& from = model.nodes[producer];
        const bool sameStage = !withinStages || from.stage == node.stage;
        const bool isOnlyConsumer = model.outgoing[producer].size() == 1 && from.outputCount == 1;
        if (sameStage && isOnlyConsumer && !from.isInput && model.groupOf[producer] == model.groupOf[i])
            heads[i] = heads[producer];
    }
    return heads;
}

Block layOutBlock(const CanvasModel& model, const std::vector<int>& heads, const std::vector<int>& members,
                  const BlockOptions& options) {
    return BlockBuilder(Source{model, heads, options}, 0, nullptr, options.flow).build(members, -1);
}

} // namespace views
