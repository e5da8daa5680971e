#include "views/runs/runs_view.h"

#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/profile/tables/table_panel.h"

#include <QApplication>
#include <QtTest/QTest>

using namespace views;

namespace {

core::RunRow run(std::size_t number, bool fits) {
    core::RunRow row;
    row.run = core::RunId(number);
    row.schedule = "Grouped";
    row.target = "ipu2";
    row.ipus = 8;
    row.replicas = 2;
    row.microBatches = 8;
    row.clockHz = 1.33e9;
    row.started = "2024-05-06T10:11:12+00:00";
    row.fits = fits;
    row.step = core::Cycles(46466000);
    row.samplesPerSecond = 7326.4;
    row.idleFraction = 0.508;
    row.peak = core::Bytes(789 << 20);
    return row;
}

} // namespace

class RunsViewTest : public QObject {
    Q_OBJECT

private slots:
    void aRunReadsAsOneLine() {
        core::RunRow failed = run(3, true);
        failed.state = core::RunState::Cancelled;
        failed.step.reset();
        failed.samplesPerSecond.reset();
        failed.idleFraction.reset();
        failed.peak.reset();
        QString text = toPlainText(runsTable({run(14, true), failed}, {}));
        text.replace(thinSpace, u'_');
        QVERIFY2(text.contains(
                     "#14 | 2024-05-06 | train | Grouped | 8 × ipu2 | 8 | 2 | 7_326 | 34.94_ms | 50.8_% | "
                     "789.0_MiB | fits"),
                 qPrintable(text));
        QVERIFY2(
            text.contains("#3 | 2024-05-06 | train | Grouped | 8 × ipu2 | 8 | 2 | – | – | – | – | cancelled"),
            qPrintable(text));
    }

    void aMergedRunSaysWhereItComesFrom() {
        QVERIFY(!toPlainText(runsTable({run(14, true)}, {})).contains("recorded"));
        core::RunRow merged = run(3, true);
        merged.mergedFrom = "29335 406770 022e4e23/12";
        const QString text = toPlainText(runsTable({run(14, true), merged}, {}));
        QVERIFY2(text.contains("fits | #12, recorded by 29335 406770 022e4e23"), qPrintable(text));
        QVERIFY2(text.contains("fits | recorded here"), qPrintable(text));
    }

    void withoutADatabaseItSaysWhatToDo() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        Document document;
        Selection selection;
        ProfileSource source;
        tests::RecordedIntents intents;
        RunsView view(document, selection, source, intents);
        view.resize(900, 200);
        view.show();
        document.open(core::Project{}, {});
        source.setPath("/nowhere/x.profiles.sqlite");
        QVERIFY(view.runs().empty());
    }
};

REGISTER_WIDGET_TEST("runs_view", RunsViewTest)
#include "runs_view_test.moc"
