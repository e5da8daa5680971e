#include "views/timeline/timeline_picture.h"

#include "core/profile/profile_writer.h"
#include "tests/support/synthetic_run.h"
#include "tests/support/test_registry.h"

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
