#include "core/model/graph/model_builder.h"
#include "core/project/blocks/repeat_blocks.h"
#include "tests/support/painted_texts.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/graph_view.h"
#include "views/graph/model/canvas_model_builder.h"
#include "views/graph/model/cut_costs.h"
#include "views/graph/scene/canvas_handles.h"

#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QtTest/QTest>

using namespace views;

namespace {

/// A stem, four folded blocks of three layers and a head, cut in the middle.
core::Project cutTower() {
    core::ModelBuilder builder("tower");
    core::TensorRef at = builder.input("pixels", {8});
    at = builder.call("Dense", "stem", {{"units", 8}}, {at});
    for (int i = 1; i <= 4; ++i) {
        const std::string name = "block_" + std::to_string(i);
        core::TensorRef main = builder.call("Dense", name + "_dense", {{"units", 8}}, {at});
        main = builder.call("ReLU", name + "_relu", core::Json::object(), {main});
        at = builder.call("Add", name + "_add", core::Json::object(), {at, main});
    }
    core::Project project;
    project.name = "tower";
    project.model = std::move(builder).build({builder.call("Dense", "head", {{"units", 3}}, {at})});
    for (std::size_t entry = 0; entry < 14; ++entry)
        project.assignment.stages.emplace_back(entry < 7 ? 0 : 1);
    return core::withFolded(project, std::vector<std::string>{"block_1_dense"}, true);
}

/// Every layer takes 1,000 cycles forwards and 2,000 backwards, but for the last block's first, which takes
/// ten times as long.
core::PlanEstimate timesOf(const core::Project& project) {
    core::PlanEstimate estimate;
    estimate.clockHz = 1e9;
    estimate.step = core::Cycles(1'000'000);
    for (std::size_t k = 0; k < 2; ++k) {
        core::StageEstimate stage;
        stage.stage = core::StageId(k);
        stage.ipu = core::IpuId(k);
        estimate.stages.push_back(stage);
    }
    estimate.stages[0].host = core::Cycles(500);
    const CanvasModel model = makeCanvasModel(project, {});
    for (const CanvasNode& node : model.nodes) {
        if (!node.assignable)
            continue;
        const std::int64_t scale = node.key.path == "block_4_dense" ? 10 : 1;
        core::InvocationEstimate layer;
        layer.layer = node.key.path;
        layer.forward = core::Cycles(1000 * scale);
        layer.backward = core::Cycles(2000 * scale);
        estimate.stages[node.stage.index()].forward += layer.forward;
        estimate.stages[node.stage.index()].backward += layer.backward;
        estimate.invocations.push_back(layer);
    }
    return estimate;
}

struct Bench {
    Bench() {
        view = std::make_unique<GraphView>(document, selection, intents);
        view->resize(1000, 700);
        view->show();
        document.open(cutTower(), {});
        document.setEstimate(document.snapshot(), timesOf(document.project()));
        QApplication::processEvents();
    }
    CanvasView& canvas() { return view->canvas(); }
    void send(QEvent::Type type, const QPointF& at, Qt::KeyboardModifiers modifiers) {
        const bool isMove = type == QEvent::MouseMove;
        QMouseEvent event(type, at, canvas().mapToGlobal(at), isMove ? Qt::NoButton : Qt::LeftButton,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, modifiers);
        QApplication::sendEvent(&canvas(), &event);
    }
    QPointF grip() { return gripRect(canvas().scene(), 0).center(); }
    /// Takes the grip to a point and lets go of it there.
    void dragGrip(const QPointF& to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        send(QEvent::MouseButtonPress, grip(), modifiers);
        send(QEvent::MouseMove, (grip() + to) / 2, modifiers);
        send(QEvent::MouseMove, to, modifiers);
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (!folder.isEmpty())
            view->grab().save(folder + "/cut-drag-" + QString::number(qHash(QString::number(to.y()))) +
                              ".png");
        send(QEvent::MouseButtonRelease, to, modifiers);
    }
    /// A point of the canvas at the height of a place of the cut, well inside of the column.
    QPointF placeOf(std::size_t entry) {
        for (const CutPoint& point : cutPoints(canvas().model(), canvas().geometry(), 0)) {
            if (point.entry != entry)
                continue;
            const ColumnShape& column = canvas().geometry().columns[point.column];
            return canvas().viewport().toView(QPointF((column.left + column.right()) / 2, point.at));
        }
        return {};
    }
    /// The same in the free layout: the middle of the line across the box there.
    QPointF freePlaceOf(std::size_t entry) {
        for (const CutPoint& point : cutPoints(canvas().model(), canvas().geometry(), 0)) {
            if (point.entry == entry)
                return canvas().viewport().toView(point.across.center());
        }
        return {};
    }
    void showFreely(bool toRight) {
        canvas().scene().setLayoutKind(CanvasLayoutKind::Free);
        if (toRight)
            view->commands().toggleLeftToRight();
        document.setEstimate(document.snapshot(), timesOf(document.project()));
        QApplication::processEvents();
    }
    std::size_t firstOfStageOne() {
        const auto& stages = document.project().assignment.stages;
        return std::size_t(std::ranges::find(stages, core::StageId(1)) - stages.begin());
    }

    Document document;
    Selection selection;
    tests::RecordedIntents intents;
    std::unique_ptr<GraphView> view;
};

} // namespace

/// Cuts that are dragged (rows 19 and 21).
class CutGestureTest : public QObject {
    Q_OBJECT

private slots:
    void init() { applyTheme(*qApp, Theme(ThemeKind::Light)); }

    void aCutGoesFromBlockToBlock() {
        Bench bench;
        QCOMPARE(bench.firstOfStageOne(), std::size_t{7});
        // A layer inside of the second block is meant, and the block is taken.
        bench.dragGrip(bench.placeOf(5));
        QCOMPARE(bench.firstOfStageOne(), std::size_t{4});
    }

    void withAltItGoesFromLayerToLayer() {
        Bench bench;
        bench.dragGrip(bench.placeOf(5), Qt::AltModifier);
        QCOMPARE(bench.firstOfStageOne(), std::size_t{5});
    }

    void upAndDownTheGutterItMovesToo() {
        Bench bench;
        QSignalSpy messages(&bench.canvas().scene(), &CanvasScene::messageChanged);
        bench.dragGrip(bench.grip() - QPointF(0, 60));
        QVERIFY(bench.firstOfStageOne() < 7);
        QVERIFY(!messages.isEmpty());
        bench.document.undoStack().undo();
        bench.document.setEstimate(bench.document.snapshot(), timesOf(bench.document.project()));
        bench.dragGrip(bench.grip() + QPointF(0, 60));
        QVERIFY(bench.firstOfStageOne() > 7);
        bench.document.undoStack().undo();
        // A hand that shakes changes nothing.
        bench.dragGrip(bench.grip() + QPointF(2, 5));
        QCOMPARE(bench.firstOfStageOne(), std::size_t{7});
    }

    void inTheFreeLayoutACutIsDraggedToo() {
        for (const bool toRight : {false, true}) {
            Bench bench;
            bench.showFreely(toRight);
            QCOMPARE(gripCount(bench.canvas().scene()), std::size_t(1));
            QCOMPARE(gripAt(bench.canvas().scene(), bench.grip()), 0);
            // It stands before the first layer behind the cut, and covers no box.
            const QRectF grip(
                bench.canvas().viewport().toCanvas(gripRect(bench.canvas().scene(), 0).topLeft()),
                bench.canvas().viewport().toCanvas(gripRect(bench.canvas().scene(), 0).bottomRight()));
            for (const BoxShape& box : bench.canvas().geometry().boxes)
                QVERIFY(box.isFrame() || !box.rect.intersects(grip));
            // A hand that shakes changes nothing.
            bench.dragGrip(bench.grip() + QPointF(2, 5));
            QCOMPARE(bench.firstOfStageOne(), std::size_t{7});
            // A layer inside of the second block is meant, and the block is taken.
            bench.dragGrip(bench.freePlaceOf(5));
            QCOMPARE(bench.firstOfStageOne(), std::size_t{4});
            bench.document.undoStack().undo();
            bench.dragGrip(bench.freePlaceOf(5), Qt::AltModifier);
            QCOMPARE(bench.firstOfStageOne(), std::size_t{5});
        }
    }

    void aCutInsideOfAClosedBlockHasItsPlaceThere() {
        Bench bench;
        bench.showFreely(false);
        const CanvasGeometry& geometry = bench.canvas().geometry();
        const auto closed = std::ranges::find_if(geometry.boxes, &BoxShape::isCollapsed);
        QVERIFY(closed != geometry.boxes.end());
        const QRectF rect = closed->rect;
        for (const CutPoint& point : cutPoints(bench.canvas().model(), geometry, 0)) {
            const int node = closed->members[1];
            if (bench.canvas().model().nodes[std::size_t(node)].assignable == point.entry)
                QVERIFY(point.across.y1() > rect.top() && point.across.y1() < rect.bottom());
        }
    }

    void aClosedBlockThatIsSplitHasTheColoursOfItsStages() {
        Bench bench;
        bench.showFreely(false);
        const BoxShape* split = nullptr;
        const CanvasModel& model = bench.canvas().model();
        for (const BoxShape& box : bench.canvas().geometry().boxes) {
            if (box.isCollapsed && model.nodes[std::size_t(box.members.front())].stage !=
                                       model.nodes[std::size_t(box.members.back())].stage)
                split = &box;
        }
        QVERIFY(split != nullptr);
        const QImage image = bench.canvas().grab().toImage();
        const Theme& theme = themeOf(&bench.canvas());
        const auto stripeAt = [&](double share) {
            const QPointF at(split->rect.left() + 1.5, split->rect.top() + share * split->rect.height());
            return image.pixelColor(bench.canvas().viewport().toView(at).toPoint());
        };
        QCOMPARE(stripeAt(0.3), theme.stage(0));
        QCOMPARE(stripeAt(0.7), theme.stage(1));
    }

    void theLayerAtTheCutIsNamed() {
        Bench bench;
        QSignalSpy messages(&bench.canvas().scene(), &CanvasScene::messageChanged);
        bench.dragGrip(bench.placeOf(4));
        QStringList all;
        for (const QList<QVariant>& each : messages)
            all << each.front().toString();
        QVERIFY(all.contains("3 layers to stage 1, cut before block_2_dense · Alt goes layer by layer"));
    }

    void aForecastHasItsSignUntilItsPlanIsSimulated() {
        Bench bench;
        CanvasScene& scene = bench.canvas().scene();
        ProjectSnapshot asked;
        QObject::connect(&scene.trials(), &TrialPlans::wanted, &scene,
                         [&](const ProjectSnapshot& plan) { asked = plan; });
        const auto prices = [&] {
            QStringList said;
            for (const tests::PaintedText& text : tests::paintedTexts(bench.canvas()))
                if (text.text.contains(QStringLiteral("µs")))
                    said << text.text;
            return said;
        };
        bench.send(QEvent::MouseButtonPress, bench.grip(), Qt::NoModifier);
        const QStringList forecast = prices();
        QCOMPARE(forecast.size(), 1);
        QVERIFY(forecast.front().startsWith(QStringLiteral("≈")));
        // The place that looks best is asked for first.
        QTRY_VERIFY(asked != nullptr);
        const auto& stages = asked->assignment.stages;
        QCOMPARE(std::ranges::find(stages, core::StageId(1)) - stages.begin(), std::ptrdiff_t(10));
        core::PlanEstimate estimate = timesOf(*asked);
        core::IpuEstimate full;
        full.limit = core::Bytes(100);
        full.peak = core::Bytes(200);
        estimate.ipus = {full};
        const ProjectSnapshot plan = asked;
        scene.trials().answer(plan, estimate);
        QCOMPARE(prices().size(), 1);
        QVERIFY2(!prices().front().contains(QStringLiteral("≈")) && prices().front().endsWith("does not fit"),
                 qPrintable(prices().front()));
        // Others are asked for, and none when the cut is let go of.
        QVERIFY(asked != nullptr && asked != plan);
        bench.send(QEvent::MouseButtonRelease, bench.grip(), Qt::NoModifier);
        QVERIFY(asked == nullptr);
    }

    void everyPlaceHasItsCost() {
        Bench bench;
        const std::vector<CutPoint> points = cutPoints(bench.canvas().model(), bench.canvas().geometry(), 0);
        const std::vector<core::Cycles> costs =
            cutCosts(bench.canvas().model(), *bench.document.estimate(), points, 0);
        QCOMPARE(costs.size(), points.size());
        // Entries 0 … 13 at 3,000 cycles, entry 10 at 30,000; 500 of the host stay on stage 0.
        for (std::size_t i = 0; i < points.size(); ++i) {
            std::int64_t before = 500;
            std::int64_t behind = 0;
            for (std::size_t entry = 0; entry < 14; ++entry)
                (entry < points[i].entry ? before : behind) += entry == 10 ? 30'000 : 3'000;
            QCOMPARE(costs[i].value(), std::max(before, behind));
        }
        // The best one is not where the cut is.
        const auto best = std::size_t(std::ranges::min_element(costs) - costs.begin());
        QCOMPARE(points[best].entry, std::size_t{10});
    }
};

REGISTER_WIDGET_TEST("cut_gesture", CutGestureTest)
#include "cut_gesture_test.moc"
