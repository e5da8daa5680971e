#include "views/profile/pareto/pareto_plot.h"

#include "tests/support/test_registry.h"

#include <QSizeF>
#include <QtTest/QTest>
#include <algorithm>

using views::ParetoScene;

class ParetoPlotTest : public QObject {
    Q_OBJECT

private slots:
    void aPictureOfManyPointsHasThoseThatCanBeToldApart() {
        ParetoScene scene;
        constexpr std::int64_t count = 200'000;
        for (std::int64_t i = 0; i < count; ++i)
            scene.points.push_back({i, double(i % 447), core::Bytes(i % 449), 1 + i % 2, "Grouped", true});
        scene.front = {std::vector<std::size_t>{std::size_t(count) - 1, 7}};
        scene.lettered = {count - 3};
        scene.chosen = count - 5;
        scene.isByIpus = true;
        const ParetoScene thin = views::thinned(scene, QSizeF(100, 50));
        QVERIFY(thin.points.size() <= 2 * 101 * 51 + 4);
        QVERIFY(thin.points.size() > 101 * 51);
        const auto has = [&](std::int64_t id) {
            return std::ranges::find(thin.points, id, &views::ParetoPoint::id) != thin.points.end();
        };
        QVERIFY(has(count - 1) && has(7) && has(count - 3) && has(count - 5));
        QCOMPARE(thin.points[(*thin.front)[0]].id, count - 1);
        QCOMPARE(thin.points[(*thin.front)[1]].id, std::int64_t(7));
        // Every place that was marked still is.
        const auto corner = [](const ParetoScene& of) {
            return std::ranges::any_of(of.points, [](const views::ParetoPoint& point) {
                return point.peak.value() > 440 && point.samplesPerSecond > 440;
            });
        };
        QCOMPARE(corner(thin), corner(scene));
    }

    void fewPointsStayAsTheyAre() {
        ParetoScene scene;
        for (std::int64_t i = 0; i < 1000; ++i)
            scene.points.push_back({i, 1, core::Bytes(1), 1, {}, true});
        QCOMPARE(views::thinned(scene, QSizeF(10, 10)).points.size(), scene.points.size());
    }
};

REGISTER_TEST("pareto_plot", ParetoPlotTest)
#include "pareto_plot_test.moc"
