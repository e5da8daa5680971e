#pragma once

#include "views/document/selection.h"
#include "views/liveness/liveness_data.h"

#include <QRectF>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace views {

/// What the chart's x axis counts.
enum class LivenessAxis : std::uint8_t { ProgramOrder, Time };

/// What the user has chosen in the memory view.
struct LivenessState {
    LivenessAxis axis = LivenessAxis::ProgramOrder;
    bool showsAlwaysLive = true;
    bool showsGaps = false;
    Units units;
    /// Part of the x axis in view, in steps or cycles; empty: all.
    double from = 0;
    double to = 0;
    /// Steps of the frozen columns A, B, ….
    std::vector<std::int64_t> columns;
    /// Index into the ranges.
    std::optional<std::size_t> selected;
    /// Categories that the legend isolates; empty: all.
    std::set<core::MemoryCategory> isolated;
    /// Layers selected elsewhere.
    std::set<std::string> layers;
};

/// Everything the chart is painted from.
struct LivenessScene {
    std::shared_ptr<const LivenessData> data;
    std::shared_ptr<const LifetimePlacement> placement;
    LivenessState state;

    /// End of the x axis.
    [[nodiscard]] double end() const;
    /// Where a step begins on the x axis; of the number of steps: the end.
    [[nodiscard]] double position(std::int64_t step) const;
    /// The step at a place of the x axis, clamped.
    [[nodiscard]] std::int64_t stepAt(double position) const;
    [[nodiscard]] double from() const { return state.from; }
    [[nodiscard]] double to() const { return state.to > state.from ? state.to : end(); }
    /// The step that a place in a stage program is in; nothing where the program is not on this IPU.
    [[nodiscard]] std::optional<std::int64_t> stepAt(const TimeCursor& place) const;
    /// The same on the x axis.
    [[nodiscard]] std::optional<double> position(const TimeCursor& place) const;
    /// Where in a stage program a place of the x axis is.
    [[nodiscard]] std::optional<TimeCursor> cursorAt(double position) const;
    /// The limit is near enough for the curve to be read beside it.
    [[nodiscard]] bool showsLimit() const;
    /// Highest value of the curve's y axis.
    [[nodiscard]] core::Bytes top() const;
    /// Highest address of the lifetimes' y axis.
    [[nodiscard]] core::Bytes addressTop() const;
};

/// Positions of the parts of the chart. Pure arithmetic.
struct LivenessLayout {
    double width = 0;
    double height = 0;
    double scale = 1;

    [[nodiscard]] double px(double size) const { return size * scale; }
    /// Words and legend of the lifetimes fit beside each other.
    [[nodiscard]] bool isWide() const { return width >= px(1600); }
    /// Names of the programs above the curve.
    [[nodiscard]] QRectF strip() const;
    [[nodiscard]] QRectF curve() const;
    [[nodiscard]] QRectF title() const;
    /// What the lifetimes show, in words: left of the legend, or above it.
    [[nodiscard]] QRectF words() const;
    [[nodiscard]] QRectF legend() const;
    [[nodiscard]] QRectF lifetimes() const;
    [[nodiscard]] QRectF axis() const;

    [[nodiscard]] double x(const LivenessScene& scene, double position) const;
    [[nodiscard]] double positionAt(const LivenessScene& scene, double x) const;
    /// y inside `area` for bytes, 0 at its bottom.
    [[nodiscard]] static double y(const QRectF& area, core::Bytes bytes, core::Bytes top);
    [[nodiscard]] QRectF rangeRect(const LivenessScene& scene, const PlacedRange& placed) const;
};

/// Bytes at which the y axis has marks: round in the unit, some 36 px apart.
[[nodiscard]] std::vector<double> byteTicks(core::Bytes top, const UnitChoice& unit, double height,
                                            double scale);

/// The block under a point of the lifetimes; the topmost where several are.
[[nodiscard]] std::optional<std::size_t> rangeUnder(const LivenessScene& scene, const LivenessLayout& layout,
                                                    const QPointF& point);

} // namespace views
