#include "views/plan/alternatives_view.h"

#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/plan/alternatives_tables.h"
#include "views/profile/tables/table_panel.h"

#include <QApplication>
#include <QSignalSpy>
#include <QtTest/QTest>
#include <cmath>
#include <qcustomplot.h>

using namespace views;

namespace {

core::SchedulerAlternative scheduler(const char* name, bool isChosen, std::int64_t scale) {
    core::SchedulerAlternative row{name, isChosen, {}};
    for (std::size_t ipu = 0; ipu < 2; ++ipu) {
        core::AlternativeIpu part;
        part.ipu = core::IpuId(ipu);
        for (int step = 0; step < 120; ++step) {
            const double wave = std::sin(step * 0.08) * std::sin(step * 0.31 + double(scale) * 0.01);
            part.live.push_back(std::int64_t(40'000.0 * double(scale) * (1.2 + wave)));
        }
        part.peak = core::Bytes(10'000'000 + 50'000 * scale * std::int64_t(ipu + 1));
        part.worstTile = core::Bytes(24'000 + 100 * scale);
        part.fits = scale < 120;
        row.ipus.push_back(std::move(part));
    }
    return row;
}

core::ProgramAlternatives alternatives() {
    core::ProgramAlternatives made;
    made.schedulers = {scheduler("CHOOSE_BEST", true, 96), scheduler("POST_ORDER", false, 100),
                       scheduler("CLUSTERING", false, 96), scheduler("SHORTEST_PATH", false, 104),
                       scheduler("LOOK_AHEAD", false, 120)};
    made.executions = {{"graph", 0.25, core::Cycles(40'000), core::Cycles(1'300'000), 120'000.0},
                       {"eager", 512, core::Cycles(56'000'000), core::Cycles(1'200'000), 2'100.0}};
    return made;
}

} // namespace

class AlternativesViewTest : public QObject {
    Q_OBJECT

private slots:
    void everyAlgorithmIsARowAgainstTheProjectsOwn() {
        const TableContent table = schedulerTable(alternatives(), 0, {});
        QCOMPARE(table.rows.size(), std::size_t(5));
        QVERIFY(table.rows[0][0].text.contains("CHOOSE_BEST") && table.rows[0][0].text.contains("chosen"));
        QVERIFY(!table.rows[0][2].isBetter.has_value());
        // 15 000 000 against 14 800 000 bytes.
        QCOMPARE(table.rows[1][2].text, QString("+1.35 %"));
        QCOMPARE(table.rows[1][2].isBetter, std::optional(false));
        QVERIFY(table.rows[4][5].tone == ChipTone::Error && table.rows[0][5].tone == ChipTone::Success);
        QVERIFY(schedulerTable(alternatives(), 7, {}).rows.empty());
    }

    void graphAndEagerStandSideBySide() {
        const TableContent table = executionTable(alternatives(), {}, 1e9);
        QCOMPARE(table.rows.size(), std::size_t(2));
        QVERIFY(table.rows[0][1].text.startsWith("0.25"));
        QVERIFY(table.rows[1][1].text.startsWith("512"));
        QCOMPARE(table.rows[1][4].sort.toDouble(), 57'200'000.0);
        QVERIFY(table.rows[0][6].text.contains(" to "));
    }

    void asksWhenSeenAndForgetsWithTheNextEdit() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        Document document;
        tests::RecordedIntents intents;
        AlternativesView view(document, intents);
        QSignalSpy wanted(&view, &AlternativesView::alternativesWanted);
        view.show();
        // Nothing is open.
        QCOMPARE(wanted.size(), 0);
        view.setAlternatives(alternatives(), 1.33e9);
        auto* plot = view.findChild<QCustomPlot*>();
        QCOMPARE(plot->graphCount(), 5);
        QCOMPARE(plot->graph(0)->data()->size(), 121);
        view.setTrouble({{core::Severity::Error, core::Trouble::Input, "x", {}, "no such target", {}}});
        QVERIFY(!view.alternatives().has_value());
        QVERIFY(view.findChild<EmptyView*>()->isVisible());
    }

    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("set IPU_WORKBENCH_PICTURES to a folder to see the pictures");
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, Theme(kind));
            Document document;
            tests::RecordedIntents intents;
            AlternativesView view(document, intents);
            view.resize(640, 620);
            view.show();
            view.setAlternatives(alternatives(), 1.33e9);
            QTest::qWait(100);
            view.grab().save(QStringLiteral("%1/alternatives-%2.png").arg(folder, themeName(kind)));
        }
    }
};

REGISTER_WIDGET_TEST("alternatives_view", AlternativesViewTest)
#include "alternatives_view_test.moc"
