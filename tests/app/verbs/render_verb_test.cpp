#include "core/base/file.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QImage>
#include <QtTest/QTest>

using tests::Answer;
using tests::Workbench;

namespace {

QByteArray pictureOf(const std::filesystem::path& path) {
    return QByteArray::fromStdString(core::readFile(path).value_or(std::string()));
}

} // namespace

/// `render`: pictures of views without a display.
class RenderVerbTest : public QObject {
    Q_OBJECT

    Workbench m_workbench;

private slots:
    void initTestCase() {
        m_workbench.writeProject("p.ipuproj");
        const Answer answer = m_workbench.run({"run", "p.ipuproj", "--no-numerics", "--profile", "tile"});
        QVERIFY2(answer.code == 0, answer.err);
    }

    void everyViewOfARunHasAPicture_data() {
        QTest::addColumn<QString>("view");
        for (const char* view : {"timeline", "liveness", "tiles", "schedule", "comparison"})
            QTest::newRow(view) << QString(view);
    }
    void everyViewOfARunHasAPicture() {
        QFETCH(QString, view);
        for (const char* ending : {"svg", "png", "pdf"}) {
            const QString file = QStringLiteral("%1.%2").arg(view, ending);
            const Answer answer =
                m_workbench.run({"render", "last", "--view", view, "--theme", "dark", "-o", file, "--json"});
            QVERIFY2(answer.code == 0, answer.err);
            QCOMPARE(answer.err, QByteArray());
            QCOMPARE(answer.json()["view"].get<std::string>(), view.toStdString());
            const QByteArray bytes = pictureOf(m_workbench.path(qPrintable(file)));
            QCOMPARE(std::size_t(bytes.size()), answer.json()["bytes"].get<std::size_t>());
            const QByteArray head = QByteArray(ending) == "svg"   ? "<?xml"
                                    : QByteArray(ending) == "png" ? "\x89PNG"
                                                                  : "%PDF";
            QVERIFY2(bytes.startsWith(head), qPrintable(file));
        }
    }

    void aPictureHasTheSizeThatIsAskedFor() {
        const Answer answer = m_workbench.run(
            {"render", "1", "--view", "liveness", "--width", "640", "--height", "400", "-o", "small.png"});
        QVERIFY2(answer.code == 0, answer.err);
        const QImage image(QString::fromStdString(m_workbench.path("small.png").string()));
        QCOMPARE(image.size(), QSize(1280, 800));
    }

    void theSameRunGivesTheSamePicture() {
        const QStringList arguments{"render", "1", "--view", "timeline"};
        const Answer first = m_workbench.run(arguments);
        QVERIFY2(first.code == 0, first.err);
        QVERIFY(first.out.contains("<svg"));
        QCOMPARE(m_workbench.run(arguments).out, first.out);
    }

    void aScheduleNeedsNoRun() {
        const Answer answer = m_workbench.run(
            {"render", "p.ipuproj", "--view", "schedule", "--set", "pipeline.schedule=Interleaved"});
        QVERIFY2(answer.code == 0, answer.err);
        QVERIFY(answer.out.contains("Interleaved"));
        QVERIFY(answer.out.contains(">B0<"));
    }

    void anExportAsSvgIsTheSamePicture() {
        const Answer exported =
            m_workbench.run({"export", "1", "--format", "svg", "--database", "p.profiles.sqlite"});
        QVERIFY2(exported.code == 0, exported.err);
        QCOMPARE(exported.out, m_workbench.run({"render", "1", "--view", "timeline"}).out);
        const Answer schedule = m_workbench.run({"export", "p.ipuproj", "--format", "svg"});
        QVERIFY2(schedule.out.contains(">B0<"), schedule.err);
    }

    void anExportRefusesWhatItsFormatDoesNotTake_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("hint");
        QTest::newRow("theme of a table")
            << QStringList{"1", "--format", "csv", "--theme", "dark"} << QByteArray("--format svg");
        QTest::newRow("edition of a trace")
            << QStringList{"1", "--format", "chrome-trace", "--api", "2.1"} << QByteArray("--format python");
        QTest::newRow("settings of a run") << QStringList{"1", "--format", "csv", "--set", "replicas=2"}
                                           << QByteArray("as it was simulated");
    }
    void anExportRefusesWhatItsFormatDoesNotTake() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, hint);
        const Answer answer = m_workbench.run(QStringList{"export"} + arguments);
        QCOMPARE(answer.code, 2);
        QVERIFY2(answer.err.contains(hint), answer.err);
        QCOMPARE(answer.out, QByteArray());
    }

    void refusesWhatHasNoPicture_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("hint");
        QTest::newRow("view") << QStringList{"last", "--view", "timelin"} << 2 << QByteArray("timeline");
        QTest::newRow("ending") << QStringList{"last", "--view", "tiles", "-o", "a.bmp"} << 2
                                << QByteArray(".svg");
        QTest::newRow("project") << QStringList{"p.ipuproj", "--view", "timeline"} << 2
                                 << QByteArray("run the project");
        QTest::newRow("several") << QStringList{"1", "1", "--view", "timeline"} << 2
                                 << QByteArray("name one run");
        QTest::newRow("unknown run") << QStringList{"77", "--view", "timeline"} << 3 << QByteArray("run");
        QTest::newRow("unknown IPU") << QStringList{"1", "--view", "tiles", "--ipu", "9"} << 3
                                     << QByteArray("IPU");
        const QByteArray nothing("means nothing");
        QTest::newRow("micro-batch of memory")
            << QStringList{"1", "--view", "liveness", "--micro-batch", "1"} << 2 << nothing;
        QTest::newRow("IPU of a timeline")
            << QStringList{"1", "--view", "timeline", "--ipu", "0"} << 2 << nothing;
        QTest::newRow("baseline of one run")
            << QStringList{"1", "--view", "timeline", "--baseline", "1"} << 2 << nothing;
        QTest::newRow("way through the timeline")
            << QStringList{"1", "--view", "timeline", "--by", "stage"} << 2 << nothing;
        QTest::newRow("stage of a flame graph by operation")
            << QStringList{"1", "--view", "flame", "--by", "operation"} << 2 << QByteArray("by stage");
        QTest::newRow("settings of a run") << QStringList{"1", "--view", "schedule", "--set", "replicas=2"}
                                           << 2 << QByteArray("as it was simulated");
        QTest::newRow("mode of a run") << QStringList{"1", "--view", "schedule", "--mode", "predict"} << 2
                                       << QByteArray("as it was simulated");
        QTest::newRow("no metrics") << QStringList{"1", "--view", "training"} << 3 << QByteArray("dataset");
    }
    void refusesWhatHasNoPicture() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QByteArray, hint);
        const Answer answer = m_workbench.run(QStringList{"render"} + arguments);
        QCOMPARE(answer.code, code);
        QVERIFY2(answer.err.contains(hint), answer.err);
        QCOMPARE(answer.out, QByteArray());
    }
};

REGISTER_TEST("render_verb", RenderVerbTest)

#include "render_verb_test.moc"
