#include "views/timeline/painting/timeline_picture.h"

#include "views/timeline/painting/timeline_painter.h"

#include <algorithm>
#include <fmt/core.h>

namespace views {

namespace {

constexpr double defaultWidth = 1600;
/// Pieces of all IPUs that are a row each, about a hundred bytes of SVG for each.
constexpr double mostFoldedPieces = 16'000;

/// Places of an axis that are told apart: fewer where many IPUs are a row each.
double columnsOf(const TimeToPixel& axis, const TimelineState& state) {
    const auto folded = static_cast<double>(state.collapsed.size());
    return folded > 0 ? std::min(axis.width, mostFoldedPieces / folded) : axis.width;
}

template <class Value>
std::shared_ptr<const Value> shared(Value value) {
    return std::make_shared<const Value>(std::move(value));
}

} // namespace

std::optional<core::Diagnostic> timelineObjection(const TimelineFrame& frame) {
    if (!frame.ipus.empty() && frame.step.value() > 0)
        return std::nullopt;
    return core::withoutTimeline(frame.run);
}

core::Result<TimelineScene> loadTimelineScene(const core::ProfileDatabase& database, core::RunId run,
                                              TimelineState state, double width, double height,
                                              double scale) {
    core::Result<TimelineFrame> frame = loadTimelineFrame(database, run);
    if (!frame)
        return core::failure(frame.error());
    if (std::optional<core::Diagnostic> objection = timelineObjection(*frame))
        return core::failure(*std::move(objection));
    TimelineScene scene;
    scene.frame = shared(*std::move(frame));
    core::Result<TimelineSlots> updateSlots = loadTimelineSlots(database, run);
    if (!updateSlots)
        return core::failure(updateSlots.error());
    scene.updateSlots = shared(*std::move(updateSlots));
    scene.state = std::move(state);
    if (scene.state.view.length().value() <= 0)
        scene.state.view = clamped(core::Cycles(), scene.frame->step, scene.frame->length());
    scene.state.view.end = scene.frame->length();
    const double natural = naturalHeight(*scene.frame, scene.state, scale);
    scene.layout = layOut(*scene.frame, scene.state, width, height > 0 ? height : natural, scale);

    auto window = core::loadTimeline(
        database, windowRequest(*scene.frame, scene.state.view, columnsOf(scene.axis(), scene.state)));
    if (!window)
        return core::failure(window.error());
    scene.window = shared(*std::move(window));
    scene.shares = shared(laneShares(*scene.window));
    auto overview =
        core::loadTimeline(database, {run,
                                      core::Cycles(),
                                      scene.frame->step,
                                      static_cast<std::int64_t>(columnsOf(overviewAxis(scene), scene.state)) /
                                          overviewRange(*scene.frame, scene.state.view).count,
                                      {core::LaneKind::Compute}});
    if (!overview)
        return core::failure(overview.error());
    scene.overview = shared(*std::move(overview));
    if (scene.state.microBatch && scene.state.flows != FlowMode::Off) {
        auto flow = core::microBatchSpans(database, run, *scene.state.microBatch);
        if (!flow)
            return core::failure(flow.error());
        scene.flows = shared(std::vector<std::vector<core::SpanRecord>>{*std::move(flow)});
    }
    return scene;
}

core::Result<Picture> timelinePicture(const core::ProfileDatabase& database, core::RunId run,
                                      const Theme& theme, const QSizeF& size, const TimelineState& state) {
    const double width = sizeOr(size, QSizeF(defaultWidth, 0)).width();
    core::Result<TimelineScene> scene =
        loadTimelineScene(database, run, state, width, std::max(0.0, size.height()), theme.scale());
    if (!scene)
        return core::failure(scene.error());
    const auto kept = shared(*std::move(scene));
    return Picture{QStringLiteral("Timeline of run %1").arg(run.value()), QSizeF(width, kept->layout.height),
                   [kept, theme](QPainter& painter) { paintTimeline(painter, *kept, theme); }};
}

} // namespace views
