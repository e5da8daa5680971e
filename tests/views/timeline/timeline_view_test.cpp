#include "views/timeline/timeline_view.h"

#include "core/profile/analysis/run_verdict.h"
#include "core/profile/exports/trace_comparison.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/writer/profile_writer.h"
#include "tests/support/pictures.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/profile/reference_lanes.h"
#include "views/profile/tables/filter_chips.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/verdict_strip.h"
#include "views/timeline/details_panel.h"
#include "views/timeline/lane_finder.h"
#include "views/timeline/painting/counter_texts.h"
#include "views/timeline/painting/timeline_painter.h"
#include "views/timeline/timeline_tables.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest/QTest>

using namespace views;

class TimelineViewTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;
    Document m_document;
    Selection m_selection;
    ProfileSource m_source;
    tests::RecordedIntents m_intents;
    std::unique_ptr<TimelineView> m_view;

    void show(int width = 1600, int height = 900) {
        m_view = std::make_unique<TimelineView>(m_document, m_selection, m_source, m_intents);
        m_view->resize(width, height);
        m_view->show();
        QTRY_VERIFY(m_view->canvas().scene().window != nullptr);
        QTRY_VERIFY(m_view->canvas().scene().overview != nullptr);
    }
    [[nodiscard]] TablePanel* panel(const char* name) const {
        for (TablePanel* table : m_view->findChildren<TablePanel*>()) {
            if (table->table().accessibleName() == name)
                return table;
        }
        return nullptr;
    }
    TimelineCanvas& canvas() { return m_view->canvas(); }
    void key(Qt::Key k, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(&canvas(), k, modifiers);
    }
    /// Middle of a span of an IPU's compute lane.
    QPoint middleOf(std::size_t ipu, core::SpanKind kind, std::int64_t microBatch) {
        const TimelineScene& scene = canvas().scene();
        for (const core::LaneWindow& lane : scene.window->lanes) {
            if (lane.lane.kind != core::LaneKind::Compute || lane.lane.ipu != scene.frame->ipus[ipu].ipu)
                continue;
            for (const core::SpanRecord& span : lane.spans) {
                if (span.kind == kind && span.microBatch == microBatch)
                    return placeOf(scene, span).toPoint();
            }
        }
        return {};
    }
    static QPointF placeOf(const TimelineScene& scene, const core::SpanRecord& span) {
        const auto lane = scene.computeLane(*scene.frame->ipuOfLane(span.lane));
        const TimeToPixel axis = scene.axis();
        return {(axis.x(span.start) + axis.x(span.start + span.duration)) / 2, lane->center().y()};
    }

    /// What the menu of the button above the lanes has.
    void chooseLanes(const QString& entry) {
        for (const QToolButton* button : m_view->findChildren<QToolButton*>()) {
            if (button->accessibleName() != "Lanes and counters")
                continue;
            for (QAction* action : button->menu()->actions())
                if (action->text() == entry)
                    return action->trigger();
        }
        QFAIL(qPrintable("no entry " + entry));
    }
    /// The forward work of a micro-batch on IPU 0.
    std::optional<core::SpanRecord> findForward(std::int64_t microBatch) {
        for (const core::LaneWindow& lane : canvas().scene().window->lanes)
            for (const core::SpanRecord& span : lane.spans)
                if (lane.lane.ipu == core::IpuId(0) && span.kind == core::SpanKind::Forward &&
                    span.microBatch == microBatch)
                    return span;
        return std::nullopt;
    }

private slots:
    void initTestCase() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        m_runs.add();
        m_source.setPath(m_runs.path());
    }
    /// The first, while the whole step is in view.
    void aTraceOfAnotherProgramIsBelowTheLanesOnTheirAxis() {
        auto* lanes = m_view->findChild<ReferenceLanes*>();
        QVERIFY(lanes != nullptr && !lanes->isVisible());
        for (QToolButton* button : m_view->findChildren<QToolButton*>())
            if (button->accessibleName() == "Reference")
                button->click();
        QCOMPARE(m_intents.calls.back(), QString("openReference"));
        // The run itself as another program would have recorded it.
        const auto database = core::ProfileDatabase::open(m_runs.path());
        const auto content = core::loadTrace(*database, core::RunId(1));
        m_source.setReference(std::make_shared<const ReferenceTrace>(
            makeReferenceTrace("hardware.json", core::eventsOf(*content))));
        QTRY_VERIFY(lanes->isVisible());
        const std::vector<core::EventLane>& recorded = m_source.reference()->trace.lanes;
        const auto compute =
            std::ranges::find(recorded, std::string("IPU 0/compute"), &core::EventLane::name);
        QVERIFY(compute != recorded.end());
        const auto lane = static_cast<std::size_t>(compute - recorded.begin());
        const auto isBelow = [&] {
            const TimeToPixel axis = canvas().scene().axis();
            for (const core::LaneWindow& window : canvas().scene().window->lanes)
                if (window.lane.kind == core::LaneKind::Compute && window.lane.ipu == core::IpuId(0))
                    for (std::size_t i = 0; i < window.spans.size(); ++i) {
                        const auto place = lanes->placeOf(lane, i);
                        if (!place || std::abs(place->left() - axis.x(window.spans[i].start)) > 1)
                            return false;
                    }
            return true;
        };
        QTRY_VERIFY(isBelow());
        const QRectF place = *lanes->placeOf(lane, 0);
        const ToolTipContent card = lanes->toolTipAt(QPointF(place.center().x(), place.center().y()));
        QCOMPARE(card.title, QString::fromStdString(compute->slices.front().name));
        QVERIFY(card.footer.contains("hardware.json"));
        key(Qt::Key_W);
        m_view->resize(1400, 900);
        QTRY_VERIFY(isBelow());
        // A drag moves the trace in time, Home puts it back, Delete takes it away.
        const double before = lanes->placeOf(lane, 0)->left();
        const QPoint at(canvas().width() / 2, lanes->height() - 4);
        QTest::mousePress(lanes, Qt::LeftButton, {}, at);
        QTest::mouseMove(lanes, at + QPoint(25, 0));
        QTest::mouseRelease(lanes, Qt::LeftButton, {}, at + QPoint(25, 0));
        QVERIFY(std::abs(lanes->placeOf(lane, 0)->left() - before - 25) < 0.5);
        QVERIFY2(lanes->accessibleDescription().contains("later"),
                 qPrintable(lanes->accessibleDescription()));
        QTest::keyClick(lanes, Qt::Key_Home);
        QVERIFY(std::abs(lanes->placeOf(lane, 0)->left() - before) < 0.5);
        QTest::keyClick(lanes, Qt::Key_Delete);
        QVERIFY(!lanes->isVisible() && m_source.reference() == nullptr);
    }

    void init() {
        m_selection.set({});
        show();
    }
    void cleanup() { m_view.reset(); }

    void showsTheNewestRunByItself() {
        QVERIFY(m_selection.state().run == core::RunId(1));
        QCOMPARE(canvas().scene().frame->ipus.size(), std::size_t{4});
    }

    void aClickSelectsTheSpanAndFollowsItsMicroBatch() {
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, middleOf(1, core::SpanKind::Backward, 3));
        QVERIFY(canvas().state().selected.has_value());
        QVERIFY(canvas().state().selected->span.kind == core::SpanKind::Backward);
        QCOMPARE(canvas().state().microBatch.value(), 3);
        QCOMPARE(m_selection.state().microBatch.value(), 3);
        QVERIFY(m_selection.state().stage == core::StageId(1));
        QVERIFY(canvas().accessibleDescription().contains("Backward, micro-batch 3, stage 1, IPU 1"));
        QTRY_VERIFY(canvas().scene().flows && canvas().scene().flows->size() == 1);
        key(Qt::Key_BracketRight);
        QVERIFY(canvas().state().selected->span.microBatch == 3);
        QVERIFY(canvas().state().selected->span.stage == core::StageId(0));
        // The other branch: what the same stage stashed for this.
        QTest::keyClick(&canvas(), Qt::Key_BracketLeft, Qt::ControlModifier);
        QVERIFY(canvas().state().selected->span.stage == core::StageId(0));
        QCOMPARE(int(canvas().state().selected->span.kind), int(core::SpanKind::Forward));
        QTest::keyClick(&canvas(), Qt::Key_BracketRight, Qt::ControlModifier);
        QVERIFY(canvas().state().selected->span.stage == core::StageId(0));
        QVERIFY(canvas().state().selected->span.kind != core::SpanKind::Forward);
        key(Qt::Key_Escape);
        QVERIFY(!canvas().state().microBatch);
        QVERIFY(!m_selection.state().microBatch);
    }

    void countersOfEveryIpuAreChosenInTheMenuOfLanes() {
        const auto rows = [&](core::Counter counter) {
            return std::ranges::count_if(canvas().scene().layout.rows, [&](const TimelineRow& row) {
                return row.kind == RowKind::Counter && row.counter == counter;
            });
        };
        QCOMPARE(rows(core::Counter::LinkBytes), 0);
        chooseLanes("Link traffic");
        chooseLanes("Tiles computing");
        QCOMPARE(rows(core::Counter::LinkBytes), 4);
        const auto curve = [&] {
            const auto& counters = canvas().scene().counters;
            return counters ? counters->curveOf(core::IpuId(0), core::Counter::BusyTiles) : nullptr;
        };
        QTRY_VERIFY(curve() != nullptr);
        QVERIFY(curve()->highest() > 0);
        const TimelineScene& scene = canvas().scene();
        // Where the mouse is, the tool tip says the mean.
        const auto row = std::ranges::find_if(scene.layout.rows, [](const TimelineRow& one) {
            return one.counter == core::Counter::BusyTiles && one.ipu == 0;
        });
        const QPoint place(middleOf(0, core::SpanKind::Forward, 3).x(),
                           int(scene.rowTop(*row) + row->height / 2));
        const core::SpanRecord forward = *findForward(3);
        const double mean = counterAt(*scene.counters, core::IpuId(0), core::Counter::BusyTiles,
                                      forward.start + core::Cycles(forward.duration.value() / 2));
        QVERIFY(mean > 0);
        QTest::mouseMove(&canvas(), place);
        QTRY_VERIFY(canvas().findChild<ToolTipCard*>()->isVisible());
        // Near or far, the full height of a row stands for the same, and no mean is higher.
        const auto highest = [&] {
            double most = 0;
            for (const core::CounterCurve& one : canvas().scene().counters->curves)
                if (one.counter == core::Counter::LinkBytes)
                    most = std::max(most, one.highest());
            return most;
        };
        QTRY_VERIFY(scene.counterTops);
        const double top = counterTop(*scene.frame, *scene.counterTops, core::Counter::LinkBytes);
        const double far = highest();
        QVERIFY(far > 0 && far <= top * 1.000001);
        for (int i = 0; i < 12; ++i)
            key(Qt::Key_W);
        QTRY_VERIFY(scene.counters->to - scene.counters->from < scene.frame->step);
        QVERIFY(highest() <= top * 1.000001);
        QCOMPARE(counterTop(*scene.frame, *scene.counterTops, core::Counter::LinkBytes), top);
        chooseLanes("Link traffic");
        QCOMPARE(rows(core::Counter::LinkBytes), 0);
    }

    void picturesOfCounters() {
        if (!tests::wantsPictures())
            QSKIP("IPU_WORKBENCH_PICTURES names no folder");
        chooseLanes("Link traffic");
        chooseLanes("Tiles computing");
        chooseLanes("A row for each stage");
        tests::takePictures(*m_view, "timeline-counters");
    }

    void everyStageHasARowAndItsSpansAreHitThere() {
        chooseLanes("A row for each stage");
        std::vector<core::StageId> stages;
        for (const TimelineRow& row : canvas().scene().layout.rows)
            if (row.kind == RowKind::Ipu)
                stages.push_back(*row.stage);
        QCOMPARE(stages, (std::vector<core::StageId>{core::StageId(0), core::StageId(1), core::StageId(2),
                                                     core::StageId(3)}));
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, middleOf(2, core::SpanKind::Backward, 3));
        QVERIFY(m_selection.state().stage == core::StageId(2));
        chooseLanes("A row for each IPU");
        QVERIFY(!canvas().scene().layout.rows.back().stage);
    }

    void neighboursAreReachedByKey() {
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, middleOf(0, core::SpanKind::Forward, 0));
        const core::Cycles before = canvas().state().selected->span.start;
        key(Qt::Key_Period);
        QTRY_VERIFY(canvas().state().selected->span.start > before);
        // The next work is on another micro-batch, which is followed then.
        while (canvas().state().selected->span.microBatch <= 0) {
            const core::Cycles from = canvas().state().selected->span.start;
            key(Qt::Key_Period);
            QTRY_VERIFY(canvas().state().selected->span.start > from);
        }
        QCOMPARE(canvas().state().microBatch, std::optional(canvas().state().selected->span.microBatch));
        while (canvas().state().selected->span.start > before) {
            const core::Cycles from = canvas().state().selected->span.start;
            key(Qt::Key_Comma);
            QTRY_VERIFY(canvas().state().selected->span.start < from);
        }
        key(Qt::Key_Comma);
        QTest::qWait(50);
        QVERIFY(canvas().state().selected->span.start == before);
    }

    void theCriticalPathOfAnAreaIsItsPartOfTheWhole() {
        key(Qt::Key_K);
        TablePanel* table = panel("What the critical path is made of");
        QTRY_VERIFY(toPlainText(table->content()).contains("Step, by kind"));
        const auto database = core::ProfileDatabase::open(m_runs.path());
        const core::CriticalPath path = *core::loadCriticalPath(*database, core::RunId(1));
        const QPoint from = middleOf(0, core::SpanKind::Backward, 1);
        const QPoint to = middleOf(2, core::SpanKind::Backward, 5);
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&canvas(), from + QPoint(30, 10));
        QTest::mouseMove(&canvas(), to);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, to);
        const auto area = canvas().state().area;
        QVERIFY(area.has_value());
        QTRY_VERIFY(toPlainText(table->content()).contains("Area, by kind"));
        // The chain has no gap, so its part is as long as the area; both parts of a step are the step.
        QCOMPARE(table->content().footer[3].sort.toLongLong(), (area->to - area->from).value());
        const auto sumOf = [&](const std::vector<core::CriticalShare>& shares) {
            core::Cycles sum;
            for (const core::CriticalShare& share : shares)
                sum += share.cycles;
            return sum;
        };
        const core::Cycles step = path.step;
        const core::CriticalPath before = core::partOf(path, core::updatePieces({}, area->from, step));
        const core::CriticalPath after = core::partOf(path, core::updatePieces(area->from, step, step));
        QCOMPARE(sumOf(before.byKind) + sumOf(after.byKind), step);
        for (const core::CriticalPath* part : {&before, &after})
            QVERIFY(sumOf(part->byStage) == sumOf(part->byKind) &&
                    sumOf(part->byLayer) == sumOf(part->byKind));
        // Two and a half steps hold each link two or three times.
        const core::CriticalPath several =
            core::partOf(path, core::updatePieces({}, core::Cycles(5 * (step.value() / 2)), step));
        QCOMPARE(sumOf(several.byKind), core::Cycles(5 * (step.value() / 2)));
        key(Qt::Key_Escape);
        QTRY_VERIFY(toPlainText(table->content()).contains("Step, by kind"));
        key(Qt::Key_K);
    }

    void draggingInTheLanesMakesAnAreaThatSums() {
        const QPoint from = middleOf(0, core::SpanKind::Backward, 1);
        const QPoint to = middleOf(2, core::SpanKind::Backward, 5);
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&canvas(), from + QPoint(30, 10));
        QTest::mouseMove(&canvas(), to);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, to);
        const auto area = canvas().state().area;
        QVERIFY(area.has_value());
        QCOMPARE(area->ipus, (std::set<std::size_t>{0, 1, 2}));
        QVERIFY(m_selection.state().time == (TimeRange{area->from, area->to}));
        TablePanel* table = panel("Time of each lane in the area");
        const auto reading = [this] {
            QStringList texts;
            for (const QLabel* label : m_view->findChildren<QLabel*>())
                texts << label->text();
            return texts.join(u'\n');
        };
        QTRY_VERIFY(reading().contains("busy + idle = 3 × "));
        QVERIFY(toPlainText(table->content()).contains("Sum | "));
        // Only the gaps that the area holds are left, and the tab counts them.
        TablePanel* gaps = panel("Idle gaps");
        const auto all = core::idleGaps(*core::ProfileDatabase::open(m_runs.path()), core::RunId(1));
        const auto isHeld = [&](const core::SpanRecord& gap) {
            return gap.start < area->to && gap.start + gap.duration > area->from &&
                   area->ipus.contains(*canvas().scene().frame->ipuOfLane(gap.lane));
        };
        const auto held = std::ranges::count_if(all->longest, isHeld);
        QVERIFY(held > 0 && held < all->count);
        QTRY_COMPARE(std::ssize(gaps->content().rows), held);
        // The edge can be dragged; the other stays.
        const TimeToPixel axis = canvas().scene().axis();
        const QPoint edge(static_cast<int>(axis.x(area->to)), from.y());
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, edge);
        QTest::mouseMove(&canvas(), edge + QPoint(40, 0));
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, edge + QPoint(40, 0));
        QVERIFY(canvas().state().area->from == area->from && canvas().state().area->to > area->to);
        key(Qt::Key_Escape);
        QVERIFY(!canvas().state().area && !m_selection.state().time);
    }

    /// A window has not the memory for every event of the longest runs.
    void thePathOfAVeryLongRunIsRefusedInWords() {
        QTemporaryDir folder;
        const std::filesystem::path path = (folder.path() + "/long.sqlite").toStdString();
        auto database = core::ProfileDatabase::open(path);
        core::ProfileWriter writer(*database);
        core::RunSummary summary;
        summary.provenance.projectName = "long";
        summary.provenance.clockHz = 1e9;
        summary.provenance.ipus = 1;
        summary.step = core::Cycles(10 * (core::mostOutlineSpans + 1));
        writer.begin(summary.provenance);
        writer.lanes(std::vector{core::LaneRecord{core::LaneId(0), core::LaneKind::Compute, core::IpuId(0)}});
        std::vector<core::SpanRecord> some;
        for (std::int64_t i = 0; i <= core::mostOutlineSpans; ++i) {
            core::SpanRecord span;
            span.lane = core::LaneId(0);
            span.stage = core::StageId(0);
            span.start = core::Cycles(10 * i);
            span.duration = core::Cycles(10);
            span.microBatch = span.slot = i;
            some.push_back(span);
            if (some.size() == 4096 || i == core::mostOutlineSpans) {
                writer.spans(some);
                some.clear();
            }
        }
        writer.finish(summary);
        QVERIFY(writer.outcome().has_value());
        ProfileSource source;
        source.setPath(path);
        Selection selection;
        selection.selectRun(core::RunId(1));
        TimelineView view(m_document, selection, source, m_intents);
        view.resize(1280, 800);
        view.show();
        QTRY_VERIFY(view.canvas().scene().window != nullptr);
        view.canvas().setFocus();
        QTest::keyClick(&view.canvas(), Qt::Key_K);
        const auto says = [&](const QString& words) {
            for (const QLabel* label : view.findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(words))
                    return true;
            return false;
        };
        QTRY_VERIFY(says("The critical path is not known"));
        QVERIFY(says("3000001 spans"));
    }

    void keysZoomAndPanAndFit() {
        const TimelineViewport first = canvas().state().view;
        key(Qt::Key_W);
        QVERIFY(canvas().state().view.length() < first.length());
        const core::Cycles from = canvas().state().view.from;
        key(Qt::Key_D);
        QVERIFY(canvas().state().view.from > from);
        key(Qt::Key_A);
        QVERIFY(canvas().state().view.from == from);
        key(Qt::Key_Home);
        QVERIFY(canvas().state().view.length() == canvas().state().view.end);
        QVERIFY(canvas().state().view.end == 4 * canvas().scene().frame->step);
        canvas().setView(first);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, middleOf(0, core::SpanKind::Backward, 4));
        key(Qt::Key_W);
        key(Qt::Key_F);
        const TimelineViewport centre = canvas().state().view;
        key(Qt::Key_F);
        QVERIFY(canvas().state().view.length() < centre.length());
    }

    void theWheelScrollsLanesAndOnlyControlZooms() {
        m_view->resize(1200, 560);
        auto* scroll = canvas().findChild<QScrollBar*>();
        QTRY_VERIFY(scroll->maximum() > 0);
        const TimelineViewport before = canvas().state().view;
        const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
            QWheelEvent event(QPointF(600, 300), canvas().mapToGlobal(QPointF(600, 300)), {}, {0, -120},
                              Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&canvas(), &event);
        };
        wheel({});
        QVERIFY(scroll->value() > 0);
        QVERIFY(canvas().state().view == before);
        const core::Cycles under = canvas().scene().axis().time(600);
        canvas().setView(zoomed(before, 4, under));
        const TimelineViewport near = canvas().state().view;
        wheel(Qt::ControlModifier);
        QVERIFY(canvas().state().view.length() > near.length());
        QVERIFY(std::abs(canvas().scene().axis().x(under) - 600) < 1.5);
    }

    void markersStandAndGo() {
        QTest::mouseMove(&canvas(), middleOf(2, core::SpanKind::Forward, 4));
        key(Qt::Key_M, Qt::ShiftModifier);
        key(Qt::Key_M);
        key(Qt::Key_M);
        QCOMPARE(canvas().state().markers.size(), std::size_t{2});
        key(Qt::Key_Delete);
        key(Qt::Key_Delete);
        QVERIFY(canvas().state().markers.empty());
    }

    void searchFindsAndCycles() {
        auto* field = m_view->findChild<QLineEdit*>();
        field->setText("B3");
        QTest::qWait(10);
        TablePanel* events = panel("Found");
        QTRY_COMPARE(events->content().rows.size(), std::size_t{4});
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(canvas().state().selected->span.stage == core::StageId(3));
        key(Qt::Key_N);
        QVERIFY(canvas().state().selected->span.stage == core::StageId(2));
        key(Qt::Key_N, Qt::ShiftModifier);
        QVERIFY(canvas().state().selected->span.stage == core::StageId(3));
    }

    void whatIsFoundIsLookedForAgainInTheNextRun() {
        auto* field = m_view->findChild<QLineEdit*>();
        field->setText("B3");
        TablePanel* events = panel("Found");
        QTRY_COMPARE(events->content().rows.size(), std::size_t{4});
        const QString before = toPlainText(events->content());
        tests::SyntheticRun run;
        run.firstStageScale = 3;
        const core::RunId next = m_runs.add(run);
        m_selection.selectRun(next);
        QTRY_VERIFY(canvas().scene().frame->run == next && canvas().scene().window != nullptr);
        QTRY_VERIFY(events->content().rows.size() == 4 && toPlainText(events->content()) != before);
        // A row leads to a span that this run has.
        QTest::keyClick(field, Qt::Key_Return);
        const auto database = core::ProfileDatabase::open(m_runs.path());
        const core::SpanRecord found = canvas().state().selected->span;
        QCOMPARE(core::spanAt(*database, next, found.lane, found.start).value(), std::optional(found));
        field->clear();
        m_selection.selectRun(core::RunId(1));
        QTRY_VERIFY(canvas().scene().frame->run == core::RunId(1));
        QVERIFY(events->content().rows.empty());
    }

    void theFirstClauseOfTheVerdictShowsTheWorkThatSetsTheSlot() {
        const auto database = core::ProfileDatabase::open(m_runs.path());
        const auto verdict = core::loadRunVerdict(*database, core::RunId(1), core::plainWords(1e9));
        QVERIFY(verdict.has_value());
        const core::VerdictClause& clause = verdict->clauses.front();
        const auto isShown = [&] {
            const auto& selected = canvas().state().selected;
            return selected && selected->span.stage == clause.stage && selected->span.microBatch >= 0 &&
                   core::programPhaseOf(selected->span.kind);
        };
        followClause(clause, core::RunId(1), m_selection, m_intents);
        QTRY_VERIFY(isShown());
        // The same again, after something else was selected.
        canvas().select(std::nullopt, false);
        followClause(clause, core::RunId(1), m_selection, m_intents);
        QTRY_VERIFY(isShown());
    }

    void layersThatAreLetGoHereAreLetGoEverywhere() {
        // Chips take as much space as their texts.
        const auto chips = [&] { return m_view->findChild<FilterChips*>()->sizeHint().width(); };
        m_selection.selectLayer("conv2_block1_1_conv");
        QTRY_VERIFY(!canvas().state().highlighted.empty());
        emit m_view->findChild<FilterChips*>()->removed(2);
        QVERIFY(canvas().state().highlighted.empty());
        QVERIFY(m_selection.state().invocations.empty() && !m_selection.state().current);
        m_selection.selectLayer("conv2_block1_1_conv");
        QVERIFY(!canvas().state().highlighted.empty());
        const int with = chips();
        key(Qt::Key_Escape);
        QVERIFY(m_selection.state().invocations.empty());
        QVERIFY(canvas().state().highlighted.empty());
        QVERIFY(chips() < with);
    }

    /// A part of what runs inside a program has its own figures, and F goes to it.
    void aPieceInsideAProgramIsSelectedAsSuch() {
        const core::SpanRecord span = *findForward(3);
        canvas().select(PlacedSpan{span, 0}, true);
        key(Qt::Key_F);
        key(Qt::Key_F);
        QTRY_VERIFY(canvas().scene().depths != nullptr && canvas().state().isDeep);
        const ProgramDepth& depth =
            canvas().scene().depths->at({span.stage, *core::programPhaseOf(span.kind)});
        const std::vector<DepthPiece>& operations = depth[std::size_t(DepthLevel::Operation)];
        const auto piece = std::ranges::max_element(operations, {}, &DepthPiece::duration);
        const TimeToPixel axis = canvas().scene().axis();
        const QRectF lane = *canvas().scene().computeLane(0);
        const auto boxes =
            depthBoxes(QRectF(axis.x(span.start), lane.top(), 900, lane.height()), themeOf(&canvas()));
        QVERIFY(boxes.has_value());
        const double x = axis.x(span.start + piece->start + core::Cycles(piece->duration.value() / 2));
        QTest::mouseClick(
            &canvas(), Qt::LeftButton, {},
            QPointF(x, boxes->levels[std::size_t(DepthLevel::Operation)].center().y()).toPoint());
        QVERIFY(canvas().state().piece.has_value());
        QCOMPARE(canvas().state().piece->name, piece->name);
        const auto& details = m_view->findChild<DetailsPanel*>()->details();
        QCOMPARE(details->title, QString::fromStdString(piece->name));
        QCOMPARE(details->figures[2].value.value, groupedText(piece->duration.value()));
        // Of the operation alone: what the run recorded of it, and its steps.
        const auto figure = [&](const char* name) {
            const auto found = std::ranges::find(details->figures, QString(name), &SpanDetails::Figure::name);
            return found == details->figures.end() ? QString() : found->value.joined();
        };
        const core::OperationRecord& operation = canvas().scene().operations->at(piece->name);
        QCOMPARE(figure("Kind"), QString::fromStdString(operation.kind.str()));
        QCOMPARE(figure("Layer"), QString::fromStdString(operation.layer.str()));
        QCOMPARE(figure("Tiles used"), groupedText(operation.tilesUsed));
        QCOMPARE(figure("Output"), bytesText(operation.outputBytes, ByteUnit::KiB).joined());
        QCOMPARE(details->partName, QString("step"));
        const std::vector<DepthPiece> steps = piecesWithin(*canvas().scene().depths, span, DepthLevel::Step,
                                                           piece->start, piece->start + piece->duration);
        QVERIFY(!steps.empty());
        QCOMPARE(details->layers.size(), steps.size());
        core::Cycles sum;
        for (const DepthPiece& step : steps)
            sum += step.duration;
        QCOMPARE(sum, piece->duration);
        // Its layer consists of operations, of which it is one.
        QTest::mouseClick(&canvas(), Qt::LeftButton, {},
                          QPointF(x, boxes->levels[std::size_t(DepthLevel::Layer)].center().y()).toPoint());
        QCOMPARE(details->partName, QString("operation"));
        QVERIFY(std::ranges::find(details->layers, QString::fromStdString(piece->name),
                                  &SpanDetails::LayerBar::name) != details->layers.end());
        QTest::mouseClick(
            &canvas(), Qt::LeftButton, {},
            QPointF(x, boxes->levels[std::size_t(DepthLevel::Operation)].center().y()).toPoint());
        tests::takePictures(*m_view, "timeline-operation");
        key(Qt::Key_F);
        key(Qt::Key_F);
        QVERIFY(canvas().state().view.length() < span.duration);
        QVERIFY(canvas().state().view.from <= span.start + piece->start);
        QVERIFY(canvas().state().view.to >= span.start + piece->start + piece->duration);
    }

    void startsAreThoseOfTheRulerInEveryUpdate() {
        const core::SpanRecord span = *findForward(2);
        const TimeScale scale = canvas().scene().frame->timeScale();
        for (const std::int64_t update : {0, 1}) {
            canvas().select(PlacedSpan{span, update}, true);
            const auto& details = m_view->findChild<DetailsPanel*>()->details();
            QCOMPARE(details->figures.front().name, QString("Start"));
            QCOMPARE(details->figures.front().value.joined(),
                     timeText(update * canvas().scene().frame->step + span.start, canvas().state().units.time,
                              scale)
                         .joined());
        }
    }

    void cardsGoWithTheViewTheyWerePinnedTo() {
        const auto cards = [&] {
            int count = 0;
            for (const ToolTipCard* card : canvas().findChildren<ToolTipCard*>())
                count += card->isVisible();
            return count;
        };
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::AltModifier,
                          middleOf(0, core::SpanKind::Forward, 2));
        QCOMPARE(cards(), 1);
        key(Qt::Key_Escape);
        QCOMPARE(cards(), 0);
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::AltModifier,
                          middleOf(0, core::SpanKind::Forward, 2));
        QCOMPARE(cards(), 1);
        key(Qt::Key_W);
        QCOMPARE(cards(), 0);
    }

    void keysAreForTheLanesWheneverTheTimelineIsShown() {
        // As a window does that puts another page in place of this one.
        auto* field = m_view->findChild<QLineEdit*>();
        field->setFocus();
        m_view->hide();
        m_view->show();
        m_view->setFocus();
        QTRY_COMPARE(m_view->focusWidget(), static_cast<QWidget*>(&canvas()));
    }

    /// In a gap the micro-batches in flight keep their stash, and Memory is frozen at a step that says the
    /// same.
    void betweenProgramsTheStashStaysLive() {
        const TimelineIpu& ipu = canvas().scene().frame->ipus.front();
        QVERIFY(ipu.inFlight && ipu.leastInFlight);
        std::optional<core::SpanRecord> gap;
        for (const core::LaneWindow& lane : canvas().scene().window->lanes)
            for (const core::SpanRecord& span : lane.spans)
                if (span.lane == *ipu.lane(core::LaneKind::Compute) && span.kind == core::SpanKind::Idle &&
                    ipu.isInFlight(span.start))
                    gap = span;
        QVERIFY(gap.has_value());
        QVERIFY(ipu.liveBetween(gap->start) > ipu.alwaysLive);
        QCOMPARE(ipu.liveBetween(ipu.inFlight->second), ipu.alwaysLive);
        std::optional<TimeCursor> held;
        connect(&m_selection, &Selection::cursorMoved, m_view.get(), [&](const auto& place) {
            if (place && place->isHeld)
                held = place;
        });
        canvas().select(PlacedSpan{*gap, 0}, true);
        for (QToolButton* button : m_view->findChildren<QToolButton*>())
            if (button->text() == "Memory at this time" || button->accessibleName() == "Memory at this time")
                button->click();
        QVERIFY(held && held->isInProgram());
        QCOMPARE(*ipu.liveInside(held->stage, held->phase, held->inside), ipu.liveBetween(gap->start));
    }

    void aLayerThatIsFoundIsZoomedToAndLit() {
        auto* field = m_view->findChild<QLineEdit*>();
        QTest::keyClicks(field, "conv2_block1_1_conv backward");
        TablePanel* found = panel("Found");
        QTRY_VERIFY(!found->content().rows.empty() && found->content().rows.front()[0].text == "layer");
        QTest::keyClick(field, Qt::Key_Return);
        const TimelineState& state = canvas().state();
        QVERIFY(state.selected->span.kind == core::SpanKind::Backward);
        // Its own cycles fill a fifth of what is in view, and not those of its stage program.
        QVERIFY(state.view.length() < state.selected->span.duration);
        QVERIFY(state.piece && state.piece->level == DepthLevel::Layer);
        QCOMPARE(m_view->findChild<DetailsPanel*>()->details()->title, QString("conv2_block1_1_conv"));
        QVERIFY(state.layers.contains("conv2_block1_1_conv"));
        QVERIFY(m_selection.contains({"conv2_block1_1_conv", 0}));
        // N goes on to its operation, which is selected as such.
        key(Qt::Key_N);
        QCOMPARE(m_selection.state().operation, std::optional<std::string>("conv2_block1_1_conv/grad"));
        QVERIFY(state.layers.contains("conv2_block1_1_conv/grad"));
    }

    void aTensorThatIsFoundOpensInMemory() {
        auto* field = m_view->findChild<QLineEdit*>();
        QTest::keyClicks(field, "conv2_block1_1_conv");
        TablePanel* found = panel("Found");
        QTRY_VERIFY(!found->content().rows.empty());
        int row = -1;
        for (std::size_t i = 0; i < found->content().rows.size() && row < 0; ++i)
            if (found->content().rows[i][0].text == "tensor")
                row = int(i);
        QVERIFY(row >= 0);
        found->setCurrentRow(row);
        found->table().setFocus();
        QTest::keyClick(&found->table(), Qt::Key_Return);
        QCOMPARE(m_intents.workspace, std::optional(WorkspaceId::Memory));
        QVERIFY(m_selection.state().tensor.has_value());
        QCOMPARE(QString::fromStdString(*m_selection.state().tensor),
                 found->content().rows[std::size_t(row)][1].text);
    }

    void aNoteIsWrittenAtTheMouseAndKeptWithTheRun() {
        const QPoint at = middleOf(1, core::SpanKind::Forward, 4);
        QTest::mouseMove(&canvas(), at);
        key(Qt::Key_T);
        auto* field = canvas().findChild<QLineEdit*>();
        QVERIFY(field != nullptr && field->isVisible());
        QTest::keyClicks(field, "why so long?");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(m_intents.calls.back(), QString("storeNotes"));
        QCOMPARE(m_intents.notes.size(), std::size_t(1));
        QCOMPARE(m_intents.notes.front().text, std::string("why so long?"));
        const double x = canvas().scene().axis().x(m_intents.notes.front().at);
        QVERIFY(std::abs(x - at.x()) < 8);
        QCOMPARE(panel("Notes")->content().rows.front()[1].text, QString("why so long?"));
        // A double click edits it; Escape leaves it as it was.
        QTest::mouseDClick(&canvas(), Qt::LeftButton, {}, QPoint(int(x), at.y()));
        field = nullptr;
        for (auto* one : canvas().findChildren<QLineEdit*>())
            if (one->isVisible())
                field = one;
        QVERIFY(field != nullptr);
        QCOMPARE(field->text(), QString("why so long?"));
        QTest::keyClicks(field, "other");
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(canvas().notes().front().text, std::string("why so long?"));
        key(Qt::Key_Delete);
        QVERIFY(m_intents.notes.empty());
        QVERIFY(panel("Notes")->content().rows.empty());
    }

    void anEscapedNoteLeavesNothing() {
        QTest::mouseMove(&canvas(), middleOf(1, core::SpanKind::Forward, 4));
        const std::size_t calls = m_intents.calls.size();
        key(Qt::Key_T);
        QTest::keyClicks(canvas().findChild<QLineEdit*>(), "never mind");
        QTest::keyClick(canvas().findChild<QLineEdit*>(), Qt::Key_Escape);
        QVERIFY(canvas().state().markers.empty());
        QCOMPARE(m_intents.calls.size(), calls);
    }

    void lanesAreFilteredByTextRegexAndTheirOpposite() {
        const auto open = [&] {
            key(Qt::Key_P, Qt::ControlModifier);
            LaneFinder* finder = nullptr;
            for (auto* one : m_view->findChildren<LaneFinder*>())
                if (one->isVisible())
                    finder = one;
            return finder;
        };
        LaneFinder* finder = open();
        QVERIFY(finder != nullptr);
        auto* field = finder->findChild<QLineEdit*>();
        QTest::keyClicks(field, "stage 1");
        QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(canvas().state().hidden, (std::set<std::size_t>{0, 2, 3}));
        std::set<std::size_t> rows;
        for (const TimelineRow& row : canvas().scene().layout.rows)
            if (row.kind != RowKind::ReplicaHeader)
                rows.insert(row.ipu);
        QCOMPARE(rows, std::set<std::size_t>{1});
        // What is no expression is said in the list.
        finder = open();
        for (auto* button : finder->findChildren<QToolButton*>())
            if (button->text() == ".*")
                QTest::mouseClick(button, Qt::LeftButton);
        finder->findChild<QLineEdit*>()->selectAll();
        QTest::keyClicks(finder->findChild<QLineEdit*>(), "stage (");
        QVERIFY(finder->findChild<QListWidget*>()->item(0)->text().contains("no regular expression"));
        QTest::keyClick(finder->findChild<QLineEdit*>(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(canvas().state().hidden, (std::set<std::size_t>{0, 2, 3}));
        finder->close();
        // Reopened, it says what is filtered; the opposite of it.
        finder = open();
        QCOMPARE(finder->findChild<QLineEdit*>()->text(), QString("stage 1"));
        for (auto* button : finder->findChildren<QToolButton*>())
            if (button->text() == "Not")
                QTest::mouseClick(button, Qt::LeftButton);
        QTest::keyClick(finder->findChild<QLineEdit*>(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(canvas().state().hidden, std::set<std::size_t>{1});
        // The tables are of the lanes that are shown.
        QTRY_COMPARE(panel("Time of each lane in the area")->content().ticks,
                     (std::vector<bool>{true, false, true, true}));
        const TablePanel* gaps = nullptr;
        for (const TablePanel* table : m_view->findChildren<TablePanel*>())
            if (!table->content().columns.empty() && table->content().columns.front().title == "Cause")
                gaps = table;
        QVERIFY(gaps != nullptr);
        const auto isWithoutHidden = [&] {
            return std::ranges::none_of(gaps->content().rows,
                                        [](const auto& row) { return row[1].text.contains("IPU 1"); });
        };
        QTRY_VERIFY(!gaps->content().rows.empty() && isWithoutHidden());
    }

    /// As a lane with so many that they are summed shows them.
    void exchangesNarrowerThanAPixelAreAsHighAsTheyFillIt() {
        TimelineScene scene = canvas().scene();
        auto window = std::make_shared<core::TimelineWindow>(*scene.window);
        const auto perPixel = std::int64_t(1 / scene.axis().pixelsPerCycle());
        for (core::LaneWindow& lane : window->lanes) {
            if (lane.lane.kind != core::LaneKind::Exchange || lane.lane.ipu != core::IpuId(0))
                continue;
            lane.bins.clear();
            lane.spans.clear();
            for (std::int64_t at = 0; at < scene.frame->step.value(); at += perPixel / 4) {
                core::SpanRecord span;
                span.lane = lane.lane.id;
                span.kind = core::SpanKind::Exchange;
                span.start = core::Cycles(at);
                span.duration = core::Cycles(perPixel / 8); // half of all time
                span.bytes = core::Bytes(1000);
                lane.spans.push_back(span);
            }
        }
        scene.window = window;
        QImage image(canvas().size(), QImage::Format_RGB32);
        QPainter painter(&image);
        paintTimeline(painter, scene, themeOf(&canvas()));
        painter.end();
        const TimelineLayout::LaneBox box = scene.layout.laneBox(core::LaneKind::Exchange);
        const double top = scene.computeLane(0)->top() - scene.layout.laneBox(core::LaneKind::Compute).top;
        const QColor colour = themeOf(&canvas()).activity(Activity::Exchange);
        int high = 0;
        const int x = int(scene.layout.lanes().center().x()) + 3;
        for (int y = int(top + box.top); y < int(top + box.top + box.height); ++y)
            high += image.pixelColor(x, y) == colour;
        QVERIFY2(std::abs(high - box.height / 2) <= 2.5,
                 qPrintable(QString("%1 of %2 px").arg(high).arg(box.height)));
    }

    void shortDurationsAreNotShownAsNothing() {
        core::SearchHit shortHit;
        shortHit.kind = core::HitKind::Operation;
        shortHit.name = "short";
        shortHit.span = *findForward(0);
        shortHit.from = core::Cycles(0);
        shortHit.to = core::Cycles(700);
        core::SearchHit longHit = shortHit;
        longHit.to = core::Cycles(3'000'000);
        const TableContent table = hitTable(*canvas().scene().frame, {shortHit, longHit}, {});
        QVERIFY2(table.rows.front()[6].text.toDouble() > 0, qPrintable(table.rows.front()[6].text));
    }

    void selectingALayerMakesItsProgramsStandOut() {
        m_selection.selectLayer("conv2_block1_1_conv");
        QVERIFY(canvas().state().highlighted.contains({core::StageId(0), core::SpanKind::Forward}));
        QVERIFY(!canvas().state().highlighted.contains({core::StageId(2), core::SpanKind::Forward}));
    }

    void anEmptyViewSaysWhyAndWhatToDo() {
        ProfileSource nothing;
        Selection selection;
        tests::RecordedIntents intents;
        TimelineView view(m_document, selection, nothing, intents);
        view.show();
        auto* button = view.findChild<QPushButton*>();
        QVERIFY(button != nullptr);
        nothing.setPath(m_runs.path().parent_path() / "none.sqlite");
        QTRY_VERIFY(button->isVisible());
        QCOMPARE(button->text(), QString("Run"));
        button->click();
        QCOMPARE(intents.calls, std::vector<QString>{"run"});
    }

    void theOldPictureStaysDimmedUntilTheLanesOfTheNextRunAreThere() {
        const QPoint span = middleOf(0, core::SpanKind::Forward, 0);
        const QImage old = canvas().grab().toImage();
        QImage between;
        connect(&canvas(), &TimelineCanvas::viewChanged, this, [&] {
            if (canvas().scene().frame && !canvas().scene().window)
                between = canvas().grab().toImage();
        });
        tests::SyntheticRun run;
        run.firstStageScale = 2;
        const core::RunId next = m_runs.add(run);
        m_selection.selectRun(next);
        QVERIFY(canvas().isVisible() && canvas().scene().frame);
        QTRY_VERIFY(canvas().scene().frame->run == next && canvas().scene().window != nullptr);
        QCOMPARE(between.size(), old.size());
        const QColor backdrop = themeOf(&canvas()).color(Role::Canvas);
        QVERIFY(old.pixelColor(span) != backdrop);
        QVERIFY(between.pixelColor(span) != backdrop && between.pixelColor(span) != old.pixelColor(span));
    }

    void besideLanesThatScrollThereIsTheCanvas() {
        show(1280, 360);
        const double lanesEnd = canvas().scene().layout.width;
        QVERIFY2(lanesEnd + 2 < canvas().width(), "nothing scrolls");
        const QImage image = canvas().grab().toImage();
        const QColor empty = themeOf(&canvas()).color(Role::Canvas);
        for (const int y : {2, 20, 40})
            QCOMPARE(image.pixelColor(int(lanesEnd) + 2, y), empty);
    }

    /// IPU_WORKBENCH_PICTURES=folder keeps what was drawn, to be looked at.
    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("set IPU_WORKBENCH_PICTURES to a folder to see the pictures");
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            for (const QSize size : {QSize(1280, 690), QSize(1600, 870), QSize(2560, 1300)}) {
                applyTheme(*qApp, Theme(kind));
                m_view.reset();
                show(size.width(), size.height());
                QTest::mouseClick(&canvas(), Qt::LeftButton, {}, middleOf(1, core::SpanKind::Backward, 3));
                const core::Cycles step = canvas().scene().frame->step;
                canvas().setArea(TimelineArea{core::Cycles(step.value() * 42 / 100),
                                              core::Cycles(step.value() * 60 / 100),
                                              {0, 1, 2, 3}});
                QTRY_VERIFY(canvas().scene().flows && !canvas().scene().flows->empty());
                QTest::qWait(150);
                m_view->grab().save(QStringLiteral("%1/timeline-view-%2-%3.png")
                                        .arg(folder, themeName(kind))
                                        .arg(size.width()));
            }
        }
        applyTheme(*qApp, Theme(ThemeKind::Light));
    }
};

REGISTER_WIDGET_TEST("timeline_view", TimelineViewTest)
#include "timeline_view_test.moc"
