#include "tests/app/window_bench.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/timeline/timeline_canvas.h"

#include <QSignalSpy>

using tests::WindowBench;
using views::DepthLevel;
using views::TimelineCanvas;

namespace {

/// The timeline of a project that has just run, near enough to see what runs inside its first forward pass.
struct Near {
    explicit Near(const std::filesystem::path& project = {}) {
        bench.window->show();
        if (!bench.window->files().open(project.empty() ? bench.writeProject() : project) ||
            !bench.waitForEstimate() || !bench.run())
            return;
        bench.window->workspaces().show(views::WorkspaceId::Timeline);
        canvas = bench.window->findChild<TimelineCanvas*>();
        const auto hasWindow = [&] { return canvas != nullptr && canvas->scene().window != nullptr; };
        if (!QTest::qWaitFor(hasWindow, 20000))
            return;
        for (const core::LaneWindow& lane : canvas->scene().window->lanes)
            for (const core::SpanRecord& span : lane.spans)
                if (span.kind == core::SpanKind::Forward && !forward)
                    forward = span;
        if (forward)
            canvas->select(views::PlacedSpan{*forward, 0}, true);
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_F); // centres it
        QTest::keyClick(canvas, Qt::Key_F); // and fills the view with it
    }

    [[nodiscard]] bool isDeep() const {
        return canvas != nullptr && forward &&
               QTest::qWaitFor([this] { return canvas->scene().depths != nullptr; }, 20000);
    }
    /// A point of the span on a level, at a share of its width.
    [[nodiscard]] QPoint point(DepthLevel level, double share) const {
        const auto& scene = canvas->scene();
        const auto lane = *scene.computeLane(*scene.frame->ipuOfLane(forward->lane));
        const auto axis = scene.axis();
        const double x = axis.x(forward->start) +
                         share * (axis.x(forward->start + forward->duration) - axis.x(forward->start));
        const auto boxes =
            views::depthBoxes(QRectF(x, lane.top(), 1000, lane.height()), views::themeOf(canvas));
        return boxes ? QPoint(int(x), int(boxes->levels[std::size_t(level)].center().y())) : QPoint();
    }

    WindowBench bench;
    TimelineCanvas* canvas = nullptr;
    std::optional<core::SpanRecord> forward;
};

} // namespace

/// Stage programs open while one zooms in: layers, their operations, and the steps of these.
class ProgramDepthTest : public QObject {
    Q_OBJECT

private slots:
    void zoomingInOpensLayersOperationsAndSteps() {
        const Near near;
        QVERIFY(near.isDeep());
        const auto& depth =
            near.canvas->scene().depths->at({near.forward->stage, core::ProgramPhase::Forward});
        // Steps follow one another and end with the event.
        core::Cycles end;
        for (const views::DepthPiece& piece : depth[std::size_t(DepthLevel::Step)]) {
            QVERIFY(piece.start >= end);
            end = piece.start + piece.duration;
        }
        QCOMPARE(end.value(), near.forward->duration.value());
        QVERIFY(!depth[std::size_t(DepthLevel::Layer)].empty());
        QVERIFY(depth[std::size_t(DepthLevel::Operation)].size() >=
                depth[std::size_t(DepthLevel::Layer)].size());
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (!folder.isEmpty())
            near.bench.window->grab().save(folder + "/depth.png");
    }

    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("IPU_WORKBENCH_PICTURES names no folder");
        const std::filesystem::path project = (folder + "/resnet50.ipuproj").toStdString();
        std::filesystem::copy_file(tests::projectRoot() / "projects" / "resnet50" / "resnet50.ipuproj",
                                   project, std::filesystem::copy_options::overwrite_existing);
        const Near near(project);
        QVERIFY(near.isDeep());
        for (const auto& [name, kind, width, height] :
             {std::tuple("light-1280", views::ThemeKind::Light, 1280, 800),
              std::tuple("dark-2560", views::ThemeKind::Dark, 2560, 1440)}) {
            views::applyTheme(*qApp, views::Theme(kind));
            near.bench.window->resize(width, height);
            QTest::qWait(300);
            near.bench.window->grab().save(QStringLiteral("%1/depth-%2.png").arg(folder, name));
        }
        views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light));
    }

    void thePointerReadsWhatRunsThere() {
        const Near near;
        QVERIFY(near.isDeep());
        const QPoint point = near.point(DepthLevel::Operation, 0.5);
        QVERIFY(!point.isNull());
        QTest::mouseMove(near.canvas, point);
        auto* card = near.canvas->findChild<views::ToolTipCard*>();
        QVERIFY(card != nullptr);
        QTRY_VERIFY(card->isVisible());
        const QString text = card->accessibleDescription();
        for (const char* said : {"Layer", "Operation", "Step"})
            QVERIFY2(text.contains(said), qPrintable(text));
    }

    void aClickOnALayerSelectsIt() {
        const Near near;
        QVERIFY(near.isDeep());
        QTest::mouseClick(near.canvas, Qt::LeftButton, {}, near.point(DepthLevel::Layer, 0.5));
        QTRY_VERIFY(!near.canvas->state().layers.empty());
        const auto& depth =
            near.canvas->scene().depths->at({near.forward->stage, core::ProgramPhase::Forward});
        const std::string chosen = *near.canvas->state().layers.begin();
        const auto& layers = depth[std::size_t(DepthLevel::Layer)];
        QVERIFY(std::any_of(layers.begin(), layers.end(),
                            [&](const views::DepthPiece& piece) { return piece.name == chosen; }));
    }

    void lanesAreHigherOnlyWhileTheyAreOpen() {
        const Near near;
        QVERIFY(near.isDeep());
        QVERIFY(near.canvas->state().isDeep);
        // Beyond the longest program there is nothing to see inside.
        views::TimelineViewport all = near.canvas->state().view;
        all.from = core::Cycles();
        all.to = all.end;
        near.canvas->setView(all);
        const double perPixel = static_cast<double>(all.length().value()) / near.canvas->width();
        QCOMPARE(near.canvas->state().isDeep,
                 static_cast<double>(near.forward->duration.value()) / perPixel > 1e9);
    }
};

REGISTER_WIDGET_TEST("program_depth", ProgramDepthTest)
#include "program_depth_test.moc"
