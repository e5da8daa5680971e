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
#include <QTemporaryDir>
#include <array>

namespace {

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
