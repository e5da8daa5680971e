#include "app/services/catalogue/split_view.h"
#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "views/liveness/liveness_chart.h"
#include "views/liveness/liveness_view.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"

#include <QToolButton>

using app::SplitView;
using tests::RanWindow;

namespace {

struct SplitBench {
    explicit SplitBench(const char* example = nullptr)
        : ran(example) {
        if (!ran.isReady)
            return;
        QTest::keyClick(ran.bench.window.get(), Qt::Key_2,
                        Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier);
        split = ran.bench.window->findChild<SplitView*>();
        isReady =
            split != nullptr &&
            QTest::qWaitFor(
                [this] { return canvas().scene().window != nullptr && chart().scene().data != nullptr; },
                20000);
    }
    [[nodiscard]] views::TimelineCanvas& canvas() const { return split->timeline().canvas(); }
    [[nodiscard]] views::LivenessChart& chart() const { return split->memory().chart(); }
    /// The middle of a span of the IPU whose memory is shown.
    [[nodiscard]] std::optional<QPoint> spanOf(core::SpanKind kind) const {
        const views::TimelineScene& scene = canvas().scene();
        for (const core::LaneWindow& lane : scene.window->lanes)
            for (const core::SpanRecord& span : lane.spans) {
                const auto ipu = scene.frame->ipuOfLane(span.lane);
                if (span.kind != kind || !ipu || scene.frame->ipus[*ipu].ipu != chart().scene().data->ipu)
                    continue;
                const QRectF row = *scene.computeLane(*ipu);
                const double x = scene.axis().x(span.start + core::Cycles(span.duration.value() / 2));
                if (row.isValid() && x > row.left() && x < row.right())
                    return QPoint(int(x), int(row.center().y()));
            }
        return std::nullopt;
    }

    RanWindow ran;
    SplitView* split = nullptr;
    bool isReady = false;
};

} // namespace

/// The timeline over the memory.
class SplitWindowTest : public QObject {
    Q_OBJECT

private slots:
    void bothAreSeenAndTheirTablesAreFolded() {
        const SplitBench bench;
        QVERIFY(bench.isReady);
        QVERIFY(bench.canvas().isVisible() && bench.chart().isVisible());
        QVERIFY(bench.canvas().height() >= 200);
        QVERIFY(bench.chart().height() >= 200);
        for (QWidget* view :
             std::initializer_list<QWidget*>{&bench.split->timeline(), &bench.split->memory()}) {
            QToolButton* tables = nullptr;
            for (QToolButton* button : view->findChildren<QToolButton*>())
                if (button->text() == "Tables")
                    tables = button;
            QVERIFY(tables != nullptr);
            QVERIFY(!tables->isChecked());
            const int before =
                view == &bench.split->timeline() ? bench.canvas().height() : bench.chart().height();
            QTest::mouseClick(tables, Qt::LeftButton);
            QTRY_VERIFY((view == &bench.split->timeline() ? bench.canvas().height()
                                                          : bench.chart().height()) < before);
            QTest::mouseClick(tables, Qt::LeftButton);
        }
    }

    void theCursorIsOneInBoth() {
        const SplitBench bench;
        QVERIFY(bench.isReady);
        const auto place = bench.spanOf(core::SpanKind::Forward);
        QVERIFY(place.has_value());
        QTest::mouseMove(&bench.canvas(), *place);
        const auto& selection = bench.ran.bench.window->selection();
        QTRY_VERIFY(selection.cursor() && selection.cursor()->isInProgram());
        // The memory view knows which of its steps that is.
        QVERIFY(bench.chart().scene().stepAt(*selection.cursor()).has_value());
        // And the timeline where the program is that the mouse points at in the memory.
        const QRectF curve = bench.chart().chartLayout().curve();
        QTest::mouseMove(&bench.chart(),
                         QPoint(int(curve.left() + curve.width() / 4), int(curve.center().y())));
        QTRY_VERIFY(selection.cursor() && !selection.cursor()->time);
        QVERIFY(selection.cursor()->isInProgram());
    }

    void theRangeIsOneInBoth() {
        const SplitBench bench;
        QVERIFY(bench.isReady);
        const auto place = bench.spanOf(core::SpanKind::Forward);
        QVERIFY(place.has_value());
        const QPoint from(place->x() - 12, place->y());
        const QPoint to(place->x() + 60, place->y());
        QTest::mousePress(&bench.canvas(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&bench.canvas(), from + QPoint(24, 0));
        QTest::mouseMove(&bench.canvas(), to);
        QTest::mouseRelease(&bench.canvas(), Qt::LeftButton, {}, to);
        QTRY_VERIFY(bench.ran.bench.window->selection().state().time.has_value());
        QTRY_VERIFY(bench.chart().isRestricted());
        bench.ran.bench.window->selection().selectTime(std::nullopt);
        QTRY_VERIFY(!bench.chart().isRestricted());
        QVERIFY(!bench.canvas().state().area);
    }

    void theSelectionIsOneInBoth() {
        const SplitBench bench;
        QVERIFY(bench.isReady);
        const auto& ranges = bench.chart().scene().data->ranges;
        const auto named = std::ranges::find_if(
            ranges, [](const core::LiveRangeRecord& range) { return !range.layer.empty(); });
        QVERIFY(named != ranges.end());
        bench.chart().select(static_cast<std::size_t>(named - ranges.begin()));
        QTRY_VERIFY(bench.canvas().state().layers.contains(named->layer));
        QVERIFY(bench.chart().state().layers.contains(named->layer));
    }

    void picturesToLookAt() {
        if (!qEnvironmentVariableIsSet("IPU_WORKBENCH_PICTURES"))
            QSKIP("IPU_WORKBENCH_PICTURES names no folder");
        for (const auto& [example, name] : {std::pair("encoder/encoder.ipuproj", "small"),
                                            std::pair("resnet50/resnet50.ipuproj", "large")}) {
            const SplitBench bench(example);
            QVERIFY(bench.isReady);
            bench.ran.takePictures(QStringLiteral("split-") + name);
        }
    }
};

REGISTER_WIDGET_TEST("split_window", SplitWindowTest)
#include "split_window_test.moc"
