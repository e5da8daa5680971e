/// How soon the window answers who edits a large model: what every edit, undo and redo takes to the first
/// changed frame, how soon the figures of the whole model are there, and how far the gauges are behind a cut
/// that is dragged. All of it by mouse and keys in the real window.
///
/// editing_benchmark [PROJECT …]      ResNet-152, and a chain of 1,000 layers on 64 stages, where none is
/// named
///                                    (QT_QPA_PLATFORM=offscreen without a display)

#include "app/window/main_window.h"
#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_project.h"
#include "core/profile/queries/run_queries.h"
#include "tests/app/editor/person.h"
#include "tests/benchmarks/frames.h"
#include "views/graph/graph_view.h"
#include "views/graph/scene/canvas_handles.h"
#include "views/graph/stage_strip.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest/QTest>
#include <functional>
#include <string>

namespace {

using benchmarks::threadMilliseconds;

constexpr double figuresLimit = 50;
constexpr double gaugesLimit = 100;

/// A moment by the wall clock, and by work: the machine may have other things to do.
struct Moment {
    double wall = 0;
    /// Of the window's thread.
    double worked = 0;
    /// Of all threads.
    double processor = 0;
};

/// Notes when a change was asked for by mouse or keys, and when the first frame with it was handed to the
/// screen.
class FrameWatch final : public QApplication {
public:
    FrameWatch(int& argc, char** argv)
        : QApplication(argc, argv) {
        m_clock.start();
    }
    [[nodiscard]] Moment now() const {
        return {double(m_clock.nsecsElapsed()) / 1e6, threadMilliseconds(),
                1e3 * double(std::clock()) / CLOCKS_PER_SEC};
    }
    /// For a frame of the widget that shows what `isChanged` says.
    void wait(const QWidget& widget, std::function<bool()> isChanged) {
        m_widget = &widget;
        m_isChanged = std::move(isChanged);
        m_isPainted = false;
        m_frame.reset();
        m_asked = now();
    }
    [[nodiscard]] const Moment& asked() const { return m_asked; }
    [[nodiscard]] const std::optional<Moment>& frame() const { return m_frame; }

    bool notify(QObject* receiver, QEvent* event) override {
        const QEvent::Type type = event->type();
        const bool isInput =
            receiver->isWindowType() &&
            (type == QEvent::KeyPress || type == QEvent::MouseMove || type == QEvent::MouseButtonRelease);
        if (m_isChanged && isInput && !m_isChanged())
            m_asked = now();
        if (type == QEvent::Paint && receiver == m_widget && m_isChanged && m_isChanged())
            m_isPainted = true;
        const bool isFrame = type == QEvent::UpdateRequest && receiver->isWidgetType();
        const bool isDone = QApplication::notify(receiver, event);
        if (isFrame && m_isPainted && !m_frame)
            m_frame = now();
        return isDone;
    }

private:
    QElapsedTimer m_clock;
    const QWidget* m_widget = nullptr;
    std::function<bool()> m_isChanged;
    bool m_isPainted = false;
    Moment m_asked;
    std::optional<Moment> m_frame;
};

FrameWatch& watch() {
    return static_cast<FrameWatch&>(*qApp); // NOLINT: the only application there is
}

bool waitFor(const std::function<bool()>& condition, double milliseconds = 60000) {
    const double end = watch().now().wall + milliseconds;
    while (!condition()) {
        if (watch().now().wall > end)
            return false;
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    }
    return true;
}

/// Times of one kind, as people ask for them.
struct Times {
    /// Of the window's thread, or of all that work on an answer.
    enum class Work { Window, All };
    Work kind = Work::Window;
    std::vector<double> wall = {};
    std::vector<double> worked = {};

    void add(const Moment& from, const Moment& to) {
        wall.push_back(to.wall - from.wall);
        worked.push_back(kind == Work::Window ? to.worked - from.worked : to.processor - from.processor);
    }
    static std::string text(std::vector<double> values) {
        std::sort(values.begin(), values.end());
        const auto at = [&](std::size_t percent) {
            return values[std::min(values.size() - 1, values.size() * percent / 100)];
        };
        return fmt::format("{:>7.1f} {:>7.1f} {:>7.1f}", at(50), at(95), at(99));
    }
    void print(const std::string& what, double limit) const {
        if (wall.empty())
            return fmt::print("{:<44} was not seen\n", what);
        fmt::print("{:<44} {:>4}  {}   {}   (bar {})\n", what, wall.size(), text(worked), text(wall), limit);
        std::fflush(stdout);
    }
};

class Editing {
public:
    explicit Editing(const std::filesystem::path& project)
        : m_window(m_folder.filePath("settings.ini"))
        , m_person(m_window, {1600, 1000}) {
        if (!m_window.files().openCopy(project)) {
            fmt::print(stderr, "{} cannot be opened\n", project.string());
            std::exit(1);
        }
        benchmarks::settle(100);
        figuresAreThere();
        m_person.press("Escape");
    }

    void measure() {
        const core::Project& project = m_window.document().project();
        fmt::print(
            "\n{}: {} layers, {} stages\n{:<44} {:>4}  {:>23}   {:>23}\n{:<44} {:>4}  {:>7} {:>7} {:>7}   "
            "{:>7} {:>7} {:>7}\n",
            project.name, project.model.layers.size(), project.assignment.stageCount(),
            "ms to the first changed frame", "", "processor", "by the clock", "", "n", "p50", "p95", "p99",
            "p50", "p95", "p99");
        editByKeys("another stage", [this] { m_person.press(otherStage()); });
        editByKeys("duplicate", [this] { m_person.press("Ctrl+D"); });
        editByKeys("delete", [this] { m_person.press("Del"); });
        editByKeys("delete and reconnect", [this] { m_person.press("Ctrl+Del"); });
        editByKeys("bypass", [this] { m_person.press("M"); });
        editByKeys("lock", [this] { m_person.press("Ctrl+Shift+K"); });
        editByKeys("fold a block", [this] { m_person.press("C"); });
        edit(
            "add behind the selection",
            [this] {
                m_person.press("Tab");
                m_person.type("Dropout");
            },
            [this] { m_person.press("Return"); });
        dragACut();
        m_undo.print("undo of all of them", benchmarks::frameLimit);
        m_redo.print("redo of all of them", benchmarks::frameLimit);
        m_figures.print("figures of the whole model after an edit", figuresLimit);
        compareWithARun();
    }

private:
    views::CanvasView& canvas() { return m_person.canvas(); }
    void figuresAreThere() {
        if (!waitFor([this] {
                return m_window.document().isAnalysisCurrent() && m_window.document().isEstimateCurrent();
            })) {
            fmt::print(stderr, "the figures do not come\n");
            std::exit(1);
        }
    }

    /// Some layer that is in view, selected by a click.
    void selectOne() {
        std::vector<QPoint> places;
        const QRect inside = canvas().rect().adjusted(20, 20, -20, -60);
        for (const views::CanvasNode& node : canvas().model().nodes) {
            const QPoint at = m_person.placeOf(node.key.path);
            if (inside.contains(at) && node.assignable >= 0)
                places.push_back(at);
        }
        if (places.empty())
            return;
        m_person.click(canvas(), places[std::size_t(m_round) * 7 % places.size()]);
    }
    QString otherStage() {
        const auto& current = m_window.selection().state().current;
        const int node = current ? canvas().model().find(*current) : -1;
        const std::size_t stage = node < 0 ? 0 : canvas().model().nodes[std::size_t(node)].stage.index();
        return QString::number(stage == 0 ? 1 : stage - 1);
    }

    void editByKeys(const std::string& what, const std::function<void()>& key) {
        edit(
            what, [] {}, key);
    }

    /// Makes the edit, takes it back, does it again and takes it back, for one layer after the other.
    void edit(const std::string& what, const std::function<void()>& before,
              const std::function<void()>& key) {
        Times times;
        constexpr int rounds = 8;
        for (m_round = 0; m_round < rounds; ++m_round) {
            selectOne();
            before();
            const views::ProjectSnapshot snapshot = m_window.document().snapshot();
            if (step(key, times) && m_window.document().snapshot() != snapshot) {
                step([this] { m_person.press("Ctrl+Z"); }, m_undo);
                step([this] { m_person.press("Ctrl+Shift+Z"); }, m_redo);
                step([this] { m_person.press("Ctrl+Z"); }, m_undo);
            }
            m_person.press("Escape");
        }
        times.print(what, benchmarks::frameLimit);
    }

    /// False where nothing was changed.
    bool step(const std::function<void()>& act, Times& times) {
        benchmarks::settle(30);
        const views::ProjectSnapshot snapshot = m_window.document().snapshot();
        watch().wait(canvas(), [this, snapshot] { return m_window.document().snapshot() != snapshot; });
        act();
        if (m_window.document().snapshot() == snapshot)
            return false;
        if (!waitFor([] { return watch().frame().has_value(); }, 2000))
            return false;
        times.add(watch().asked(), *watch().frame());
        figuresAreThere();
        m_figures.add(watch().asked(), watch().now());
        return true;
    }

    /// The grip of the first cut goes up and down its ticks.
    void dragACut() {
        const auto* gauges = m_window.graph().findChild<views::GaugeStrip*>();
        const QPoint grip = views::gripRect(canvas().scene(), 0).center().toPoint();
        if (gauges == nullptr || grip.isNull())
            return;
        Times frames;
        Times figures{.kind = Times::Work::All};
        constexpr int steps = 60;
        constexpr int stride = 17;
        QWindow* window = m_window.windowHandle();
        const QPoint shift = canvas().mapTo(&m_window, QPoint());
        m_person.takeHold(canvas(), grip, grip + QPoint(0, 8));
        const int low = 30;
        const int range = canvas().height() - 100;
        QPoint at = grip;
        for (int i = 0; i < steps; ++i) {
            benchmarks::settle(30);
            figuresAreThere();
            waitFor([this] {
                return m_window.document().preview() == nullptr || m_window.document().previewEstimate();
            });
            const views::ProjectSnapshot preview = m_window.document().preview();
            at = {grip.x() + 60, low + i * stride * 11 % range};
            bool hasArrived = false;
            const auto arrival =
                QObject::connect(&m_window.document(), &views::Document::estimateChanged, &m_window,
                                 [&] { hasArrived = m_window.document().preview() != preview; });
            watch().wait(canvas(), [&] { return m_window.document().preview() != preview; });
            QTest::mouseMove(window, shift + at);
            if (waitFor([&] { return watch().frame().has_value(); }, 300)) {
                const Moment asked = watch().asked();
                frames.add(asked, *watch().frame());
                watch().wait(*gauges, [&] { return hasArrived; });
                if (m_window.document().preview() &&
                    waitFor([&] { return watch().frame().has_value(); }, 2000))
                    figures.add(asked, *watch().frame());
            }
            QObject::disconnect(arrival);
        }
        frames.print("drag a cut, a frame", benchmarks::frameLimit);
        figures.print("drag a cut, the gauges", gaugesLimit);
        Times drop;
        step([&] { m_person.letGo(canvas(), at); }, drop);
        drop.print("let go of a cut", benchmarks::frameLimit);
        step([this] { m_person.press("Ctrl+Z"); }, m_undo);
        step([this] { m_person.press("Ctrl+Shift+Z"); }, m_redo);
    }

    void compareWithARun() {
        const core::PlanEstimate estimate = *m_window.document().estimate();
        m_window.run(core::RunMode::Train, false);
        if (!waitFor([this] { return !m_window.runs().isRunning(); }, 600000))
            return;
        auto database =
            core::ProfileDatabase::open(m_window.files().database(), {core::DatabaseAccess::ReadOnly});
        const auto runs = core::listRuns(benchmarks::need(std::move(database)));
        if (!runs || runs->empty() || !runs->back().step)
            return fmt::print("the run failed\n");
        fmt::print("cycles of a step: {} in the gauges, {} in a run\n", estimate.step.value(),
                   runs->back().step->value());
    }

    QTemporaryDir m_folder;
    app::MainWindow m_window;
    tests::Person m_person;
    int m_round = 0;
    Times m_undo;
    Times m_redo;
    Times m_figures{.kind = Times::Work::All};
};

/// Layers that are read one after the other, on many stages.
core::Project longChain(int layers, int stages) {
    const int hidden = layers - 2;
    std::string units;
    for (int i = 0; i < hidden; ++i)
        units += (i == 0 ? "" : ",") + std::to_string(64 + i * 37 % 192);
    core::Project project = benchmarks::need(
        core::newProject("mlp", {{"hidden", units}, {"stages", std::to_string(stages)}}, "chain"));
    project.pipeline.gradientAccumulationSteps = 2 * stages;
    project.training.stepsPerExecution = 2 * stages;
    project.training.stepsPerEpoch = 2 * stages;
    return project;
}

core::Project resnet152() {
    core::Project project = benchmarks::need(
        core::newProject("resnet", {{"depth", "152"}, {"stages", "8"}, {"micro_batch", "1"}}, "resnet-152"));
    project.pipeline.gradientAccumulationSteps = 16;
    project.training.stepsPerExecution = 16;
    project.training.stepsPerEpoch = 16;
    project.training.epochs = 1;
    return project;
}

} // namespace

int main(int argc, char** argv) {
    FrameWatch application(argc, argv);
    std::vector<std::filesystem::path> projects(argv + 1, argv + argc);
    const QTemporaryDir folder;
    if (projects.empty()) {
        for (const core::Project& project : {resnet152(), longChain(1000, 64)}) {
            projects.emplace_back(
                folder.filePath(QString::fromStdString(project.name) + ".ipuproj").toStdString());
            if (!core::saveProject(project, projects.back(), core::Overwrite::Replace))
                return 1;
        }
    }
    for (const std::filesystem::path& path : projects)
        Editing(path).measure();
    return 0;
}
