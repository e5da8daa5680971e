#pragma once

#include "core/profile/analysis/counter_queries.h"
#include "core/profile/records/time_records.h"
#include "views/profile/time/time_axis.h"
#include "views/timeline/painting/timeline_state.h"

#include <QRectF>
#include <optional>
#include <vector>

namespace views {

struct TimelineFrame;

enum class RowKind : std::uint8_t { ReplicaHeader, Ipu, CollapsedIpu, Counter };

/// A row of the lanes: y in px of the scrolled content, or of the pinned block.
struct TimelineRow {
    RowKind kind = RowKind::Ipu;
    std::int64_t replica = 0;
    /// Index into the frame's IPUs.
    std::size_t ipu = 0;
    bool isPinned = false;
    /// The stage that a row is of, where lanes are grouped by stage: others on its IPU are pale.
    std::optional<core::StageId> stage;
    /// What a counter's row shows; nothing: live bytes.
    std::optional<core::Counter> counter;
    double top = 0;
    double height = 0;

    [[nodiscard]] double bottom() const { return top + height; }
};

/// Sizes in px of a theme of scale 1; multiplied by its scale.
struct TimelineSizes {
    double headerWidth = 196;
    double overview = 58;
    double ruler = 46;
    double compute = 40;
    double mostCompute = 112;
    double remote = 14;
    double exchange = 14;
    double sync = 9;
    double host = 11;
    double laneGap = 2;
    double padding = 5;
    double collapsed = 17;
    double counter = 44;
    double rate = 34;
    double replicaHeader = 22;
    /// Between the headers and the first cycle, and after the last.
    double margin = 9;
};

/// Positions of everything. Pure arithmetic without widgets.
struct TimelineLayout {
    double scale = 1;
    /// The whole picture.
    double width = 0;
    double height = 0;
    double computeHeight = 40;
    /// Some program streams remote memory; else its lane takes no space.
    bool hasRemote = false;
    std::vector<TimelineRow> pinnedRows;
    std::vector<TimelineRow> rows;
    /// Of `pinnedRows`, and of `rows` together.
    double pinnedHeight = 0;
    double contentHeight = 0;

    [[nodiscard]] double px(double size) const { return size * scale; }
    [[nodiscard]] QRectF overview() const;
    [[nodiscard]] QRectF ruler() const;
    /// Right of the headers.
    [[nodiscard]] QRectF pinnedLanes() const;
    [[nodiscard]] QRectF lanes() const;
    [[nodiscard]] double lanesTop() const;
    [[nodiscard]] TimeToPixel axis(core::Cycles from, core::Cycles to) const;

    /// A lane of an expanded IPU's row, relative to the top of the row: offset and height.
    struct LaneBox {
        double top = 0;
        double height = 0;
    };
    [[nodiscard]] LaneBox laneBox(core::LaneKind kind) const;
    [[nodiscard]] double ipuHeight() const;
};

/// Rows of a frame in a picture of this size: pinned IPUs first, then the rest; the compute lane grows when
/// there is space for all of them.
[[nodiscard]] TimelineLayout layOut(const TimelineFrame& frame, const TimelineState& state, double width,
                                    double height, double scale);

/// The height at which no row needs scrolling.
[[nodiscard]] double naturalHeight(const TimelineFrame& frame, const TimelineState& state, double scale);

/// What is under a point.
struct TimelineHit {
    enum class Part : std::uint8_t { Nothing, Overview, Ruler, Chevron, Pin, Header, Lane };
    Part part = Part::Nothing;
    std::optional<TimelineRow> row;
    std::optional<core::LaneKind> lane;
};
[[nodiscard]] TimelineHit hitTest(const TimelineLayout& layout, double scroll, double x, double y);

} // namespace views
