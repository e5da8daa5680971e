#include "tests/support/recorded_intents.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/table_style.h"
#include "views/liveness/liveness_chart.h"
#include "views/liveness/liveness_view.h"
#include "views/program/program_tree_model.h"
#include "views/program/program_view.h"
#include "views/timeline/painting/timeline_painter.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QMouseEvent>
#include <QToolButton>
#include <QTreeView>
#include <QtTest/QTest>
#include <memory>

using namespace views;

/// One place in time, in the views that have an axis of it.
class CursorPainterTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;
    Document m_document;
    Selection m_selection;
    ProfileSource m_source;
    tests::RecordedIntents m_intents;
    std::unique_ptr<TimelineView> m_timeline;
    std::unique_ptr<LivenessView> m_memory;
    std::unique_ptr<ProgramView> m_program;

    template <class View>
    std::unique_ptr<View> shown() {
        auto view = std::make_unique<View>(m_document, m_selection, m_source, m_intents);
        view->resize(1400, 800);
        view->show();
        return view;
    }
    [[nodiscard]] const TimelineScene& scene() const { return m_timeline->canvas().scene(); }

    /// A span of the compute lane of IPU 0.
    [[nodiscard]] core::SpanRecord spanOf(core::SpanKind kind, std::int64_t microBatch) const {
        for (const core::LaneWindow& lane : scene().window->lanes)
            for (const core::SpanRecord& span : lane.spans)
                if (lane.lane.kind == core::LaneKind::Compute && lane.lane.ipu == core::IpuId(0) &&
                    span.kind == kind && span.microBatch == microBatch)
                    return span;
        return {};
    }
    [[nodiscard]] QPoint placeIn(const core::SpanRecord& span, double share) const {
        const double x =
            scene().axis().x(span.start + core::Cycles(std::int64_t(share * double(span.duration.value()))));
        return QPointF(x, scene().computeLane(0)->center().y()).toPoint();
    }
    [[nodiscard]] const ProgramTreeModel& tree() const {
        return *static_cast<const ProgramTreeModel*>(m_program->tree().model());
    }
    /// Straight to the widget: the windows of the test lie on one another.
    static void hover(QWidget& widget, const QPoint& at) {
        QMouseEvent move(QEvent::MouseMove, QPointF(at), widget.mapToGlobal(QPointF(at)), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&widget, &move);
    }
    [[nodiscard]] QImage pictureOf(QWidget& widget) const { return widget.grab().toImage(); }

private slots:
    void initTestCase() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        m_runs.add();
        m_source.setPath(m_runs.path());
    }
    void init() {
        m_selection.set({});
        m_selection.setCursor(std::nullopt);
        m_timeline = shown<TimelineView>();
        QTRY_VERIFY(scene().window != nullptr);
        m_memory = shown<LivenessView>();
        m_program = shown<ProgramView>();
        m_selection.selectIpu(core::IpuId(0));
        QTRY_VERIFY(m_program->program() != nullptr);
        QTRY_VERIFY(m_memory->chart().scene().data != nullptr &&
                    m_memory->chart().scene().data->ipu == core::IpuId(0));
    }
    void cleanup() {
        m_timeline.reset();
        m_memory.reset();
        m_program.reset();
    }

    void thePlaceInTheTimelineIsShownInMemoryAndInTheProgram() {
        const core::SpanRecord span = spanOf(core::SpanKind::Forward, 3);
        QVERIFY(span.duration > core::Cycles());
        const QImage before = pictureOf(m_memory->chart());
        hover(m_timeline->canvas(), placeIn(span, 0.5));
        const std::optional<TimeCursor> cursor = m_selection.cursor();
        QVERIFY(cursor && cursor->isInProgram());
        QCOMPARE(cursor->ipu, core::IpuId(0));
        QCOMPARE(cursor->stage, span.stage);
        QVERIFY(cursor->phase == core::Phase::Forward);
        QVERIFY(cursor->time == span.start + cursor->inside - span.offset);
        // Half of the program has run, give or take a pixel.
        QVERIFY(std::abs(double(cursor->inside.value()) / double(span.duration.value()) - 0.5) < 0.1);
        const LivenessScene& memory = m_memory->chart().scene();
        const core::LivenessPoint* point = memory.data->pointAt(*memory.stepAt(*cursor));
        QCOMPARE(point->stage, span.stage);
        QVERIFY(point->phase == core::Phase::Forward);
        QVERIFY(pictureOf(m_memory->chart()) != before);
        const QModelIndex step = tree().indexOf(*cursor);
        QVERIFY(tree().step(step)->start <= cursor->inside);
        QVERIFY(tree().step(step)->start + tree().step(step)->duration >= cursor->inside);
        // Nothing of the operation is above the place where memory says it is.
        QCOMPARE(tree().step(step)->operation, point->operation);

        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&m_timeline->canvas(), &leave);
        QVERIFY(!m_selection.cursor());
        QVERIFY(pictureOf(m_memory->chart()) == before);
    }

    void thePlaceInMemoryIsShownWhereverTheProgramIsThatFar() {
        const LivenessScene& memory = m_memory->chart().scene();
        const LivenessLayout layout = m_memory->chart().chartLayout();
        const std::int64_t step = memory.data->peakStep();
        const double x = layout.x(memory, memory.position(step) + 0.5);
        const QImage before = pictureOf(m_timeline->canvas());
        hover(m_memory->chart(), QPointF(x, layout.curve().center().y()).toPoint());
        const std::optional<TimeCursor> cursor = m_selection.cursor();
        QVERIFY(cursor && cursor->isInProgram() && !cursor->time);
        std::ptrdiff_t runs = 0;
        for (const core::LaneWindow& lane : scene().window->lanes)
            runs += std::ranges::count_if(lane.spans, [&](const core::SpanRecord& span) {
                return span.stage == cursor->stage && core::programPhaseOf(span.kind) == cursor->phase;
            });
        QVERIFY(runs > 0);
        QCOMPARE(std::ssize(cursorLines(scene(), *cursor)), runs);
        QVERIFY(pictureOf(m_timeline->canvas()) != before);
    }

    void aStepOfTheTreeIsShownInTheOthersAndStandsOut() {
        QTreeView& view = m_program->tree();
        view.expandAll();
        const TimeCursor place{.time = std::nullopt,
                               .ipu = {},
                               .stage = core::StageId(0),
                               .phase = core::Phase::Backward,
                               .inside = core::Cycles(0),
                               .isHeld = false};
        const QModelIndex index = tree().indexOf(place);
        view.scrollTo(index);
        hover(*view.viewport(), view.visualRect(index).center());
        QTRY_VERIFY(m_selection.cursor().has_value());
        QVERIFY(m_selection.cursor()->phase == core::Phase::Backward);
        QCOMPARE(tree().indexOf(*m_selection.cursor()).data(TextColorRole).toInt(), int(Role::AccentText));
        QVERIFY(!cursorLines(scene(), *m_selection.cursor()).empty());
        QVERIFY(m_memory->chart().scene().position(*m_selection.cursor()).has_value());
    }

    void memoryIsOpenedAtTheTimeOfTheSpan() {
        const core::SpanRecord span = spanOf(core::SpanKind::Backward, 2);
        QTest::mouseClick(&m_timeline->canvas(), Qt::LeftButton, {}, placeIn(span, 0.5));
        for (auto* button : m_timeline->findChildren<QToolButton*>())
            if (button->text() == "Memory at this time")
                button->click();
        QVERIFY(m_intents.workspace == WorkspaceId::Memory);
        const LivenessScene& memory = m_memory->chart().scene();
        QTRY_COMPARE(memory.state.columns.size(), std::size_t{1});
        const core::LivenessPoint* point = memory.data->pointAt(memory.state.columns.front());
        QVERIFY(point->phase == core::Phase::Backward);
        QCOMPARE(point->stage, span.stage);
    }
};

REGISTER_WIDGET_TEST("cursor_painter", CursorPainterTest)
#include "cursor_painter_test.moc"
