// Frames of the painted views while a person zooms and pans through a real run: ResNet-50 on four stages.
// Prints the times of the middle and of the slowest twentieth of the frames, and what they are of the 16 ms
// between two pictures of a screen.
#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_project.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/writer/profile_writer.h"
#include "core/project/validate.h"
#include "simulator/engine/run.h"
#include "tests/benchmarks/frames.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/synthetic_run.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/canvas/canvas_view.h"
#include "views/graph/graph_view.h"
#include "views/liveness/liveness_chart.h"
#include "views/liveness/liveness_view.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QGraphicsRectItem>
#include <QGraphicsView>
#include <QTemporaryDir>
#include <array>

namespace {

using benchmarks::frameLimit;
using benchmarks::measureFrames;
using benchmarks::need;
using benchmarks::settle;

constexpr std::array<QSize, 2> sizes{QSize(1280, 800), QSize(2560, 1440)};

core::Project resnet50() {
    core::Project project = need(core::newProject(
        "resnet",
        {{"depth", 50}, {"stages", 4}, {"micro_batch", 4}, {"accumulation", 64}, {"recomputation", "on"}}));
    project.training.stepsPerExecution = 64;
    project.training.stepsPerEpoch = 64;
    return project;
}

void record(const core::Project& project, const std::filesystem::path& path) {
    auto database = need(core::ProfileDatabase::open(path));
    core::ProfileWriter writer(database);
    const simulator::RunRequest request{need(core::validate(project, core::RunMode::Train)),
                                        simulator::ProfileLevel::Tile,
                                        false,
                                        {},
                                        {},
                                        {},
                                        {},
                                        1};
    need(simulator::run(request, writer));
}

/// Shows the view at both sizes and measures its canvas.
template <class View, class CanvasOf>
void measureView(std::string_view what, View& view, Qt::KeyboardModifiers zoom, CanvasOf canvasOf) {
    for (const QSize size : sizes) {
        view.resize(size);
        view.show();
        settle(700);
        // A large run is longer on its way.
        constexpr int mostWaits = 600;
        for (int i = 0; i < mostWaits && canvasOf(view).width() < size.width() / 4; ++i)
            settle(100);
        measureFrames(what, canvasOf(view), zoom);
    }
    view.hide();
}

/// A window of the timeline is O(pixels), whatever the run's length.
void measureQueries(const std::filesystem::path& folder) {
    for (const std::size_t spans : {std::size_t{1000}, std::size_t{30000}, std::size_t{1000000}}) {
        const auto path = folder / fmt::format("dense{}.sqlite", spans);
        core::RunSummary summary;
        {
            auto database = need(core::ProfileDatabase::open(path));
            core::ProfileWriter writer(database);
            summary = tests::recordDenseRun(4, spans, writer);
        }
        const auto database =
            need(core::ProfileDatabase::open(path, {.access = core::DatabaseAccess::ReadOnly}));
        const core::RunId run = need(core::findRun(database, "last"));
        const auto ask = [&] {
            return need(core::loadTimeline(database, {run, core::Cycles(), summary.step, 2400, {}}));
        };
        std::size_t rows = 0;
        for (const core::LaneWindow& lane : ask().lanes)
            rows += lane.spans.size() + lane.bins.size();
        benchmarks::print(fmt::format("the whole timeline of 4 lanes x {} spans: {} rows", spans, rows),
                          benchmarks::milliseconds(5, [&] { benchmarks::keep(ask()); }), 100, "ms");
    }
}

/// A frame of a widget that shows all of a run, each a little apart from the one before.
template <class Move>
double frameMilliseconds(QWidget& widget, int frames, Move&& move) {
    const double start = benchmarks::threadMilliseconds();
    for (int i = 0; i < frames; ++i) {
        move(i);
        widget.repaint();
    }
    return (benchmarks::threadMilliseconds() - start) / frames;
}

/// A million spans in view at once, beside a QGraphicsView that holds a rectangle for each.
void measureManySpans(const std::filesystem::path& folder) {
    constexpr std::size_t lanes = 4;
    constexpr std::size_t spansOfLane = 250'000;
    const auto path = folder / "million.sqlite";
    {
        auto database = need(core::ProfileDatabase::open(path));
        core::ProfileWriter writer(database);
        tests::recordDenseRun(lanes, spansOfLane, writer);
    }
    views::Document document;
    views::Selection selection;
    views::ProfileSource source;
    tests::RecordedIntents intents;
    source.setPath(path);
    views::TimelineView view(document, selection, source, intents);
    view.resize(sizes.back());
    view.show();
    settle(3000);
    views::TimelineCanvas& canvas = view.canvas();
    const double ours = frameMilliseconds(canvas, 20, [&](int frame) {
        benchmarks::turnWheel(canvas, frame % 2 == 0 ? 120 : -120, Qt::ControlModifier);
    });
    view.hide();

    QGraphicsScene scene;
    scene.setItemIndexMethod(QGraphicsScene::NoIndex);
    const std::array colours{Qt::blue, Qt::green, Qt::gray, Qt::red};
    for (std::size_t lane = 0; lane < lanes; ++lane)
        for (std::size_t i = 0; i < spansOfLane; ++i)
            scene.addRect(double(i), double(lane) * 60, 1, 52, QPen(), colours.at(i % colours.size()));
    QGraphicsView rectangles(&scene);
    rectangles.setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    rectangles.resize(sizes.back());
    rectangles.show();
    rectangles.fitInView(scene.sceneRect());
    settle(1000);
    const double theirs = frameMilliseconds(
        *rectangles.viewport(), 3, [&](int frame) { rectangles.scale(frame % 2 == 0 ? 1.1 : 1 / 1.1, 1); });
    benchmarks::print("a million spans in view, a frame", ours, frameLimit, "ms");
    fmt::print("  a QGraphicsView of as many rectangles: {:.0f} ms, {:.0f} times as long\n", theirs,
               theirs / ours);
}

/// The memory of an IPU with many blocks and a program of many steps.
void measureManyBlocks(const std::filesystem::path& folder) {
    constexpr std::int64_t steps = 1'000'000;
    constexpr std::int64_t blocks = 200'000;
    const auto path = folder / "blocks.sqlite";
    {
        auto database = need(core::ProfileDatabase::open(path));
        core::ProfileWriter writer(database);
        core::RunSummary summary;
        summary.provenance.projectName = "blocks";
        summary.provenance.clockHz = 1e9;
        summary.provenance.targetName = "ipu2";
        summary.provenance.ipus = 1;
        summary.step = core::Cycles(steps);
        std::vector<std::int64_t> changes(std::size_t(steps) + 1);
        std::vector<core::LiveRangeRecord> ranges;
        for (std::int64_t i = 0; i < blocks; ++i) {
            core::LiveRangeRecord& range = ranges.emplace_back();
            range.ipu = core::IpuId(0);
            range.name = fmt::format("block{}", i);
            range.category = core::MemoryCategory(i % 14);
            range.bytes = core::Bytes(1000 + i * 7919 % 5000);
            range.address = core::Bytes(i * 4099 % 900'000'000);
            range.firstStep = i * 7907 % (steps - 3000);
            range.lastStep = range.firstStep + 1 + i * 17 % 2900;
            changes[std::size_t(range.firstStep)] += range.bytes.value();
            changes[std::size_t(range.lastStep) + 1] -= range.bytes.value();
        }
        std::vector<core::LivenessStepRecord> liveness;
        core::IpuMemorySummary memory;
        memory.ipu = core::IpuId(0);
        memory.limit = core::Bytes(900'000'000);
        std::int64_t live = 0;
        for (std::int64_t step = 0; step < steps; ++step) {
            live += changes[std::size_t(step)];
            core::LivenessStepRecord& record = liveness.emplace_back();
            record.ipu = core::IpuId(0);
            record.step = step;
            record.stage = core::StageId(0);
            record.live = core::Bytes(live);
            memory.peak = std::max(memory.peak, record.live);
        }
        writer.begin(summary.provenance);
        writer.livenessSteps(liveness);
        writer.liveRanges(std::move(ranges));
        summary.memory.push_back(memory);
        writer.finish(summary);
        need(writer.outcome());
    }
    views::Document document;
    views::Selection selection;
    views::ProfileSource source;
    tests::RecordedIntents intents;
    source.setPath(path);
    views::LivenessView view(document, selection, source, intents);
    measureView("200 000 blocks, 1 000 000 steps", view, Qt::ControlModifier,
                [](views::LivenessView& shown) -> QWidget& { return shown.chart(); });
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    views::applyTheme(application, views::Theme(views::ThemeKind::Light));
    QTemporaryDir folder;
    const std::filesystem::path path = (folder.path() + "/resnet50.profiles.sqlite").toStdString();
    const core::Project project = resnet50();
    record(project, path);
    views::Document document;
    views::Selection selection;
    views::ProfileSource source;
    document.open(project, {});
    source.setPath(path);
    // "paint_benchmark timeline" measures that alone.
    const auto isAsked = [&](std::string_view what) { return argc < 2 || what == argv[1]; };
    if (isAsked("timeline")) {
        tests::RecordedIntents intents;
        views::TimelineView view(document, selection, source, intents);
        measureView("timeline", view, Qt::ControlModifier,
                    [](views::TimelineView& shown) -> QWidget& { return shown.canvas(); });
    }
    if (isAsked("liveness")) {
        tests::RecordedIntents intents;
        views::LivenessView view(document, selection, source, intents);
        measureView("liveness", view, Qt::ControlModifier,
                    [](views::LivenessView& shown) -> QWidget& { return shown.chart(); });
    }
    if (isAsked("canvas")) {
        tests::RecordedIntents intents;
        views::GraphView view(document, selection, intents);
        measureView("model canvas", view, Qt::NoModifier,
                    [](views::GraphView& shown) -> QWidget& { return shown.canvas(); });
    }
    if (isAsked("spans"))
        measureManySpans(folder.path().toStdString());
    if (isAsked("blocks"))
        measureManyBlocks(folder.path().toStdString());
    if (isAsked("queries"))
        measureQueries(folder.path().toStdString());
    return 0;
}
