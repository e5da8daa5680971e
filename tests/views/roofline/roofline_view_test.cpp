#include "views/roofline/roofline_view.h"

#include "core/profile/queries/timeline_queries.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/segmented_control.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/profile/profile_source.h"
#include "views/profile/tables/filter_chips.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/view_bar.h"
#include "views/roofline/roofline_canvas.h"

#include <QApplication>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>
#include <QWheelEvent>
#include <QtTest/QTest>

using namespace views;

namespace {

struct Bench {
    explicit Bench(const tests::SyntheticRun& run = {}) {
        core::Project project;
        project.name = "p";
        document.open(project, "p.ipuproj");
        id = stored.add(run);
        source.setPath(stored.path());
        selection.selectRun(id);
        view.resize(1000, 700);
        view.show();
    }
    [[nodiscard]] const core::Roofline& roofline() const { return *view.canvas().scene().data; }
    [[nodiscard]] bool isShown() {
        return QTest::qWaitFor([&] { return view.canvas().scene().data != nullptr; });
    }
    [[nodiscard]] QPoint placeOf(std::size_t point) const {
        return view.canvas()
            .plane()
            .place(view.canvas().scene().points()[point], roofline().clockHz)
            .toPoint();
    }
    /// A point that no other covers.
    [[nodiscard]] std::size_t reachable() const {
        const RooflineScene& scene = view.canvas().scene();
        for (std::size_t i = 0; i < scene.points().size(); ++i)
            if (pointAt(scene, view.canvas().plane(), placeOf(i), 1) == i)
                return i;
        return scene.points().size();
    }
    void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys = {}) {
        QTest::mousePress(&view.canvas(), Qt::LeftButton, keys, from);
        QTest::mouseMove(&view.canvas(), (from + to) / 2);
        QTest::mouseMove(&view.canvas(), to);
        QTest::mouseRelease(&view.canvas(), Qt::LeftButton, keys, to);
    }

    tests::StoredRuns stored;
    core::RunId id;
    Document document;
    Selection selection;
    ProfileSource source;
    tests::RecordedIntents intents;
    RooflineView view{document, selection, source, intents};
};

} // namespace

class RooflineViewTest : public QObject {
    Q_OBJECT

private slots:
    void theTableHasARowForEveryPointOfAGrouping() {
        Bench bench;
        QVERIFY(bench.isShown());
        QCOMPARE(bench.view.table().content().rows.size(), bench.roofline().operations.size());
        QTest::mouseClick(bench.view.groupings().button(1), Qt::LeftButton);
        QCOMPARE(bench.view.table().content().rows.size(), bench.roofline().layers.size());
        QTest::mouseClick(bench.view.groupings().button(2), Qt::LeftButton);
        QCOMPARE(bench.view.table().content().rows.size(), std::size_t(4));
        QCOMPARE(bench.view.table().content().rows[1][0].text, QString("Stage 1"));
        QVERIFY(bench.view.figures().startsWith("MFU "));
    }

    void aClickChoosesTheOperationAndItsLayerEverywhere() {
        Bench bench;
        QVERIFY(QTest::qWaitForWindowExposed(&bench.view));
        QVERIFY(bench.isShown());
        const std::size_t point = bench.reachable();
        QVERIFY(point < bench.roofline().operations.size());
        QTest::mouseClick(&bench.view.canvas(), Qt::LeftButton, {}, bench.placeOf(point));
        const core::RooflinePoint& one = bench.roofline().operations[point];
        QCOMPARE(bench.selection.state().operation, std::optional(one.name));
        QVERIFY(bench.selection.contains({one.layer, 0}));
        QCOMPARE(bench.selection.state().stage, std::optional(one.stage));
        QCOMPARE(bench.view.table().currentRow(), int(point));
        QCOMPARE(bench.view.canvas().scene().chosen, std::optional(point));
        QVERIFY(bench.view.canvas().accessibleDescription().startsWith(QString::fromStdString(one.name)));
        QTest::keyClick(&bench.view.canvas(), Qt::Key_Escape);
        QVERIFY(!bench.selection.state().operation);
        QVERIFY(bench.selection.state().invocations.empty());
    }

    void aLayerChosenElsewhereLightsItsOperations() {
        Bench bench;
        QVERIFY(bench.isShown());
        const std::string layer = bench.roofline().operations[3].layer;
        bench.selection.selectLayer(layer);
        const auto& lit = bench.view.canvas().scene().lit;
        QVERIFY(lit.contains(3));
        for (std::size_t i = 0; i < bench.roofline().operations.size(); ++i)
            QCOMPARE(lit.contains(i), bench.roofline().operations[i].layer == layer);
    }

    void aTimeSelectedElsewhereRestrictsIt() {
        Bench bench;
        QVERIFY(QTest::qWaitForWindowExposed(&bench.view));
        QVERIFY(bench.isShown());
        const auto& all = bench.roofline().operations;
        const auto database = core::ProfileDatabase::open(bench.stored.path());
        const auto spans = core::loadSpans(*database, bench.id).value();
        const auto one = std::ranges::find(spans, core::SpanKind::WeightUpdate, &core::SpanRecord::kind);
        QVERIFY(one != spans.end());
        // Short enough that few programs run.
        bench.selection.selectTime(TimeRange{one->start, one->start + core::Cycles(1)});
        std::set<std::pair<core::StageId, core::ProgramPhase>> programs;
        for (const core::SpanRecord& span : spans)
            if (const auto phase = core::programPhaseOf(span.kind);
                phase && span.start <= one->start && one->start < span.start + span.duration)
                programs.emplace(span.stage, *phase);
        const auto expected = std::ranges::count_if(all, [&](const auto& point) {
            return programs.contains({point.stage, *point.phase});
        });
        QVERIFY(expected > 0 && expected < std::ssize(all));
        QTRY_COMPARE(std::ssize(bench.view.table().content().rows), expected);
        QVERIFY(std::ranges::any_of(bench.view.findChildren<FilterChips*>(), [](const FilterChips* chips) {
            return chips->isVisible() && chips != nullptr && chips->width() > 20;
        }));
        QTest::mouseClick(bench.view.groupings().button(2), Qt::LeftButton);
        std::set<core::StageId> stages;
        for (const auto& [stage, phase] : programs)
            stages.insert(stage);
        QCOMPARE(bench.view.table().content().rows.size(), stages.size());
        bench.selection.selectTime(std::nullopt);
        QTRY_COMPARE(bench.view.table().content().rows.size(), std::size_t(4));
    }

    void aFrameRestrictsTheTableUntilItsCrossOrEscape() {
        Bench bench;
        QVERIFY(QTest::qWaitForWindowExposed(&bench.view));
        QVERIFY(bench.isShown());
        const std::size_t all = bench.view.table().content().rows.size();
        const QPoint at = bench.placeOf(bench.reachable());
        bench.drag(at - QPoint(15, 15), at + QPoint(15, 15));
        const std::size_t framed = bench.view.table().content().rows.size();
        QVERIFY(framed >= 1);
        QVERIFY(framed < all);
        QTest::mouseClick(&bench.view.frameChip(), Qt::LeftButton, {},
                          QPoint(bench.view.frameChip().width() - 10, bench.view.frameChip().height() / 2));
        QCOMPARE(bench.view.table().content().rows.size(), all);
        bench.drag(at - QPoint(15, 15), at + QPoint(15, 15));
        QCOMPARE(bench.view.table().content().rows.size(), framed);
        const RooflinePlane before = bench.view.canvas().plane();
        QTest::keyClick(&bench.view.canvas(), Qt::Key_F);
        QVERIFY(bench.view.canvas().plane().window.intensity.high -
                    bench.view.canvas().plane().window.intensity.low <
                before.window.intensity.high - before.window.intensity.low);
        QTest::keyClick(&bench.view.canvas(), Qt::Key_Escape);
        QCOMPARE(bench.view.table().content().rows.size(), all);
        QTest::keyClick(&bench.view.canvas(), Qt::Key_Home);
        QCOMPARE(bench.view.canvas().plane().window, before.window);
    }

    void arrowsGoFromPointToPointFromLeftToRight() {
        Bench bench;
        QVERIFY(QTest::qWaitForWindowExposed(&bench.view));
        QVERIFY(bench.isShown());
        bench.view.canvas().setFocus();
        double last = -1;
        for (int i = 0; i < 5; ++i) {
            QTest::keyClick(&bench.view.canvas(), Qt::Key_Right);
            const auto chosen = bench.view.canvas().scene().chosen;
            QVERIFY(chosen.has_value());
            QVERIFY(bench.placeOf(*chosen).x() >= last);
            last = bench.placeOf(*chosen).x();
        }
        QVERIFY(bench.selection.state().operation.has_value());
    }

    void theWheelZoomsAndAPointSaysWhatItIs() {
        Bench bench;
        QVERIFY(QTest::qWaitForWindowExposed(&bench.view));
        QVERIFY(bench.isShown());
        const QPoint at = bench.placeOf(bench.reachable());
        QTest::mouseMove(&bench.view.canvas(), at + QPoint(1, 0));
        QTRY_VERIFY(bench.view.canvas().findChild<ToolTipCard*>()->isVisible());
        const RooflineWindow before = bench.view.canvas().plane().window;
        QWheelEvent wheel(at, bench.view.canvas().mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&bench.view.canvas(), &wheel);
        const RooflineWindow after = bench.view.canvas().plane().window;
        QVERIFY(after.rate.high - after.rate.low < before.rate.high - before.rate.low);
        bench.drag(at, at + QPoint(50, 0), Qt::ShiftModifier);
        QVERIFY(bench.view.canvas().plane().window.intensity.low < after.intensity.low);
        QVERIFY(!bench.view.canvas().scene().frame);
    }

    void aRowChoosesItsPointAndOpensTheTimelineByEnter() {
        Bench bench;
        QVERIFY(QTest::qWaitForWindowExposed(&bench.view));
        QVERIFY(bench.isShown());
        bench.view.filter().setFocus();
        QTest::keyClicks(&bench.view.filter(), "update");
        QTableView& table = bench.view.table().table();
        QVERIFY(table.model()->rowCount() < int(bench.roofline().operations.size()));
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Down);
        QVERIFY(bench.selection.state().operation.has_value());
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(bench.intents.workspace, std::optional(WorkspaceId::Timeline));
    }

    void theRunOfAnOlderVersionSaysWhatToDo() {
        tests::SyntheticRun old;
        old.targetFigures.clear();
        Bench bench(old);
        QTest::qWait(50);
        QTRY_VERIFY(!bench.view.table().isVisible());
        QVERIFY(bench.view.canvas().scene().data == nullptr);
    }

    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("set IPU_WORKBENCH_PICTURES to a folder to see the pictures");
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
            applyTheme(*qApp, Theme(kind));
            Bench bench;
            QVERIFY(bench.isShown());
            bench.selection.selectLayer(bench.roofline().operations[3].layer);
            QTest::qWait(100);
            bench.view.grab().save(QStringLiteral("%1/roofline-%2.png").arg(folder, themeName(kind)));
        }
    }
};

REGISTER_WIDGET_TEST("roofline_view", RooflineViewTest)
#include "roofline_view_test.moc"
