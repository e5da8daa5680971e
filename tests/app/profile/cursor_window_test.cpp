#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "views/comparison/comparison_canvas.h"
#include "views/comparison/comparison_view.h"
#include "views/flame/flame_canvas.h"
#include "views/flame/flame_view.h"
#include "views/roofline/roofline_canvas.h"
#include "views/roofline/roofline_view.h"
#include "views/timeline/painting/timeline_painter.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"

using tests::RanWindow;

namespace {

template <class View>
View& shownView(const RanWindow& ran, views::WorkspaceId workspace) {
    ran.bench.window->workspaces().show(workspace);
    return ran.bench.window->workspaces().view<View>();
}

/// The middle of a forward program on the first compute lane of the timeline.
QPointF insideForward(const views::TimelineCanvas& canvas) {
    const views::TimelineScene& scene = canvas.scene();
    const std::optional<QRectF> lane = scene.computeLane(0);
    for (const core::LaneWindow& window : scene.window->lanes)
        for (const core::SpanRecord& span : window.spans)
            if (lane && window.lane.ipu == scene.frame->ipus[0].ipu && span.kind == core::SpanKind::Forward)
                return {scene.axis().x(span.start + core::Cycles(span.duration.value() / 2)),
                        lane->center().y()};
    return {};
}

/// Points until what is shown has settled: a mouse that rests while it is replaced is on nothing. QTRY would
/// ask once more after it held, and move the mouse away.
template <class Point>
bool isPointedAt(const Point& point) {
    for (int attempt = 0; attempt < 40; ++attempt)
        if (point())
            return true;
    return false;
}

} // namespace

/// What is pointed at in one view is pointed at in all.
class CursorWindowTest : public QObject {
    Q_OBJECT

private slots:
    void aTimeOfTheTimelineIsSeenInCompareFlameAndRoofline() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        auto& compare = shownView<views::ComparisonView>(ran, views::WorkspaceId::Compare);
        QTRY_VERIFY(compare.scene().data != nullptr);
        auto& timeline = shownView<views::TimelineView>(ran, views::WorkspaceId::Timeline);
        QTRY_VERIFY(timeline.canvas().scene().window != nullptr);
        QTRY_VERIFY(!insideForward(timeline.canvas()).isNull());
        views::Selection& selection = ran.bench.window->selection();
        const auto point = [&] {
            QTest::mouseMove(&timeline.canvas(), QPoint(2, timeline.canvas().height() - 2));
            QTest::mouseMove(&timeline.canvas(), insideForward(timeline.canvas()).toPoint());
            QTest::qWait(100);
            return selection.cursor() && selection.cursor()->isInProgram();
        };
        QVERIFY(isPointedAt(point));
        QVERIFY(compare.scene().cursor == selection.cursor());

        // It stays while another view is looked at, as in two windows beside one another.
        const views::TimeCursor held = *selection.cursor();
        auto& flame = shownView<views::FlameView>(ran, views::WorkspaceId::Flame);
        QTRY_VERIFY(flame.canvas().scene().data != nullptr);
        selection.setCursor(std::nullopt);
        selection.setCursor(held);
        QTRY_VERIFY(flame.canvas().scene().pointed.size() > 2);
        bool hasOperation = false;
        for (const views::FlamePath& path : flame.canvas().scene().pointed) {
            const core::TimeNode& node = *views::nodeAt(flame.canvas().scene().data->root, path);
            QVERIFY(!node.stage.isValid() || node.stage == held.stage);
            QVERIFY(!node.phase || node.phase == held.phase);
            hasOperation = hasOperation || !node.operation.empty();
        }
        QVERIFY(hasOperation);

        auto& roofline = shownView<views::RooflineView>(ran, views::WorkspaceId::Roofline);
        QTRY_VERIFY(roofline.canvas().scene().data != nullptr);
        selection.setCursor(std::nullopt);
        selection.setCursor(held);
        QTRY_COMPARE(roofline.canvas().scene().pointed.size(), std::size_t(1));
        const auto& points = roofline.canvas().scene().points();
        QVERIFY(points[*roofline.canvas().scene().pointed.begin()].stage == held.stage);
        selection.setCursor(std::nullopt);
        QVERIFY(roofline.canvas().scene().pointed.empty());
    }

    void aTimeOfCompareIsThatOfTheSelectedRun() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        auto& compare = shownView<views::ComparisonView>(ran, views::WorkspaceId::Compare);
        QTRY_VERIFY(compare.scene().data != nullptr);
        auto* canvas = compare.findChild<views::ComparisonCanvas*>();
        QVERIFY(canvas != nullptr);
        QTRY_VERIFY(canvas->isVisible());
        const views::ComparisonLayout layout =
            views::layOut(*compare.scene().data, canvas->width(), canvas->height(), 1);
        QTest::mouseMove(canvas, layout.lanes(0).center().toPoint());
        views::Selection& selection = ran.bench.window->selection();
        QTRY_VERIFY(selection.cursor().has_value());
        QVERIFY(selection.cursor()->time.has_value());
        const std::vector<QLineF> lines = views::cursorLines(compare.scene(), layout);
        QCOMPARE(lines.size(), std::size_t(1));
        QVERIFY(std::abs(lines.front().x1() - layout.lanes(0).center().x()) < 3);
        // And the timeline draws it at the same time.
        auto& timeline = shownView<views::TimelineView>(ran, views::WorkspaceId::Timeline);
        QTRY_VERIFY(timeline.canvas().scene().window != nullptr);
        views::TimeCursor first;
        first.time = core::Cycles(1);
        QVERIFY(!views::cursorLines(timeline.canvas().scene(), first).empty());
    }

    void aBoxOfTheFlameGraphIsPointedAtWhereItRuns() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        auto& flame = shownView<views::FlameView>(ran, views::WorkspaceId::Flame);
        QTRY_VERIFY(flame.canvas().scene().data != nullptr);
        QTRY_VERIFY(flame.canvas().isVisible());
        views::Selection& selection = ran.bench.window->selection();
        views::TimeCursor wanted;
        // What is shown may still be replaced, and a mouse that rests then is on nothing.
        const auto point = [&] {
            const auto boxes = flame.canvas().boxes();
            const auto box = std::ranges::find_if(boxes, [](const views::FlameBox& one) {
                return one.node != nullptr && !one.node->operation.empty() && one.node->phase;
            });
            if (box == boxes.end())
                return false;
            wanted.stage = box->node->stage;
            wanted.phase = *box->node->phase;
            const QPoint center = box->rect.center().toPoint();
            QTest::mouseMove(&flame.canvas(), QPoint(2, flame.canvas().height() - 2));
            QTest::mouseMove(&flame.canvas(), center);
            QTest::qWait(100);
            return selection.cursor().has_value();
        };
        QVERIFY(isPointedAt(point));
        QVERIFY(!selection.cursor()->time.has_value());
        QVERIFY(selection.cursor()->stage == wanted.stage);
        QVERIFY(selection.cursor()->phase == wanted.phase);
        QTest::mouseMove(&flame.canvas(), QPoint(2, flame.canvas().height() - 2));
    }
};

REGISTER_WIDGET_TEST("cursor_window", CursorWindowTest)
#include "cursor_window_test.moc"
