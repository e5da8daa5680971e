#include "app/window/frame/dock_panel.h"
#include "core/profile/queries/run_queries.h"
#include "core/project/project_edit.h"
#include "tests/app/editor/person.h"
#include "tests/app/window_bench.h"
#include "tests/support/painted_texts.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/canvas/cut_overlay.h"
#include "views/graph/graph_view.h"
#include "views/graph/scene/canvas_handles.h"
#include "views/inspector/project_tree.h"

#include <QApplication>

using tests::Person;
using tests::WindowBench;

namespace {

/// A person before the small pipelined perceptron.
struct Desk {
    explicit Desk(QSize size = {1280, 800})
        : person(*bench.window, size) {}

    Person& open() {
        const bool isOpen = bench.window->files().open(bench.writeProject());
        Q_ASSERT(isOpen);
        Q_UNUSED(isOpen)
        person.press("Escape");
        return person;
    }
    const core::Project& project() const { return bench.window->document().project(); }
    std::vector<std::string> layers() const {
        std::vector<std::string> names;
        for (const core::Layer& layer : project().model.layers)
            names.push_back(layer.name);
        return names;
    }
    QPoint middleOf(const std::string& layer) const {
        const views::CanvasView& canvas = person.canvas();
        const int node = canvas.model().find({layer, 0});
        return canvas.viewport().toView(canvas.geometry().placeOf[std::size_t(node)].center()).toPoint();
    }
    /// The middle of the line between two layers.
    QPoint lineBetween(const std::string& from, const std::string& to) const {
        const views::CanvasModel& model = person.canvas().model();
        for (const views::EdgeShape& shape : person.canvas().geometry().edges) {
            const views::CanvasEdge& edge = model.edges[std::size_t(shape.edge)];
            if (model.nodes[std::size_t(edge.from)].key.path != from ||
                model.nodes[std::size_t(edge.to)].key.path != to)
                continue;
            const QPolygonF& piece = shape.pieces.front();
            return person.canvas().viewport().toView((piece[0] + piece[1]) / 2).toPoint();
        }
        return {-1, -1};
    }
    std::string readOf(const std::string& layer) const {
        for (const core::LayerInvocation& call : project().model.invocations) {
            if (project().model.layer(call.layer).name == layer && !call.inputs.empty())
                return project().model.layer(call.inputs.front().invocation).name;
        }
        return {};
    }

    WindowBench bench;
    Person person;
};

} // namespace

/// What hands do to a model in the real window.
class EditorGesturesTest : public QObject {
    Q_OBJECT

private slots:
    void aDigitThatSkipsAStageLeavesAnEmptyOneToMend() {
        Desk desk;
        Person& person = desk.open();
        person.click(person.canvas(), person.placeOf(desk.layers().back()));
        person.press("4");
        QTRY_COMPARE(desk.project().assignment.stageCount(), std::size_t{5});
        auto* const row = desk.bench.window->findChild<views::ProjectTree*>();
        QVERIFY(row != nullptr);
        const QAbstractItemModel& tree = *row->tree().model();
        QTRY_COMPARE(tree.rowCount(tree.index(0, 0)), 5);
        person.press("Ctrl+Z");
        QTRY_COMPARE(desk.project().assignment.stageCount(), std::size_t{2});
        QTRY_COMPARE(tree.rowCount(tree.index(0, 0)), 2);
    }

    void init() { views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light)); }

    void aClassDroppedOnALineIsPutBetweenItsEnds() {
        Desk desk;
        Person& person = desk.open();
        const std::string first = desk.project().model.layers[1].name;
        const std::string second = desk.project().model.layers[2].name;
        person.carry("Dropout", desk.lineBetween(first, second));
        QCOMPARE(desk.readOf("dropout"), first);
        QCOMPARE(desk.readOf(second), std::string("dropout"));
    }

    void aClassOfThePaletteIsAddedWhereItIsDropped() {
        Desk desk;
        Person& person = desk.open();
        person.click(*person.button("Free layout"));
        const std::size_t before = desk.project().model.layers.size();
        const QPoint ground = person.emptyGround();
        person.carry("EinsumDense", ground);
        QCOMPARE(desk.project().model.layers.size(), before + 1);
        QCOMPARE(desk.readOf("einsum_dense"), std::string());
        const QPoint place = person.placeOf("einsum_dense");
        QVERIFY2((place - ground).manhattanLength() < 120,
                 qPrintable(QString("%1 %2").arg((place - ground).x()).arg((place - ground).y())));
        person.press("Ctrl+Z");
        QCOMPARE(desk.project().model.layers.size(), before);
    }

    void inTheStageLayoutABoxLandsInItsColumnWhereItIsDropped() {
        Desk desk;
        Person& person = desk.open();
        const core::Project before = desk.project();
        for (const std::size_t stage : {std::size_t(0), std::size_t(1)}) {
            const views::ColumnShape& column = person.canvas().geometry().columns[stage];
            const QPointF foot(column.left + column.width / 2, column.bottom + 60);
            const QPoint ground = person.canvas().viewport().toView(foot).toPoint();
            person.carry("EinsumDense", ground);
            const QPoint place = desk.middleOf("einsum_dense");
            QVERIFY2((place - ground).manhattanLength() < 4,
                     qPrintable(QString("%1 %2").arg((place - ground).x()).arg((place - ground).y())));
            const views::CanvasModel& model = person.canvas().model();
            QCOMPARE(model.nodes[std::size_t(model.find({"einsum_dense", 0}))].stage.index(), stage);
            person.keep(QStringLiteral("drop-%1").arg(stage));
            // One step, and what stood there has not moved.
            person.press("Ctrl+Z");
            QVERIFY(desk.project() == before);
        }
        // Close beside another box it keeps clear of it.
        const std::string other = desk.layers()[1];
        const QPoint beside = person.placeOf(other) + QPoint(100, 30);
        person.carry("EinsumDense", beside);
        const auto& geometry = person.canvas().geometry();
        const auto placeOf = [&](const std::string& layer) {
            return geometry.placeOf[std::size_t(person.canvas().model().find({layer, 0}))];
        };
        QVERIFY(!placeOf("einsum_dense").intersects(placeOf(other)));
    }

    void tabSearchesAtThePointerAndWhatIsAddedStandsThere() {
        Desk desk;
        Person& person = desk.open();
        const views::ColumnShape& column = person.canvas().geometry().columns[0];
        const QPoint ground = person.canvas()
                                  .viewport()
                                  .toView(QPointF(column.left + column.width / 2, column.bottom + 70))
                                  .toPoint();
        person.click(person.canvas(), ground);
        person.press("Tab");
        const QWidget* search = QApplication::activePopupWidget();
        QVERIFY(search != nullptr);
        const QPoint corner = person.canvas().mapFromGlobal(search->mapToGlobal(QPoint(0, 0)));
        QVERIFY2((corner - ground).manhattanLength() < 60 ||
                     search->geometry().contains(person.canvas().mapToGlobal(ground)),
                 qPrintable(QString("%1 %2").arg(corner.x() - ground.x()).arg(corner.y() - ground.y())));
        person.type("EinsumDense");
        person.press("Return");
        QCOMPARE(desk.readOf("einsum_dense"), std::string());
        QVERIFY((desk.middleOf("einsum_dense") - ground).manhattanLength() < 4);
    }

    void aClassThatDoesNotFitSaysWhyInWhole() {
        Desk desk;
        Person& person = desk.open();
        person.click(person.canvas(), person.placeOf(desk.layers()[1]));
        person.press("Tab");
        person.type("conv");
        QWidget* list = QApplication::activePopupWidget();
        QVERIFY(list != nullptr);
        QString painted;
        for (const tests::PaintedText& text : tests::paintedTexts(*list))
            painted += text.text + "|";
        QVERIFY2(painted.contains("expects 4 axes") && painted.contains("expects 3 axes"),
                 qPrintable(painted));
        QVERIFY2(!painted.contains(QChar(0x2026)), qPrintable(painted));
        person.press("Escape");
    }

    void tabBehindALayerOfAChainSplicesAndShiftEnterBranches() {
        Desk desk;
        Person& person = desk.open();
        const std::string first = desk.project().model.layers[1].name;
        const std::string second = desk.project().model.layers[2].name;
        person.click(person.canvas(), person.placeOf(first));
        person.add("Dropout");
        QCOMPARE(desk.readOf("dropout"), first);
        QCOMPARE(desk.readOf(second), std::string("dropout"));
        person.press("Ctrl+Z");
        person.click(person.canvas(), person.placeOf(first));
        person.press("Tab");
        person.type("Dropout");
        person.press("Shift+Return");
        QCOMPARE(desk.readOf("dropout"), first);
        QCOMPARE(desk.readOf(second), first);
    }

    void everythingDoneIsUndoneAndDoneAgain() {
        Desk desk;
        Person& person = desk.open();
        const core::Project start = desk.project();
        const std::string layer = desk.project().model.layers[1].name;
        person.click(person.canvas(), person.placeOf(layer));
        person.setField("units", "48");
        person.click(person.canvas(), person.placeOf(layer));
        person.press("1");
        person.press("Ctrl+D");
        person.press("Delete");
        const core::Project end = desk.project();
        for (int i = 0; i < 20; ++i)
            person.press("Ctrl+Z");
        QVERIFY(desk.project() == start);
        for (int i = 0; i < 20; ++i)
            person.press("Ctrl+Shift+Z");
        QVERIFY(desk.project() == end);
    }

    void copiesComeWithAndWithoutWhatTheyRead() {
        Desk desk;
        Person& person = desk.open();
        const std::string first = desk.project().model.layers[1].name;
        const std::string second = desk.project().model.layers[2].name;
        person.click(person.canvas(), person.placeOf(second));
        person.press("Ctrl+C");
        person.press("Ctrl+V");
        QCOMPARE(desk.readOf(desk.layers().back()), std::string());
        person.press("Ctrl+Z");
        person.press("Ctrl+Shift+V");
        QCOMPARE(desk.readOf(desk.layers().back()), first);
        // Their names are counted on, as Keras counts.
        QCOMPARE(desk.layers().back(), second + "_1");
        person.press("Ctrl+D");
        QCOMPARE(desk.layers().back(), second + "_2");
    }

    void copiesAreOnTheStagesOfTheirOriginals() {
        Desk desk;
        Person& person = desk.open();
        const auto stageOf = [&](const std::string& layer) {
            const views::CanvasModel& model = person.canvas().model();
            return model.nodes[std::size_t(model.find({layer, 0}))].stage;
        };
        // The first layer of the second stage reads one of the first.
        const std::string last = desk.layers()[2];
        person.click(person.canvas(), person.placeOf(last));
        person.press("1");
        QCOMPARE(stageOf(last).index(), std::size_t(1));
        QCOMPARE(stageOf(desk.readOf(last)).index(), std::size_t(0));
        person.press("Ctrl+C");
        person.press("Ctrl+Shift+V");
        QCOMPARE(stageOf(desk.layers().back()).index(), std::size_t(1));
        person.press("Ctrl+Z");
        person.click(person.canvas(), person.placeOf(last));
        person.press("Ctrl+D");
        QCOMPARE(stageOf(desk.layers().back()).index(), std::size_t(1));
    }

    void anOpaqueLayerIsPutBetweenAsOthersAre() {
        Desk desk;
        Person& person = desk.open();
        const std::string first = desk.project().model.layers[1].name;
        const std::string second = desk.project().model.layers[2].name;
        const std::size_t outputs = desk.project().model.outputs.size();
        person.click(person.canvas(), person.placeOf(first));
        person.command("opaque layer");
        const std::string opaque = desk.readOf(second);
        QVERIFY(opaque != first);
        QCOMPARE(desk.readOf(opaque), first);
        QVERIFY(desk.project().opaqueLayers.contains(opaque));
        QCOMPARE(desk.project().model.outputs.size(), outputs);
        QVERIFY(person.waitForFigures());
        QVERIFY(desk.bench.window->document().areFiguresCurrent());
    }

    void connectingLeavesWhatComesBeforeInView() {
        Desk desk;
        Person& person = desk.person;
        person.press("Ctrl+N");
        person.add("InputLayer");
        person.press("Escape");
        person.add("Dense");
        person.press("L");
        person.type("input");
        person.press("Return");
        const views::CanvasView& canvas = person.canvas();
        const QRectF input =
            canvas.geometry().placeOf[std::size_t(canvas.model().find({desk.layers()[0], 0}))];
        QVERIFY2(canvas.viewport().toView(input).top() >= 0,
                 qPrintable(QString::number(canvas.viewport().toView(input).top())));
    }

    void aRubberBandSelectsAndDeleteTakesAllOfIt() {
        Desk desk;
        Person& person = desk.open();
        const std::size_t before = desk.project().model.layers.size();
        const QRectF box = person.canvas().viewport().toView(person.canvas().geometry().placeOf[std::size_t(
            person.canvas().model().find({desk.project().model.layers[1].name, 0}))]);
        person.drag(person.canvas(), box.topLeft().toPoint() - QPoint(8, 8),
                    box.bottomRight().toPoint() + QPoint(8, 8));
        QCOMPARE(desk.bench.window->selection().state().invocations.size(), std::size_t(1));
        person.click(person.canvas(), person.placeOf(desk.project().model.layers[2].name), Qt::ShiftModifier);
        QCOMPARE(desk.bench.window->selection().state().invocations.size(), std::size_t(2));
        person.press("Ctrl+Delete");
        QCOMPARE(desk.project().model.layers.size(), before - 2);
        QVERIFY(!desk.readOf(desk.layers().back()).empty());
    }

    void gaugesFollowACutThatIsDraggedAndEqualARun() {
        Desk desk;
        Person& person = desk.open();
        QVERIFY(person.waitForFigures());
        const QString before = person.gauge("Time of stage 0");
        QVERIFY(!before.isEmpty());
        const QPoint grip = views::gripRect(person.canvas().scene(), 0).center().toPoint();
        const std::string second = desk.project().model.layers[2].name;
        const auto stages = desk.project().assignment.stages;
        // To below the first layer of the second stage.
        const QRectF box = person.canvas().viewport().toView(
            person.canvas().geometry().placeOf[std::size_t(person.canvas().model().find({second, 0}))]);
        const QPoint target(int(box.center().x()), int(box.bottom()) + 4);
        person.takeHold(person.canvas(), grip, target);
        QTRY_VERIFY_WITH_TIMEOUT(desk.bench.window->document().previewEstimate().has_value(), 10000);
        QTRY_VERIFY(person.gauge("Time of stage 0") != before);
        QVERIFY(desk.project().assignment.stages == stages);
        const QString dragged = person.gauge("Time of stage 0");
        person.letGo(person.canvas(), target);
        QVERIFY(desk.project().assignment.stages != stages);
        QVERIFY(person.waitForFigures());
        QCOMPARE(person.gauge("Time of stage 0"), dragged);
        const core::Cycles step = desk.bench.window->document().estimate()->step;
        person.press("F5");
        QVERIFY(person.waitForRun());
        const auto database = core::ProfileDatabase::open(desk.bench.window->files().database(),
                                                          {core::DatabaseAccess::ReadOnly});
        QCOMPARE(core::listRuns(*database).value().back().step->value(), step.value());
    }

    /// Beside the places of a cut stands what the gauges will show once it is taken, and not a guess.
    void thePriceOfACutIsWhatTheGaugesShowOnceItIsThere() {
        Desk desk;
        Person& person = desk.open();
        QVERIFY(person.waitForFigures());
        views::Document& document = desk.bench.window->document();
        const QPoint grip = views::gripRect(person.canvas().scene(), 0).center().toPoint();
        const std::string second = desk.project().model.layers[2].name;
        const QRectF box = person.canvas().viewport().toView(
            person.canvas().geometry().placeOf[std::size_t(person.canvas().model().find({second, 0}))]);
        const QPoint target(int(box.center().x()), int(box.bottom()) + 4);
        const auto prices = [&] {
            QStringList said;
            for (const tests::PaintedText& text : tests::paintedTexts(person.canvas()))
                if (text.text.endsWith(QStringLiteral("µs")) || text.text.endsWith(QStringLiteral("ms")))
                    said << text.text;
            return said;
        };
        person.takeHold(person.canvas(), grip, target);
        QVERIFY(!prices().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(!prices().isEmpty() && prices().filter(QStringLiteral("≈")).isEmpty(),
                                 20000);
        QTRY_VERIFY_WITH_TIMEOUT(document.previewEstimate().has_value(), 10000);
        const QStringList promised = prices();
        person.keep("cut-prices");
        person.letGo(person.canvas(), target);
        QVERIFY(person.waitForFigures());
        core::Cycles slowest;
        for (const core::StageEstimate& stage : document.estimate()->stages)
            slowest = std::max(slowest, stage.perMicroBatch());
        const QString shown = views::timeText(slowest, document.units().time, document.timeScale()).joined();
        QVERIFY2(promised.contains(shown), qPrintable(promised.join(" | ") + " / " + shown));
    }

    void locksLastInTheFile() {
        Desk desk;
        Person& person = desk.open();
        const std::string layer = desk.project().model.layers[1].name;
        person.click(person.canvas(), person.placeOf(layer));
        person.press("Ctrl+Shift+K");
        person.press("Ctrl+S");
        const auto stored = core::loadProject(desk.bench.window->document().path());
        QVERIFY(stored.has_value());
        QVERIFY(core::lockedLayers(stored->project).contains(layer));
        person.press("Ctrl+Z");
        QVERIFY(!core::lockedLayers(desk.project()).contains(layer));
    }

    void unitsOfBytesAreChosenOnceForAll() {
        Desk desk;
        Person& person = desk.open();
        QVERIFY(person.waitForFigures());
        QVERIFY2(person.gauge("Memory of stage 0").endsWith("iB"),
                 qPrintable(person.gauge("Memory of stage 0")));
        person.command("kB, MB, GB");
        QVERIFY2(person.gauge("Memory of stage 0").endsWith("kB") ||
                     person.gauge("Memory of stage 0").endsWith("MB"),
                 qPrintable(person.gauge("Memory of stage 0")));
    }

    void aLayoutIsKeptUnderANameAndTaken() {
        Desk desk;
        Person& person = desk.open();
        const auto& docks = desk.bench.window->workspaces().docks();
        QVERIFY(docks[0]->isVisible());
        docks[0]->hide();
        person.whenAsked([&] {
            person.press("Ctrl+A");
            person.type("Drawing");
            person.press("Return");
        });
        person.command("keep the layout");
        QCOMPARE(desk.bench.window->workspaces().layouts(), QStringList{"Drawing"});
        person.command("reset the docks");
        QVERIFY(docks[0]->isVisible());
        person.command("Layout Drawing");
        QVERIFY(!docks[0]->isVisible());
        // What it holds is of all workspaces, and lasts.
        desk.bench.window->workspaces().forgetLayout("Drawing");
        QVERIFY(desk.bench.window->workspaces().layouts().isEmpty());
    }

    void aDrawingThatFillsTheViewFillsALargerOne() {
        Desk desk;
        Person& person = desk.open();
        person.click(*person.button("Free layout"));
        person.canvas().scene().camera().fitAll();
        const auto isFilled = [&] {
            const views::CanvasViewport& viewport = person.canvas().viewport();
            const QRectF drawn = viewport.toView(person.canvas().geometry().bounds);
            const QRectF view = person.canvas().rect();
            return std::abs(drawn.center().x() - view.center().x()) < 4 &&
                   std::abs(drawn.center().y() - view.center().y()) < 4;
        };
        QVERIFY(isFilled());
        desk.bench.window->resize(1800, 1100);
        QTRY_VERIFY(isFilled());
        // Who has moved it looks at something.
        person.canvas().scene().camera().moveBy({20, 0});
        const QPointF origin = person.canvas().viewport().origin;
        desk.bench.window->resize(1700, 1100);
        QCoreApplication::processEvents();
        QCOMPARE(person.canvas().viewport().origin, origin);
    }

    void whatOneLooksAtStaysInPlaceAndSlides() {
        Desk desk;
        Person& person = desk.open();
        person.click(*person.button("Free layout"));
        const std::string layer = desk.project().model.layers[2].name;
        person.click(person.canvas(), person.placeOf(layer));
        // Of a drawing that is larger than the view; of a smaller one all stays in view.
        person.canvas().scene().camera().zoomBy(3);
        person.press("F");
        const QPoint before = person.placeOf(layer);
        // Something comes before it.
        person.canvas().scene().motion().setDuration(150);
        desk.bench.window->graph().commands().insertLayer("Dropout", person.canvas().model(), 0);
        QVERIFY(person.canvas().scene().motion().isMoving());
        const QPoint after = person.placeOf(layer);
        QVERIFY2((after - before).manhattanLength() <= 2,
                 qPrintable(QString("%1 %2").arg((after - before).x()).arg((after - before).y())));
        QTRY_VERIFY(!person.canvas().scene().motion().isMoving());
        QVERIFY(person.canvas().scene().state().shifts.empty());
    }
};

REGISTER_WIDGET_TEST("editor_gestures", EditorGesturesTest)
#include "editor_gestures_test.moc"
