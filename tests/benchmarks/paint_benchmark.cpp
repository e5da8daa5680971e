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
#include "tests/benchmarks/measure.h"
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
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QThread>
#include <QWheelEvent>
#include <array>
#include <cstdlib>
#include <ctime>

namespace {

constexpr double frameLimit = 16;
constexpr std::array<QSize, 2> sizes{QSize(1280, 800), QSize(2560, 1440)};

/// A result that must be there, or the reason why not and the end.
template <class Value>
Value need(core::Result<Value> result) {
    if (!result) {
        const core::Diagnostic& diagnostic = result.error().front();
        fmt::print(stderr, "{}: {}\n", diagnostic.code, diagnostic.message);
        std::exit(1);
    }
    return std::move(*result);
}

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

/// Lets queries and timers of the views finish.
void settle(int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < milliseconds) {
        QApplication::processEvents();
        QThread::msleep(1);
    }
}

void turnWheel(QWidget& widget, int angle, Qt::KeyboardModifiers modifiers) {
    const QPointF at(widget.width() * 0.6, widget.height() * 0.4);
    QWheelEvent event(at, widget.mapToGlobal(at), {}, QPoint(0, angle), Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

/// Processor time of the window's thread: what others do on the machine does not count.
double threadMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// A person zooms in, pans there and back, and zooms out again, three times over; every step is painted at
/// once. Answers arrive between the frames, as they do in the program.
void measureFrames(std::string_view what, QWidget& widget, Qt::KeyboardModifiers zoom) {
    std::vector<double> frames;
    const auto step = [&](int angle, Qt::KeyboardModifiers modifiers) {
        const double start = threadMilliseconds();
        turnWheel(widget, angle, modifiers);
        widget.repaint();
        frames.push_back(threadMilliseconds() - start);
        settle(3);
    };
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 14; ++i)
            step(120, zoom);
        for (int i = 0; i < 14; ++i)
            step(i < 7 ? -120 : 120, Qt::ShiftModifier);
        for (int i = 0; i < 14; ++i)
            step(-120, zoom);
    }
    std::sort(frames.begin(), frames.end());
    benchmarks::print(fmt::format("{}, {} x {}", what, widget.width(), widget.height()),
                      frames[frames.size() / 2], frameLimit, "ms");
    benchmarks::print("  slowest twentieth", frames[frames.size() * 19 / 20], frameLimit, "ms");
}

/// Shows the view at both sizes and measures its canvas.
template <class View, class CanvasOf>
void measureView(std::string_view what, View& view, Qt::KeyboardModifiers zoom, CanvasOf canvasOf) {
    for (const QSize size : sizes) {
        view.resize(size);
        view.show();
        settle(700);
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
    if (isAsked("queries"))
        measureQueries(folder.path().toStdString());
    return 0;
}
