#include "views/sweep/sweep_view.h"

#include "core/profile/writer/sweep_store.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/profile/profile_source.h"
#include "views/profile/tables/table_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QTableView>
#include <QToolButton>
#include <QtTest/QTest>
#include <qcustomplot.h>

using namespace views;

namespace {

core::SweepPointRecord fitting(std::int64_t point, const std::string& schedule, double rate,
                               std::int64_t mebibytes) {
    core::SweepPointRecord record;
    record.point = point;
    record.state = core::SweepPointState::Fits;
    record.values = "[\"" + schedule + "\"," + std::to_string(point) + "]";
    record.ipus = 4;
    record.effectiveBatch = 16;
    record.samplesPerSecond = rate;
    record.idleFraction = 0.25;
    record.peak = core::Bytes(mebibytes << 20);
    record.limit = core::Bytes(std::int64_t{897} << 20);
    return record;
}

/// A database with a sweep of five points, of which `stored` are done.
class StoredSweep {
public:
    explicit StoredSweep(std::size_t stored = 5) {
        core::SweepRecord sweep;
        sweep.name = "schedules";
        sweep.hash = "a";
        sweep.content = "{}";
        sweep.points = 5;
        sweep.started = "2026-01-01T00:00:00+00:00";
        m_sweep = core::openSweep(open(), sweep)->id;
        store(0, stored);
    }

    void store(std::size_t begin, std::size_t end) const {
        std::vector<core::SweepPointRecord> points{
            fitting(0, "Grouped", 100, 700), fitting(1, "Grouped", 200, 800), fitting(2, "1F1B", 150, 820),
            fitting(3, "1F1B", 120, 600), core::SweepPointRecord{}};
        points[4].point = 4;
        points[4].state = core::SweepPointState::Refused;
        points[4].values = R"(["ZB-H1",4])";
        points[4].finding = "pipeline/schedule: refused";
        const auto stored = core::storePoints(open(), m_sweep, std::span(points).subspan(begin, end - begin));
        QVERIFY(stored.has_value());
    }
    [[nodiscard]] std::filesystem::path path() const { return m_folder.path(); }

private:
    [[nodiscard]] core::ProfileDatabase open() const { return *core::ProfileDatabase::open(path()); }

    tests::StoredRuns m_folder;
    std::int64_t m_sweep = 0;
};

/// What the program reads, without its conditions.
core::Result<SweepData> read(const core::ProfileDatabase& database, std::optional<std::int64_t>,
                             const SweptProject&) {
    SweepData data;
    data.sweeps = core::listSweeps(database).value();
    if (data.sweeps.empty())
        return data;
    data.paths = {"pipeline.schedule", "training.batch_size"};
    data.points = core::loadPoints(database, data.sweep().id).value();
    data.front = core::paretoFront(data.points);
    data.scene = sweepScene(data);
    return data;
}

struct Shown {
    explicit Shown(const std::filesystem::path& database) {
        core::Project project;
        project.name = "p";
        document.open(project, "p.ipuproj");
        source.setPath(database);
        view.resize(1000, 400);
        view.show();
    }
    [[nodiscard]] QPoint placeOf(std::int64_t point) {
        for (const ParetoPoint& one : view.scene().points)
            if (one.id == point)
                return {int(view.plot().xAxis->coordToPixel(double(one.peak.value()) / (1 << 20))),
                        int(view.plot().yAxis->coordToPixel(one.samplesPerSecond))};
        return {};
    }

    Document document;
    Selection selection;
    ProfileSource source;
    tests::RecordedIntents intents;
    SweepView view{document, selection, source, intents, read};
};

} // namespace

class SweepViewTest : public QObject {
    Q_OBJECT

private slots:
    void theFrontIsATableWithTheValuesOfThePaths() {
        const StoredSweep stored;
        Shown shown(stored.path());
        QTRY_COMPARE(shown.view.front().content().rows.size(), std::size_t(2));
        const TableContent& table = shown.view.front().content();
        QCOMPARE(table.rows[0][0].text, QString("1"));
        QCOMPARE(table.rows[0][1].text, QString("200.0"));
        QCOMPARE(table.rows[0][6].text, QString("Grouped"));
        QCOMPARE(table.rows[1][0].text, QString("3"));
        QCOMPARE(shown.view.counts(), QString("5 points, 4 fit, 1 refused, 2 on the front"));
        QCOMPARE(shown.view.scene().front->size(), std::size_t(2));
        QVERIFY(shown.view.plot().legend->visible());
    }

    void aClickChoosesAPointAndADoubleClickOpensIt() {
        const StoredSweep stored;
        Shown shown(stored.path());
        QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
        QTRY_VERIFY(!shown.view.scene().points.empty());
        shown.view.plot().replot();
        QTest::mouseClick(&shown.view.plot(), Qt::LeftButton, {}, shown.placeOf(2));
        QVERIFY2(shown.view.chosenText().startsWith("Point 2: schedule 1F1B"),
                 qPrintable(shown.view.chosenText()));
        QCOMPARE(shown.view.front().currentRow(), -1);
        QTest::mouseClick(&shown.view.plot(), Qt::LeftButton, {}, shown.placeOf(3));
        QCOMPARE(shown.view.front().currentRow(), 1);
        QVERIFY(shown.intents.calls.empty());
        QTest::mouseDClick(&shown.view.plot(), Qt::LeftButton, {}, shown.placeOf(3));
        QCOMPARE(shown.intents.calls, std::vector<QString>{"openSweepPoint 1 3"});
        QTest::mouseClick(&shown.view.runButton(), Qt::LeftButton);
        QCOMPARE(shown.intents.calls.back(), QString("run"));
    }

    void aRowOpensByKey() {
        const StoredSweep stored;
        Shown shown(stored.path());
        QTRY_COMPARE(shown.view.front().content().rows.size(), std::size_t(2));
        QTableView& table = shown.view.front().table();
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Down);
        QVERIFY(shown.view.chosenText().startsWith("Point 3"));
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(shown.intents.calls, std::vector<QString>{"openSweepPoint 1 3"});
    }

    void aSweepThatRunsElsewhereFillsIn() {
        const StoredSweep stored(2);
        Shown shown(stored.path());
        QTRY_COMPARE(shown.view.counts(), QString("2 of 5 points, 2 fit, 2 on the front"));
        stored.store(2, 5);
        QTRY_COMPARE(shown.view.counts(), QString("5 points, 4 fit, 1 refused, 2 on the front"));
    }

    void theWheelZoomsAndTheAxesSayWhatIsShown() {
        const StoredSweep stored;
        Shown shown(stored.path());
        QVERIFY(QTest::qWaitForWindowExposed(&shown.view));
        QTRY_VERIFY(!shown.view.scene().points.empty());
        const QCPRange before = shown.view.plot().xAxis->range();
        const QPointF at = shown.placeOf(1);
        QWheelEvent wheel(at, shown.view.plot().mapToGlobal(at), {}, {0, 360}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&shown.view.plot(), &wheel);
        const QCPRange zoomed = shown.view.plot().xAxis->range();
        QVERIFY(zoomed.size() < before.size());
        QTest::mouseClick(&shown.view.plot(), Qt::LeftButton, {}, shown.placeOf(1));
        QCOMPARE(shown.view.plot().xAxis->range(), zoomed);
        for (const double place :
             shown.view.plot().xAxis->ticker().dynamicCast<QCPAxisTickerText>()->ticks().keys())
            QVERIFY(zoomed.contains(place));
        QTest::mouseDClick(&shown.view.plot(), Qt::LeftButton, {},
                           shown.view.plot().axisRect()->rect().topLeft());
        QCOMPARE(shown.view.plot().xAxis->range(), before);
    }

    void aDatabaseWithoutSweepsSaysSo() {
        tests::StoredRuns stored;
        stored.add();
        Shown shown(stored.path());
        QTRY_VERIFY(!shown.view.front().isVisible());
        QVERIFY(shown.intents.calls.empty());
    }

    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("set IPU_WORKBENCH_PICTURES to a folder to see the pictures");
        const StoredSweep stored;
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, Theme(kind));
            Shown shown(stored.path());
            QTRY_COMPARE(shown.view.front().content().rows.size(), std::size_t(2));
            QTest::qWait(100);
            shown.view.grab().save(QStringLiteral("%1/sweep-%2.png").arg(folder, themeName(kind)));
        }
    }
};

REGISTER_WIDGET_TEST("sweep_view", SweepViewTest)
#include "sweep_view_test.moc"
