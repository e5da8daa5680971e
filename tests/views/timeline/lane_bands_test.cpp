#include "views/timeline/painting/lane_bands.h"

#include "core/profile/writer/profile_writer.h"
#include "tests/support/synthetic_run.h"
#include "tests/support/test_registry.h"
#include "views/timeline/painting/timeline_picture.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

using namespace views;

namespace {

QImage emptyPicture(const TimelineScene& scene, double ratio) {
    QImage picture(static_cast<int>(scene.layout.width * ratio),
                   static_cast<int>(scene.layout.height * ratio), QImage::Format_RGB32);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::magenta);
    return picture;
}

} // namespace

class LaneBandsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::optional<core::ProfileDatabase> m_database;

    TimelineScene sceneOf(TimelineState state) {
        return *loadTimelineScene(*m_database, core::RunId(1), std::move(state), 900, 700, 1);
    }

private slots:
    void initTestCase() {
        m_database.emplace(*core::ProfileDatabase::open((m_folder.path() + "/runs").toStdString()));
        core::ProfileWriter writer(*m_database);
        tests::record({}, writer);
        QVERIFY(writer.outcome().has_value());
    }

    void bandsAreTheLanesOneBelowTheOther() {
        TimelineState state;
        state.pinned = {1};
        const TimelineScene scene = sceneOf(state);
        const QRectF lanes = scene.layout.pinnedLanes().united(scene.layout.lanes());
        for (int count = 1; count < 20; ++count) {
            const std::vector<double> bands = laneBands(scene, count, 1.5);
            QVERIFY(bands.size() >= 2 && bands.size() <= std::size_t(count) + 1);
            QCOMPARE(bands.front(), lanes.top());
            QCOMPARE(bands.back(), lanes.bottom());
            QVERIFY(std::is_sorted(bands.begin(), bands.end()));
        }
    }

    /// At other ratios edges that lie between two pixels may be rounded to either.
    void aPictureInBandsIsTheOneOfASinglePainter() {
        TimelineRaster raster;
        const Theme theme;
        TimelineState plain;
        TimelineState pinned;
        pinned.pinned = {1};
        pinned.counters = {0, 1};
        pinned.collapsed = {2};
        for (const TimelineState& state : {plain, pinned}) {
            for (const double scroll : {0.0, 37.0}) {
                for (const double ratio : {1.0, 2.0}) {
                    TimelineScene scene = sceneOf(state);
                    scene.scroll = scroll;
                    QImage single = emptyPicture(scene, ratio);
                    QPainter painter(&single);
                    painter.fillRect(QRectF(0, 0, scene.layout.width, scene.layout.height),
                                     theme.color(Role::Panel));
                    paintTimeline(painter, scene, theme);
                    painter.end();
                    // The second frame takes what it can from the first.
                    for (int frame = 0; frame < 2; ++frame) {
                        QImage banded = emptyPicture(scene, ratio);
                        raster.paint(banded, scene, theme);
                        QVERIFY2(single == banded, qPrintable(QStringLiteral("scroll %1, ratio %2, frame %3")
                                                                  .arg(scroll)
                                                                  .arg(ratio)
                                                                  .arg(frame)));
                    }
                }
            }
        }
    }
};

REGISTER_WIDGET_TEST("lane_bands", LaneBandsTest)
#include "lane_bands_test.moc"
