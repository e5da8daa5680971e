#include "views/comparison/comparison_scene.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace views {

namespace {

constexpr double rulerHeight = 26;
constexpr double rowPadding = 8;
constexpr double leastRowHeight = 86;
constexpr double laneHeight = 24;
constexpr double differenceHeight = 32;

} // namespace

core::Cycles ComparisonScene::length(std::size_t run) const {
    const double baseHz = data->timelines[data->comparison.baseline].clockHz;
    return core::inOtherClock(data->timelines[run].step, data->timelines[run].clockHz, baseHz);
}

std::optional<core::Cycles> ComparisonScene::anchor(std::size_t run) const {
    const core::RunAnchors& anchors = data->anchors[run];
    switch (state.alignment) {
    case TimelineAlignment::Step:
        return core::Cycles();
    case TimelineAlignment::MicroBatch: {
        const auto microBatch = anchors.microBatches.find(state.microBatch);
        return microBatch == anchors.microBatches.end() ? std::nullopt : std::optional(microBatch->second);
    }
    case TimelineAlignment::Stage: {
        const auto stage = anchors.stages.find(state.stage);
        return stage == anchors.stages.end() ? std::nullopt : std::optional(stage->second);
    }
    case TimelineAlignment::Layer:
        break;
    }
    std::optional<core::Cycles> first;
    for (const auto& [layer, start] : anchors.layers)
        if ((layer == state.layer || layer.starts_with(state.layer + "/")) && (!first || start < *first))
            first = start;
    return first;
}

QString ComparisonScene::alignmentText() const {
    QString text;
    switch (state.alignment) {
    case TimelineAlignment::Step:
        return QStringLiteral("step start");
    case TimelineAlignment::MicroBatch:
        text = QStringLiteral("micro-batch %1").arg(state.microBatch);
        break;
    case TimelineAlignment::Stage:
        text = QStringLiteral("stage %1").arg(state.stage.value());
        break;
    case TimelineAlignment::Layer:
        text = toQString(state.layer);
        break;
    }
    QStringList lacking;
    for (std::size_t run = 0; run < data->count(); ++run)
        if (!anchor(run))
            lacking.append(runLetter(run));
    return lacking.isEmpty() ? text
                             : text + QStringLiteral(" (not in %1)").arg(lacking.join(QStringLiteral(", ")));
}

core::Cycles ComparisonScene::shift(std::size_t run) const {
    const auto own = anchor(run);
    const auto base = anchor(data->comparison.baseline);
    if (state.fitsEach || !own || !base)
        return core::Cycles();
    const double baseHz = data->timelines[data->comparison.baseline].clockHz;
    return *base - core::inOtherClock(*own, data->timelines[run].clockHz, baseHz);
}

core::Cycles ComparisonScene::origin() const {
    core::Cycles origin;
    for (std::size_t run = 0; run < data->count(); ++run)
        origin = std::min(origin, shift(run));
    return origin;
}

TimelineViewport ComparisonScene::whole() const {
    core::Cycles end(1);
    for (std::size_t run = 0; run < data->count(); ++run)
        end = std::max(end, shift(run) + length(run) - origin());
    // A little space behind the end of the longest.
    end = core::Cycles(end.value() + end.value() / 40);
    return {core::Cycles(), end, end};
}

std::optional<TimeRange> ComparisonScene::rangeOf(std::size_t run) const {
    if (!state.range)
        return std::nullopt;
    const MiniTimeline& base = data->timelines[data->comparison.baseline];
    const MiniTimeline& own = data->timelines[run];
    const auto placed = [&](core::Cycles at) {
        // Where every run takes the whole width, the range is the same share of each.
        if (state.fitsEach)
            return core::Cycles(std::llround(core::real(at.value()) * ratio(own.step, base.step)));
        return core::inOtherClock(at - shift(run), base.clockHz, own.clockHz);
    };
    return TimeRange{placed(state.range->from), placed(state.range->to)};
}

std::optional<std::vector<std::size_t>> ComparisonScene::piecesInRange() const {
    if (!state.range)
        return std::nullopt;
    std::vector<std::size_t> inside;
    for (std::size_t i = 0; i < data->pieces.pieces.size(); ++i) {
        const auto& places = data->pieces.pieces[i].places;
        bool isInside = false;
        for (std::size_t run = 0; run < places.size(); ++run) {
            const TimeRange range = *rangeOf(run);
            const auto& place = places[run];
            isInside = isInside || (place && place->start < range.to && range.from < place->end);
        }
        if (isInside)
            inside.push_back(i);
    }
    return inside;
}

TimeToPixel ComparisonScene::axis(double left, double width) const {
    return {view.from + origin(), view.to + origin(), left, width};
}

TimeToPixel ComparisonScene::axisOf(std::size_t run, double left, double width) const {
    const MiniTimeline& timeline = data->timelines[run];
    if (state.fitsEach)
        return {core::Cycles(), core::Cycles(timeline.step.value() + timeline.step.value() / 100), left,
                width};
    const double baseHz = data->timelines[data->comparison.baseline].clockHz;
    const TimeToPixel shared = axis(left, width);
    return {core::inOtherClock(shared.from - shift(run), baseHz, timeline.clockHz),
            core::inOtherClock(shared.to - shift(run), baseHz, timeline.clockHz), left, width};
}

QRectF ComparisonLayout::ruler() const {
    return {headerWidth(), 0, width - headerWidth(), px(rulerHeight)};
}

double ComparisonLayout::rowHeight(std::size_t run) const {
    const std::size_t all = std::accumulate(laneCounts.begin(), laneCounts.end(), std::size_t{0});
    double space = height - px(rulerHeight) - px(leastRowHeight) * double(laneCounts.size());
    for (std::size_t i = 0; i < laneCounts.size(); ++i)
        space -= differencesHeight(i);
    // Every run has space for its header; what is left goes by lanes.
    return differencesHeight(run) + px(leastRowHeight) +
           (all == 0 ? 0 : std::max(0.0, space) * double(laneCounts[run]) / double(all));
}

QRectF ComparisonLayout::row(std::size_t run) const {
    double top = px(rulerHeight);
    for (std::size_t i = 0; i < run; ++i)
        top += rowHeight(i);
    return {0, top, width, rowHeight(run)};
}

double ComparisonLayout::bottom() const {
    return laneCounts.empty() ? px(rulerHeight) : row(laneCounts.size() - 1).bottom();
}

double ComparisonLayout::differencesHeight(std::size_t run) const {
    return hasDifferences && run > 0 ? px(differenceHeight) : 0;
}

QRectF ComparisonLayout::differences(std::size_t run) const {
    return {headerWidth(), row(run).top(), width - headerWidth(), differencesHeight(run)};
}

QRectF ComparisonLayout::body(std::size_t run) const {
    return row(run).adjusted(0, differencesHeight(run), 0, 0);
}

QRectF ComparisonLayout::lanes(std::size_t run) const {
    const QRectF rect = body(run);
    return {headerWidth(), rect.top() + px(rowPadding), width - headerWidth(),
            rect.height() - 2 * px(rowPadding)};
}

std::optional<std::size_t> ComparisonLayout::runAt(const QPointF& point) const {
    for (std::size_t run = 0; run < laneCounts.size(); ++run) {
        if (row(run).contains(point))
            return run;
    }
    return std::nullopt;
}

ComparisonLayout layOut(const ComparisonData& data, double width, double height, double scale) {
    ComparisonLayout layout{width, height, scale, {}, !data.pieces.pieces.empty()};
    for (const MiniTimeline& timeline : data.timelines)
        layout.laneCounts.push_back(std::max<std::size_t>(1, timeline.lanes.size()));
    return layout;
}

double timelinesHeight(const ComparisonData& data, double scale) {
    double height = rulerHeight;
    for (const MiniTimeline& timeline : data.timelines)
        height += std::max(leastRowHeight, laneHeight * double(timeline.lanes.size()) + 2 * rowPadding);
    if (!data.pieces.pieces.empty())
        height += differenceHeight * double(data.count() - 1);
    return height * scale;
}

} // namespace views
