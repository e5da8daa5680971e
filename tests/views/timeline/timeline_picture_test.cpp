#include "views/timeline/painting/timeline_picture.h"

#include "core/profile/writer/profile_writer.h"
#include "tests/support/synthetic_run.h"
#include "tests/support/test_registry.h"
#include "views/timeline/painting/timeline_painter.h"

#include <QElapsedTimer>
#include <QImage>
#include <QTemporaryDir>
#include <QtTest/QTest>

using namespace views;

class TimelinePictureTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::optional<core::ProfileDatabase> m_database;

private slots:
    void initTestCase() {
        m_database.emplace(*core::ProfileDatabase::open((m_folder.path() + "/runs").toStdString()));
        core::ProfileWriter writer(*m_database);
        tests::record({}, writer);
        QVERIFY(writer.outcome().has_value());
    }

    void drawsIntoEveryFormat() {
        const Theme theme;
        const auto picture = timelinePicture(*m_database, core::RunId(1), theme);
        QVERIFY2(picture.has_value(), picture ? "" : picture.error().front().message.c_str());
        for (const PictureFormat format : {PictureFormat::Png, PictureFormat::Svg, PictureFormat::Pdf})
            QVERIFY(renderPicture(*picture, format)->size() > 10000);
    }

    /// A picture of a million spans costs not much more than one of few: the rows that are painted are few.
    void paintingDoesNotGrowWithTheTrace() {
        std::array<qint64, 2> times{};
        for (std::size_t i = 0; i < 2; ++i) {
            auto database =
                core::ProfileDatabase::open((m_folder.path() + "/dense" + QString::number(i)).toStdString());
            core::ProfileWriter writer(*database);
            tests::recordDenseRun(4, i == 0 ? 2500 : 250000, writer);
            const auto scene = loadTimelineScene(*database, core::RunId(1), {}, 1600, 0, 1);
            QVERIFY2(scene.has_value(), scene ? "" : scene.error().front().message.c_str());
            QCOMPARE(scene->window->spanCount, i == 0 ? 10000 : 1000000);
            QImage image(1600, static_cast<int>(scene->layout.height), QImage::Format_ARGB32_Premultiplied);
            QPainter painter(&image);
            const Theme theme;
            paintTimeline(painter, *scene, theme);
            QElapsedTimer timer;
            timer.start();
            for (int repeat = 0; repeat < 5; ++repeat)
                paintTimeline(painter, *scene, theme);
            times[i] = timer.nsecsElapsed() / 5;
        }
        const double growth = double(times[1]) / double(times[0]);
        qInfo("%.1f ms for 10 000 spans, %.1f ms for 1 000 000: ratio %.2f", double(times[0]) / 1e6,
              double(times[1]) / 1e6, growth);
        QVERIFY(growth < 10);
    }

    /// IPU_WORKBENCH_PICTURES=folder keeps what was drawn, to be looked at.
    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("set IPU_WORKBENCH_PICTURES to a folder to see the pictures");
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            TimelineState state;
            state.microBatch = 3;
            const Theme theme(kind);
            const auto all = timelinePicture(*m_database, core::RunId(1), theme, {}, state);
            QVERIFY(savePicture(*all, folder + "/timeline-" + themeName(kind) + ".png").has_value());
        }
    }
};

REGISTER_WIDGET_TEST("timeline_picture", TimelinePictureTest)
#include "timeline_picture_test.moc"
