#include "views/roofline/roofline_plane.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using namespace views;

namespace {

/// 100 FLOP and 8 bytes in a cycle of a nanosecond.
RooflineScene sceneOf(std::vector<core::RooflinePoint> points) {
    auto roofline = std::make_shared<core::Roofline>();
    roofline->clockHz = 1e9;
    roofline->step = core::Cycles(1000);
    roofline->roofs = {{"float32", core::Flops(100)}};
    roofline->bytesPerCycle = 8;
    roofline->operations = std::move(points);
    return rooflineScene(roofline, RooflineGrouping::Operation);
}

core::RooflinePoint point(std::int64_t cycles, std::int64_t flops, std::int64_t bytes) {
    core::RooflinePoint one;
    one.compute = core::Cycles(cycles);
    one.flops = core::Flops(flops);
    one.bytes = core::Bytes(bytes);
    return one;
}

} // namespace

class RooflinePlaneTest : public QObject {
    Q_OBJECT

private slots:
    void everyPointAndTheRoofsHaveAPlace() {
        const RooflineScene scene =
            sceneOf({point(10, 900, 4), point(100, 3, 1000), point(10, 5, 0), point(10, 0, 8)});
        const RooflinePlane plane = planeOf(scene, QRectF(0, 0, 800, 500), 1);
        QVERIFY(!plane.strip.isEmpty());
        for (const std::size_t i : {0, 1})
            QVERIFY(plane.area.contains(plane.place(scene.points()[i], 1e9)));
        QVERIFY(plane.strip.contains(plane.place(scene.points()[2], 1e9)));
        QVERIFY(plane.area.contains(QPointF(plane.x(12.5), plane.y(100e9))));
        // What computes nothing is not drawn.
        QCOMPARE(scene.drawOrder(), (std::vector<std::size_t>{1, 0, 2}));
    }

    void pixelsAndFiguresAreTheSamePlace() {
        const RooflineScene scene = sceneOf({point(10, 900, 4), point(100, 3, 1000)});
        const RooflinePlane plane = planeOf(scene, QRectF(0, 0, 800, 500), 1);
        QVERIFY(plane.strip.isEmpty());
        for (const double value : {0.01, 1.0, 225.0}) {
            QVERIFY(std::abs(plane.intensityAt(plane.x(value)) / value - 1) < 1e-9);
            QVERIFY(std::abs(plane.rateAt(plane.y(value * 1e9)) / value / 1e9 - 1) < 1e-9);
        }
    }

    void whatIsUnderTheMouseStaysThereWhileOneZooms() {
        RooflineScene scene = sceneOf({point(10, 900, 4), point(100, 3, 1000)});
        const RooflinePlane before = planeOf(scene, QRectF(0, 0, 800, 500), 1);
        const QPointF at(300, 200);
        scene.shown = before.zoomed(0.5, at);
        const RooflinePlane after = planeOf(scene, QRectF(0, 0, 800, 500), 1);
        QVERIFY(std::abs(after.intensityAt(at.x()) / before.intensityAt(at.x()) - 1) < 1e-9);
        QVERIFY(std::abs(after.rateAt(at.y()) / before.rateAt(at.y()) - 1) < 1e-9);
        const double width = before.window.intensity.high - before.window.intensity.low;
        QVERIFY(std::abs(after.window.intensity.high - after.window.intensity.low - width / 2) < 1e-9);
    }

    void aFrameHoldsWhatLiesInItAndStaysWithItWhenOneZooms() {
        RooflineScene scene = sceneOf({point(10, 900, 4), point(100, 3, 1000), point(10, 5, 0)});
        const RooflinePlane plane = planeOf(scene, QRectF(0, 0, 800, 500), 1);
        const QPointF first = plane.place(scene.points()[0], 1e9);
        const RooflineFrame frame = frameOf(plane, QRectF(first - QPointF(10, 10), first + QPointF(10, 10)));
        QVERIFY(holds(frame, scene.points()[0], 1e9));
        QVERIFY(!holds(frame, scene.points()[1], 1e9));
        QVERIFY(!holds(frame, scene.points()[2], 1e9));
        const RooflineFrame strip = frameOf(plane, plane.strip);
        QVERIFY(holds(strip, scene.points()[2], 1e9));
        QVERIFY(!holds(strip, scene.points()[0], 1e9));
        QVERIFY(holds(frameOf(plane, plane.area.united(plane.strip)), scene.points()[0], 1e9));
        scene.shown = plane.zoomed(0.5, first);
        const RooflinePlane nearer = planeOf(scene, QRectF(0, 0, 800, 500), 1);
        QVERIFY(std::abs(pixelsOf(nearer, frame).width() - 40) < 1e-6);
    }

    void theSmallerOfTwoPointsAtOnePlaceIsHit() {
        const RooflineScene scene = sceneOf({point(900, 90, 40), point(9, 0, 0), point(90, 9, 4)});
        const RooflinePlane plane = planeOf(scene, QRectF(0, 0, 800, 500), 1);
        const QPointF at = plane.place(scene.points()[0], 1e9);
        QCOMPARE(pointAt(scene, plane, at, 1), std::optional<std::size_t>(2));
        QCOMPARE(pointAt(scene, plane, at + QPointF(scene.radius(scene.points()[0]) - 1, 0), 1),
                 std::optional<std::size_t>(0));
        QCOMPARE(pointAt(scene, plane, at + QPointF(60, 60), 1), std::nullopt);
    }
};

REGISTER_TEST("roofline_plane", RooflinePlaneTest)
#include "roofline_plane_test.moc"
