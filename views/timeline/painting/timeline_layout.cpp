#include "views/timeline/painting/timeline_layout.h"

#include "views/timeline/painting/program_depth.h"
#include "views/timeline/painting/timeline_frame.h"

#include <algorithm>

namespace views {

namespace {

constexpr TimelineSizes sizes;

/// Appends rows one below the other.
class RowStack {
public:
    RowStack(std::vector<TimelineRow>& rows, double& height)
        : m_rows(rows)
        , m_height(height) {}

    void add(TimelineRow row, double height) {
        row.top = m_height;
        row.height = height;
        m_rows.push_back(row);
        m_height += height;
    }

private:
    std::vector<TimelineRow>& m_rows;
    double& m_height;
};

TimelineRow rowOf(RowKind kind, std::int64_t replica, std::size_t ipu = 0) {
    TimelineRow row;
    row.kind = kind;
    row.replica = replica;
    row.ipu = ipu;
    return row;
}

void addIpu(RowStack& stack, const TimelineLayout& layout, const TimelineState& state, TimelineRow row) {
    row.isPinned = state.pinned.contains(row.ipu);
    const bool isCollapsed = state.collapsed.contains(row.ipu);
    row.kind = isCollapsed ? RowKind::CollapsedIpu : RowKind::Ipu;
    stack.add(row, isCollapsed ? layout.px(sizes.collapsed) : layout.ipuHeight());
}

/// Below all rows of the IPU.
void addCounters(RowStack& stack, const TimelineLayout& layout, const TimelineState& state, std::size_t ipu) {
    TimelineRow row = rowOf(RowKind::Counter, 0, ipu);
    row.isPinned = state.pinned.contains(ipu);
    if (state.counters.contains(ipu))
        stack.add(row, layout.px(sizes.counter));
    for (const core::Counter counter : state.rates) {
        row.counter = counter;
        stack.add(row, layout.px(sizes.rate));
    }
}

/// Rows of replica 0 in their order: IPUs, or stages with the IPU that runs them.
std::vector<TimelineRow> mainRows(const TimelineFrame& frame, const TimelineState& state) {
    std::vector<TimelineRow> rows;
    for (std::size_t ipu = 0; ipu < frame.ipus.size(); ++ipu) {
        if (state.hidden.contains(ipu))
            continue;
        const std::vector<core::StageId>& stages = frame.ipus[ipu].stages;
        TimelineRow row = rowOf(RowKind::Ipu, 0, ipu);
        if (state.lanes == LaneGrouping::Ipu || stages.empty()) {
            rows.push_back(row);
            continue;
        }
        for (const core::StageId stage : stages) {
            row.stage = stage;
            rows.push_back(row);
        }
    }
    if (state.lanes == LaneGrouping::Stage)
        std::ranges::stable_sort(rows, {}, [](const TimelineRow& row) { return row.stage; });
    return rows;
}

void addRows(TimelineLayout& layout, const TimelineFrame& frame, const TimelineState& state) {
    layout.rows.clear();
    layout.pinnedRows.clear();
    layout.pinnedHeight = layout.contentHeight = 0;
    RowStack pinned(layout.pinnedRows, layout.pinnedHeight);
    RowStack rows(layout.rows, layout.contentHeight);
    const std::int64_t replicas = frame.provenance.replicas;
    if (replicas > 1)
        rows.add(rowOf(RowKind::ReplicaHeader, 0), layout.px(sizes.replicaHeader));
    const std::vector<TimelineRow> main = mainRows(frame, state);
    for (std::size_t i = 0; i < main.size(); ++i) {
        RowStack& stack = state.pinned.contains(main[i].ipu) ? pinned : rows;
        addIpu(stack, layout, state, main[i]);
        const bool isLast = std::none_of(main.begin() + std::ptrdiff_t(i) + 1, main.end(),
                                         [&](const TimelineRow& row) { return row.ipu == main[i].ipu; });
        if (isLast)
            addCounters(stack, layout, state, main[i].ipu);
    }
    if (replicas > 1)
        rows.add(rowOf(RowKind::ReplicaHeader, 1), layout.px(sizes.replicaHeader));
    for (std::int64_t replica = 1; replica < replicas && state.showsReplicas; ++replica) {
        for (std::size_t ipu = 0; ipu < frame.ipus.size(); ++ipu)
            if (!state.hidden.contains(ipu))
                rows.add(rowOf(RowKind::CollapsedIpu, replica, ipu), layout.px(sizes.collapsed));
    }
}

const TimelineRow* rowAt(const std::vector<TimelineRow>& rows, double y) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const TimelineRow& r) { return r.top <= y && y < r.bottom(); });
    return row == rows.end() ? nullptr : &*row;
}

} // namespace

QRectF TimelineLayout::overview() const {
    return {px(sizes.headerWidth), 0, width - px(sizes.headerWidth), px(sizes.overview)};
}

QRectF TimelineLayout::ruler() const {
    return {px(sizes.headerWidth), px(sizes.overview), width - px(sizes.headerWidth), px(sizes.ruler)};
}

double TimelineLayout::lanesTop() const {
    return px(sizes.overview) + px(sizes.ruler);
}

QRectF TimelineLayout::pinnedLanes() const {
    return {px(sizes.headerWidth), lanesTop(), width - px(sizes.headerWidth), pinnedHeight};
}

QRectF TimelineLayout::lanes() const {
    const double top = lanesTop() + pinnedHeight;
    return {px(sizes.headerWidth), top, width - px(sizes.headerWidth), std::max(0.0, height - top)};
}

TimeToPixel TimelineLayout::axis(core::Cycles from, core::Cycles to) const {
    const double left = px(sizes.headerWidth) + px(sizes.margin);
    return {from, to, left, std::max(1.0, width - left - px(sizes.margin))};
}

TimelineLayout::LaneBox TimelineLayout::laneBox(core::LaneKind kind) const {
    const std::array<double, core::laneKindCount> heights{computeHeight, hasRemote ? px(sizes.remote) : 0,
                                                          px(sizes.exchange), px(sizes.sync), px(sizes.host)};
    double top = px(sizes.padding);
    for (std::size_t i = 0; i < static_cast<std::size_t>(kind); ++i)
        top += heights[i] > 0 ? heights[i] + px(sizes.laneGap) : 0;
    return {top, heights[static_cast<std::size_t>(kind)]};
}

double TimelineLayout::ipuHeight() const {
    const LaneBox last = laneBox(core::LaneKind::Host);
    return last.top + last.height + px(sizes.padding);
}

TimelineLayout layOut(const TimelineFrame& frame, const TimelineState& state, double width, double height,
                      double scale) {
    TimelineLayout layout;
    layout.scale = scale;
    layout.width = width;
    layout.height = height;
    layout.computeHeight = layout.px(state.isDeep ? std::max(sizes.compute, depthHeight) : sizes.compute);
    layout.hasRemote = std::any_of(frame.ipus.begin(), frame.ipus.end(), [](const TimelineIpu& ipu) {
        return ipu.lane(core::LaneKind::RemoteMemory).has_value();
    });
    addRows(layout, frame, state);
    const double spare = height - layout.lanesTop() - layout.pinnedHeight - layout.contentHeight;
    const auto isExpanded = [](const TimelineRow& row) { return row.kind == RowKind::Ipu; };
    const auto expanded =
        std::ranges::count_if(layout.rows, isExpanded) + std::ranges::count_if(layout.pinnedRows, isExpanded);
    if (spare > 0 && expanded > 0) {
        layout.computeHeight = std::min(layout.px(sizes.mostCompute),
                                        layout.computeHeight + spare / static_cast<double>(expanded));
        addRows(layout, frame, state);
    }
    return layout;
}

double naturalHeight(const TimelineFrame& frame, const TimelineState& state, double scale) {
    const TimelineLayout layout = layOut(frame, state, 0, 0, scale);
    return layout.lanesTop() + layout.pinnedHeight + layout.contentHeight;
}

TimelineHit hitTest(const TimelineLayout& layout, double scroll, double x, double y) {
    using Part = TimelineHit::Part;
    const double headers = layout.px(sizes.headerWidth);
    if (y < layout.px(sizes.overview))
        return {x >= headers ? Part::Overview : Part::Nothing, {}, {}};
    if (y < layout.lanesTop())
        return {x >= headers ? Part::Ruler : Part::Nothing, {}, {}};
    const bool isPinned = y < layout.lanesTop() + layout.pinnedHeight;
    const double local =
        isPinned ? y - layout.lanesTop() : y - layout.lanesTop() - layout.pinnedHeight + scroll;
    const TimelineRow* row = rowAt(isPinned ? layout.pinnedRows : layout.rows, local);
    if (row == nullptr)
        return {};
    TimelineHit hit{Part::Lane, *row, {}};
    if (x < headers) {
        const bool isFirst = local - row->top < layout.px(28);
        hit.part = x < layout.px(24) && isFirst             ? Part::Chevron
                   : x > headers - layout.px(26) && isFirst ? Part::Pin
                                                            : Part::Header;
        if (row->kind == RowKind::ReplicaHeader)
            hit.part = Part::Chevron;
        return hit;
    }
    if (row->kind == RowKind::CollapsedIpu)
        hit.lane = core::LaneKind::Compute;
    for (std::size_t kind = 0; kind < core::laneKindCount && row->kind == RowKind::Ipu; ++kind) {
        const TimelineLayout::LaneBox box = layout.laneBox(static_cast<core::LaneKind>(kind));
        const double inside = local - row->top - box.top;
        if (box.height > 0 && inside >= -layout.px(1) && inside < box.height + layout.px(1))
            hit.lane = static_cast<core::LaneKind>(kind);
    }
    return hit;
}

} // namespace views
