/// How soon the window is there, and how long a frame of the canvas takes while one pans, zooms and selects
/// in a model of 175 layers.
///
/// window_benchmark            (QT_QPA_PLATFORM=offscreen without a display)

#include "app/window/main_window.h"
#include "app/window/start/example_list.h"
#include "tests/benchmarks/measure.h"
#include "views/graph/graph_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <functional>

namespace {

constexpr int frames = 120;
constexpr double frameLimit = 16;
constexpr double startLimit = 500;

/// 95th percentile of the frames, each with whatever its change brings about.
double frameMilliseconds(views::CanvasView& canvas, const std::function<void(int)>& change) {
    std::vector<double> times;
    for (int frame = 0; frame < frames; ++frame) {
        QElapsedTimer timer;
        timer.start();
        change(frame);
        canvas.repaint();
        QApplication::processEvents();
        times.push_back(double(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() * 95 / 100];
}

void waitFor(const std::function<bool()>& condition) {
    while (!condition())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

} // namespace

int main(int argc, char** argv) {
    QElapsedTimer start;
    start.start();
    const QApplication application(argc, argv);
    const QTemporaryDir folder;
    app::MainWindow window(folder.filePath("settings.ini"));
    window.resize(1600, 1000);
    window.show();
    window.repaint();
    QApplication::processEvents();
    benchmarks::print("start to the first frame", double(start.nsecsElapsed()) / 1e6, startLimit, "ms");

    const std::filesystem::path path = app::exampleFolder() / "resnet50/resnet50.ipuproj";
    start.restart();
    if (!window.files().openCopy(path))
        return 1;
    window.repaint();
    benchmarks::print("opening ResNet-50 to its first frame", double(start.nsecsElapsed()) / 1e6, startLimit,
                      "ms");
    waitFor([&] { return window.document().isAnalysisCurrent() && window.document().isEstimateCurrent(); });
    benchmarks::print("opening ResNet-50 to its figures", double(start.nsecsElapsed()) / 1e6, 2000, "ms");

    views::CanvasView& canvas = window.graph().canvas();
    const double pan = frameMilliseconds(canvas, [&](int frame) {
        views::CanvasViewport viewport = canvas.viewport();
        viewport.origin += QPointF(0, frame < frames / 2 ? 12 : -12);
        canvas.setViewport(viewport);
    });
    benchmarks::print("frame while panning, 95th percentile", pan, frameLimit, "ms");
    const double zoom = frameMilliseconds(
        canvas, [&](int frame) { canvas.scene().camera().zoomBy(frame < frames / 2 ? 0.96 : 1 / 0.96); });
    benchmarks::print("frame while zooming, 95th percentile", zoom, frameLimit, "ms");
    const auto& nodes = canvas.model().nodes;
    const double select = frameMilliseconds(canvas, [&](int frame) {
        window.selection().selectInvocation(nodes[std::size_t(frame) % nodes.size()].key);
    });
    benchmarks::print("frame while selecting, all docks open, 95th percentile", select, frameLimit, "ms");
    return 0;
}
