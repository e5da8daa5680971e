#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "views/common/widgets/segmented_control.h"
#include "views/comparison/comparison_canvas.h"
#include "views/comparison/comparison_view.h"

using tests::RanWindow;

/// Two runs of one project in Compare.
class DifferencesWindowTest : public QObject {
    Q_OBJECT

    /// Run 2 is of the schedule, and the baseline is run 1.
    static views::ComparisonView& compared(const RanWindow& ran, const char* schedule) {
        app::MainWindow& window = *ran.bench.window;
        const auto isChanged = window.document().apply("Schedule", [&](core::Project project) {
            project.pipeline.schedule = schedule;
            return core::Result<core::Project>(std::move(project));
        });
        if (!isChanged || !ran.bench.waitForEstimate())
            qFatal("no other schedule");
        QTest::keyClick(&window, Qt::Key_F5);
        if (!QTest::qWaitFor([&] { return !window.runs().isRunning(); }, 60000))
            qFatal("no second run");
        window.workspaces().show(views::WorkspaceId::Compare);
        auto& view = window.workspaces().view<views::ComparisonView>();
        view.compare({core::RunId(1), core::RunId(2)}, core::RunId(1));
        if (!QTest::qWaitFor([&] { return view.runs().size() == 2; }, 10000))
            qFatal("no comparison");
        return view;
    }

private slots:
    /// The last stage of a sequential pipeline goes forward and back in one program.
    void aStageThatGoesForwardAndBackInOneProgramIsFound() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        auto& view = compared(ran, "Sequential");
        const views::ComparisonScene& scene = view.scene();
        const auto spanAtAnchor = [&](std::size_t run) {
            const auto anchor = scene.anchor(run);
            for (const core::LaneWindow& lane : scene.data->timelines[run].window.lanes)
                for (const core::SpanRecord& span : lane.spans)
                    if (anchor && core::programPhaseOf(span.kind) && span.start <= *anchor &&
                        *anchor < span.start + span.duration)
                        return std::optional(span);
            return std::optional<core::SpanRecord>();
        };
        ran.bench.window->selection().selectStage(core::StageId(1));
        auto* align = view.findChild<views::SegmentedControl*>();
        QTest::mouseClick(align->button(2), Qt::LeftButton);
        QCOMPARE(scene.alignmentText(), QString("stage 1"));
        QVERIFY(spanAtAnchor(0) && spanAtAnchor(0)->kind == core::SpanKind::Forward);
        QVERIFY(spanAtAnchor(1) && spanAtAnchor(1)->kind == core::SpanKind::Backward);
        QCOMPARE(spanAtAnchor(1)->stage, core::StageId(1));
        QCOMPARE(spanAtAnchor(1)->start, *scene.anchor(1));
        // So are its layers, which go forward first.
        const auto& layers = scene.data->comparison.layers;
        for (const core::ComparedLayer& layer : layers) {
            if (layer.stages[1] != std::vector{core::StageId(1)} ||
                !scene.data->anchors[0].layers.contains(layer.layer))
                continue;
            ran.bench.window->selection().selectLayer(layer.layer);
            QTest::mouseClick(align->button(3), Qt::LeftButton);
            QVERIFY2(scene.anchor(1) && spanAtAnchor(1), layer.layer.c_str());
            QCOMPARE(spanAtAnchor(1)->stage, core::StageId(1));
        }
        ran.takePictures("compare-sequential");
    }

    void equalRunsDifferInNoSlot() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        auto& view = compared(ran, "Grouped");
        const auto* canvas = view.findChild<views::ComparisonCanvas*>();
        QVERIFY(view.scene().data->pieces.cut == core::StepCut::Slots);
        QCOMPARE(canvas->accessibleDescription(),
                 QStringLiteral("Δ B \u2212 A: every part of the step takes as long"));
    }
};

REGISTER_WIDGET_TEST("differences_window", DifferencesWindowTest)
#include "differences_window_test.moc"
