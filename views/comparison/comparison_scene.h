#pragma once

#include "views/comparison/comparison_data.h"
#include "views/document/selection.h"
#include "views/profile/time/time_axis.h"
#include "views/profile/time/timeline_viewport.h"

#include <QLineF>
#include <QRectF>

namespace views {

/// What begins at one place in all timelines.
enum class TimelineAlignment : std::uint8_t { Step, MicroBatch, Stage, Layer };

/// What the user has chosen about the timelines.
struct ComparisonState {
    Units units;
    /// Every run takes the whole width, instead of one axis for all.
    bool fitsEach = false;
    /// Timelines are moved so that this starts at one place.
    TimelineAlignment alignment = TimelineAlignment::Step;
    std::int64_t microBatch = 0;
    core::StageId stage = core::StageId(0);
    /// Path of a layer, or of several that it holds.
    std::string layer = {};
    /// What tables are about, in cycles of the axis from where the baseline's update begins.
    std::optional<TimeRange> range = {};

    bool operator==(const ComparisonState&) const = default;
};

/// The timelines of a comparison: cycles of the axis are those of the baseline's clock, from its start.
struct ComparisonScene {
    std::shared_ptr<const ComparisonData> data;
    ComparisonState state;
    TimelineViewport view;
    /// A piece of the step in the lane of differences of a run.
    struct Difference {
        std::size_t run = 0;
        std::size_t piece = 0;

        bool operator==(const Difference&) const = default;
    };
    /// The one that is under the mouse or was walked to.
    std::optional<Difference> difference = {};
    /// What is pointed at in some view, in time of the run that is selected in all of them.
    std::optional<TimeCursor> cursor = {};
    core::RunId selected = {};

    /// Where what the timelines are aligned by begins in a run, in cycles of its clock; nothing where the run
    /// has no such thing, which is then not moved.
    [[nodiscard]] std::optional<core::Cycles> anchor(std::size_t run) const;
    /// "micro-batch 3", "stage 1", "conv1"; what runs lack it is said with it: "conv1 (not in B)".
    [[nodiscard]] QString alignmentText() const;
    /// By how much a run is moved, in cycles of the axis.
    [[nodiscard]] core::Cycles shift(std::size_t run) const;
    /// End of a run's update in cycles of the axis, without its shift.
    [[nodiscard]] core::Cycles length(std::size_t run) const;
    /// The whole of all runs; starts at 0.
    [[nodiscard]] TimelineViewport whole() const;
    /// What `view` counts from: the first run's start, where runs are moved to the left.
    [[nodiscard]] core::Cycles origin() const;
    /// The range in cycles of a run's own clock, from where its update begins; it may be beyond it.
    [[nodiscard]] std::optional<TimeRange> rangeOf(std::size_t run) const;
    /// The pieces of the step that have a part in the range in some run; nothing without a range.
    [[nodiscard]] std::optional<std::vector<std::size_t>> piecesInRange() const;
    /// From cycles of a run's own clock to pixels.
    [[nodiscard]] TimeToPixel axisOf(std::size_t run, double left, double width) const;
    /// From cycles of the baseline to pixels.
    [[nodiscard]] TimeToPixel axis(double left, double width) const;
};

/// Positions of the timelines.
struct ComparisonLayout {
    double width = 0;
    double height = 0;
    double scale = 1;
    std::vector<std::size_t> laneCounts;
    /// Of what is different in time; the runs have timelines.
    bool hasDifferences = false;

    [[nodiscard]] double px(double size) const { return size * scale; }
    [[nodiscard]] double headerWidth() const { return px(190); }
    [[nodiscard]] QRectF ruler() const;
    /// The band of a run, with its differences and its header.
    [[nodiscard]] QRectF row(std::size_t run) const;
    /// The lane of its differences to the baseline, between the lanes of both; empty for the baseline.
    [[nodiscard]] QRectF differences(std::size_t run) const;
    /// What is below the differences.
    [[nodiscard]] QRectF body(std::size_t run) const;
    [[nodiscard]] double rowHeight(std::size_t run) const;
    /// Its lanes.
    [[nodiscard]] QRectF lanes(std::size_t run) const;
    /// Bottom of the last row: more than `height` where not even the headers fit.
    [[nodiscard]] double bottom() const;
    [[nodiscard]] double differencesHeight(std::size_t run) const;
    [[nodiscard]] std::optional<std::size_t> runAt(const QPointF& point) const;
};

[[nodiscard]] ComparisonLayout layOut(const ComparisonData& data, double width, double height, double scale);
/// Height at which every lane reads well.
[[nodiscard]] double timelinesHeight(const ComparisonData& data, double scale);

/// The time under a point of the timelines, in cycles of the run that is selected, which the cursor of all
/// views counts in; nothing beside the timelines, outside of an update of that run, or where it is not
/// compared. On a lane of that run also the place in its program.
[[nodiscard]] std::optional<TimeCursor> cursorAt(const ComparisonScene& scene, const ComparisonLayout& layout,
                                                 const QPointF& point);

/// What is pointed at: a time through all timelines, a place in a program on the lanes of the selected run.
[[nodiscard]] std::vector<QLineF> cursorLines(const ComparisonScene& scene, const ComparisonLayout& layout);

} // namespace views
