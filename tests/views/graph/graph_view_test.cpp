#include "views/graph/graph_view.h"

#include "core/base/file.h"
#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "core/project/project_edit.h"
#include "tests/support/painted_texts.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "views/common/text/elided_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/elided_label.h"
#include "views/common/widgets/search_popup.h"
#include "views/graph/canvas/canvas_footer.h"
#include "views/graph/painting/canvas_texts.h"
#include "views/graph/scene/canvas_handles.h"
#include "views/graph/stage_strip.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest/QTest>

using namespace views;

namespace {

core::Project mnist() {
    core::Project project;
    project.name = "mnist";
    project.model = core::sequentialModel("mnist", {28, 28, 1},
                                          {{"Conv2D", "conv", {{"filters", 8}, {"kernel_size", {3, 3}}}},
                                           {"ReLU", "relu"},
                                           {"Flatten", "flatten"},
                                           {"Dense", "hidden", {{"units", 64}, {"activation", "relu"}}},
                                           {"Dense", "logits", {{"units", 10}}}});
    project.assignment.stages = {core::StageId(0), core::StageId(0), core::StageId(0), core::StageId(1),
                                 core::StageId(1)};
    return project;
}

/// ResNet-50 from the shared models, in four stages.
core::Project resnet() {
    core::Diagnostics warnings;
    const auto text = core::readFile(tests::sharedData() / "keras" / "derived_resnet50_1000.json");
    core::Project project;
    project.name = "resnet50-4x2";
    project.model = *core::readKerasModelText(*text, "resnet", warnings);
    return *core::splitEvenly(project, 4);
}

core::PlanEstimate estimateOf(const core::Project& project) {
    core::PlanEstimate estimate;
    const std::size_t stages = std::max<std::size_t>(1, project.assignment.stageCount());
    estimate.clockHz = 1.33e9;
    estimate.step = core::Cycles(46'000'000);
    estimate.samplesPerSecond = 7326;
    estimate.idleFraction = 0.508;
    for (std::size_t k = 0; k < stages; ++k) {
        const auto size = std::int64_t(
            std::count(project.assignment.stages.begin(), project.assignment.stages.end(), core::StageId(k)));
        core::StageEstimate stage;
        stage.stage = core::StageId(k);
        stage.ipu = core::IpuId(k);
        stage.forward = core::Cycles(20'000 * size);
        stage.backward = core::Cycles(40'000 * size);
        stage.recompute = core::Cycles(18'000 * size);
        stage.host = core::Cycles(k == 0 ? 60'000 : 0);
        stage.cut = core::Bytes((24 << 20) >> k);
        estimate.stages.push_back(stage);
        core::IpuEstimate ipu;
        ipu.ipu = core::IpuId(k);
        ipu.limit = core::Bytes(940'000'000);
        ipu.alwaysLive = core::Bytes(90'000'000 + 40'000'000 * std::int64_t(k));
        ipu.stash = core::Bytes(200'000'000 / std::int64_t(k + 1));
        ipu.temporary = core::Bytes(7'000'000 * size);
        ipu.peak = ipu.alwaysLive + ipu.stash + ipu.temporary;
        ipu.idle = {core::Cycles(4'000'000 * std::int64_t(k)),
                    core::Cycles(3'000'000),
                    core::Cycles(9'000'000),
                    core::Cycles(2'000'000),
                    core::Cycles(0),
                    core::Cycles(0),
                    core::Cycles(0)};
        estimate.ipus.push_back(ipu);
    }
    return estimate;
}

/// A graph view with everything around it.
struct Fixture {
    Document document;
    Selection selection;
    tests::RecordedIntents intents;
    std::unique_ptr<GraphView> view;

    explicit Fixture(core::Project project, QSize size = {1000, 640}) {
        view = std::make_unique<GraphView>(document, selection, intents);
        QObject::connect(&document, &Document::projectChanged, &document, [this] { analyze(); });
        QObject::connect(&document, &Document::previewChanged, &document, [this] {
            if (document.preview())
                document.setEstimate(document.preview(), estimateOf(*document.preview()));
        });
        view->resize(size);
        view->show();
        document.open(std::move(project), {});
        QApplication::processEvents();
    }

    void analyze() {
        const core::InferredModel inferred = core::inferKnownShapes(document.project().model);
        document.setAnalysis(document.snapshot(),
                             {std::make_shared<core::TypedGraph>(inferred.graph), inferred.findings});
        document.setEstimate(document.snapshot(), estimateOf(document.project()));
    }

    CanvasView& canvas() { return view->canvas(); }
    QPoint pointOf(const std::string& layer) {
        const int node = canvas().model().find({layer, 0});
        return canvas()
            .viewport()
            .toView(canvas().geometry().placeOf[std::size_t(node)].center() - QPointF(20, 0))
            .toPoint();
    }
    std::size_t stageOf(const std::string& layer) {
        return canvas().model().nodes[std::size_t(canvas().model().find({layer, 0}))].stage.index();
    }
    void keep(const QString& name) {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (!folder.isEmpty())
            view->grab().save(folder + "/" + name + ".png");
    }
    void drag(const QPoint& from, const QPoint& to) {
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
        for (int i = 1; i <= 4; ++i)
            QTest::mouseMove(&canvas(), from + (to - from) * i / 4);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, to);
    }
};

} // namespace

class GraphViewTest : public QObject {
    Q_OBJECT

private slots:
    void init() { applyTheme(*qApp, Theme(ThemeKind::Light)); }

    void aBlockThatIsSplitOverStagesShowsEachPart() {
        Fixture f(resnet());
        const CanvasScene& scene = f.view->scene();
        std::map<int, std::size_t> shown;
        std::map<int, int> boxes;
        for (std::size_t i = 0; i < scene.geometry().boxes.size(); ++i) {
            const BoxShape& box = scene.geometry().boxes[i];
            if (box.group < 0)
                continue;
            ++boxes[box.group];
            shown[box.group] += scene.state().boxTexts[i].section(u' ', 0, 0).toULongLong();
        }
        int split = 0;
        for (const auto& [group, count] : boxes) {
            split += count > 1 ? 1 : 0;
            QCOMPARE(shown[group], scene.model().groups[std::size_t(group)].members.size());
        }
        QVERIFY2(split > 0, "no block is split");
        f.view->scene().setOverlay(OverlayMetric::Time, true);
        for (const NodeFigure& figure : scene.state().figures)
            QVERIFY(figure.share >= 0 && figure.share <= 1);
        f.keep("heat-resnet-light");
    }

    void aClickSelectsAndControlClickAdds() {
        Fixture f(mnist());
        QTest::mouseClick(&f.canvas(), Qt::LeftButton, {}, f.pointOf("conv"));
        QCOMPARE(f.selection.state().current->path, std::string("conv"));
        QTest::mouseClick(&f.canvas(), Qt::LeftButton, Qt::ControlModifier, f.pointOf("logits"));
        QCOMPARE(f.selection.state().invocations.size(), std::size_t{2});
        QTest::mouseClick(&f.canvas(), Qt::LeftButton, Qt::ControlModifier, f.pointOf("logits"));
        QCOMPARE(f.selection.state().invocations.size(), std::size_t{1});
        QTest::keyClick(&f.canvas(), Qt::Key_Escape);
        QVERIFY(f.selection.state().invocations.empty());
    }

    void aFollowersRowIsItsOwnLayer() {
        Fixture f(mnist());
        QTest::mouseClick(&f.canvas(), Qt::LeftButton, {}, f.pointOf("relu"));
        QCOMPARE(f.selection.state().current->path, std::string("relu"));
    }

    void aRubberBandSelectsWhatItTouches() {
        Fixture f(mnist());
        f.drag({4, 4}, f.pointOf("flatten") + QPoint(60, 40));
        QVERIFY(f.selection.contains({"conv", 0}));
        QVERIFY(f.selection.contains({"flatten", 0}));
        QVERIFY(!f.selection.contains({"logits", 0}));
    }

    void whatIsNotConnectedYetStandsInTheOrderInWhichItCame() {
        Fixture f(core::Project{});
        for (const char* className : {"InputLayer", "Dense", "Dense", "InputLayer"})
            f.view->commands().addLayer(QString::fromLatin1(className), std::vector<TensorSource>());
        std::vector<double> lefts;
        for (const char* name : {"input_1", "dense", "dense_1", "input_2"})
            lefts.push_back(
                f.canvas().geometry().placeOf[std::size_t(f.canvas().model().find({name, 0}))].left());
        QVERIFY(std::is_sorted(lefts.begin(), lefts.end()));
    }

    void aKeyBypassesTheSelectionAndTakesItUpAgain() {
        Fixture f(mnist());
        f.selection.selectInvocation({"relu", 0});
        QTest::keyClick(&f.canvas(), Qt::Key_M);
        const auto node = [&] {
            return f.canvas().model().nodes[std::size_t(f.canvas().model().find({"relu", 0}))];
        };
        QVERIFY(node().isMuted);
        QCOMPARE(node().className, QStringLiteral("ReLU"));
        QVERIFY(node().isFollower);
        QTest::keyClick(&f.canvas(), Qt::Key_M);
        QVERIFY(!node().isMuted);
        QCOMPARE(f.document.project().model, mnist().model);
        f.document.undoStack().undo();
        QVERIFY(node().isMuted);
    }

    void fromLeftToRightColumnsStayAndBoxesGoOnToTheRight() {
        Fixture f(mnist());
        f.view->commands().toggleLeftToRight();
        const CanvasGeometry& geometry = f.canvas().geometry();
        QCOMPARE(geometry.columns.size(), std::size_t(2));
        const auto place = [&](const char* name) {
            return geometry.placeOf[std::size_t(f.canvas().model().find({name, 0}))];
        };
        QVERIFY(place("conv").right() < place("flatten").left());
        QCOMPARE(place("conv").top(), place("hidden").top());
        // One begins to read at the left, and what was the way there is no way to slide along.
        QVERIFY(f.canvas().scene().camera().visible().left() <= geometry.bounds.left() + 1);
        // The arrows lead along the line.
        f.selection.selectInvocation({"flatten", 0});
        QTest::keyClick(&f.canvas(), Qt::Key_Right);
        QCOMPARE(f.selection.state().current, (InvocationKey{"hidden", 0}));
        f.document.undoStack().undo();
        QVERIFY(place("conv").bottom() < place("flatten").top());
    }

    void fromLeftToRightAllGaugesAreInView() {
        Fixture f(mnist());
        f.view->commands().toggleLeftToRight();
        QApplication::processEvents();
        f.canvas().scene().camera().zoomBy(4);
        const auto* gauges = f.view->findChild<GaugeStrip*>();
        double end = 0;
        for (std::size_t stage = 0; stage < 2; ++stage) {
            const QRectF cell = gauges->rowRect(stage, -1);
            QCOMPARE(cell.left(), end);
            QVERIFY(cell.width() > 300);
            end = cell.right();
        }
        QCOMPARE(end, double(gauges->width()));
    }

    void digitsAssignTheStageOfTheSelection() {
        Fixture f(mnist());
        f.selection.selectInvocation({"flatten", 0});
        QTest::keyClick(&f.canvas(), Qt::Key_1);
        QCOMPARE(f.stageOf("flatten"), std::size_t{1});
        f.document.undoStack().undo();
        QCOMPARE(f.stageOf("flatten"), std::size_t{0});
    }

    void draggingALayerToAnotherColumnChangesItsStage() {
        Fixture f(mnist());
        f.drag(f.pointOf("flatten"), f.pointOf("hidden"));
        QCOMPARE(f.stageOf("flatten"), std::size_t{1});
        QCOMPARE(f.document.undoStack().count(), 1);
    }

    void draggingTheGripMovesTheCutAndPreviewsOnTheWay() {
        Fixture f(mnist());
        const QPoint grip = gripRect(f.canvas().scene(), 0).center().toPoint();
        const QRectF flatten = f.canvas().viewport().toView(
            f.canvas().geometry().placeOf[std::size_t(f.canvas().model().find({"flatten", 0}))]);
        QSignalSpy previews(&f.document, &Document::previewChanged);
        QTest::mousePress(&f.canvas(), Qt::LeftButton, {}, grip);
        QTest::mouseMove(&f.canvas(), grip - QPoint(10, 0));
        QTest::mouseMove(&f.canvas(), QPoint(int(flatten.center().x()), int(flatten.top())));
        QVERIFY(f.document.preview() != nullptr);
        QVERIFY(f.document.previewEstimate());
        QCOMPARE(f.stageOf("flatten"), std::size_t{0}); // not yet
        f.keep("graph-drag");
        QTest::mouseRelease(&f.canvas(), Qt::LeftButton, {},
                            QPoint(int(flatten.center().x()), int(flatten.top())));
        QVERIFY(f.document.preview() == nullptr);
        QCOMPARE(f.stageOf("flatten"), std::size_t{1});
        QCOMPARE(f.stageOf("relu"), std::size_t{0});
        QCOMPARE(f.document.undoStack().count(), 1);
        QVERIFY(previews.count() >= 2);
    }

    void aCutIsDraggedToTheLeftWhereLinesGoToTheRight() {
        Fixture f(mnist());
        f.view->commands().toggleLeftToRight();
        const QPoint grip = gripRect(f.canvas().scene(), 0).center().toPoint();
        const QRectF flatten = f.canvas().viewport().toView(
            f.canvas().geometry().placeOf[std::size_t(f.canvas().model().find({"flatten", 0}))]);
        QTest::mousePress(&f.canvas(), Qt::LeftButton, {}, grip);
        QTest::mouseMove(&f.canvas(), grip - QPoint(20, 0));
        QTest::mouseMove(&f.canvas(), QPoint(int(flatten.left()), grip.y()));
        QVERIFY(f.document.preview() != nullptr);
        f.keep("graph-drag-right");
        QTest::mouseRelease(&f.canvas(), Qt::LeftButton, {}, QPoint(int(flatten.left()), grip.y()));
        QCOMPARE(f.stageOf("flatten"), std::size_t{1});
        QCOMPARE(f.stageOf("conv"), std::size_t{0});
        // By keys it goes back.
        f.selection.selectInvocation({"conv", 0});
        QTest::keyClick(&f.canvas(), Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(f.stageOf("flatten"), std::size_t{0});
    }

    void escapeCancelsADrag() {
        Fixture f(mnist());
        const QPoint grip = gripRect(f.canvas().scene(), 0).center().toPoint();
        QTest::mousePress(&f.canvas(), Qt::LeftButton, {}, grip);
        QTest::mouseMove(&f.canvas(), f.pointOf("conv"));
        QTest::keyClick(&f.canvas(), Qt::Key_Escape);
        QTest::mouseRelease(&f.canvas(), Qt::LeftButton, {}, f.pointOf("conv"));
        QVERIFY(f.document.preview() == nullptr);
        QVERIFY(!f.document.undoStack().canUndo());
    }

    void deleteRemovesAndUndoBringsBack() {
        Fixture f(mnist());
        f.selection.selectInvocation({"relu", 0});
        QTest::keyClick(&f.canvas(), Qt::Key_Delete, Qt::ControlModifier);
        QCOMPARE(f.canvas().model().find({"relu", 0}), -1);
        const int flatten = f.canvas().model().find({"flatten", 0});
        QCOMPARE(f.canvas().model().incoming[std::size_t(flatten)].size(), std::size_t{1}); // reconnected
        f.document.undoStack().undo();
        QVERIFY(f.canvas().model().find({"relu", 0}) >= 0);
    }

    void quickAddBuildsOnTheSelection() {
        Fixture f(mnist());
        f.selection.selectInvocation({"logits", 0});
        QTest::keyClick(&f.canvas(), Qt::Key_Tab);
        // Where nothing composes windows, a corner that lets through what is behind it is black.
        QVERIFY(!f.view->findChild<SearchPopup*>()->testAttribute(Qt::WA_TranslucentBackground));
        auto* popup = f.view->findChild<SearchPopup*>();
        QVERIFY(popup != nullptr && popup->isVisible());
        // What cannot read the selected layer is there, and says why it cannot.
        popup->field()->setText("conv2d");
        QVERIFY(popup->model()->rowCount() >= 1);
        const SearchEntry& refused = popup->model()->entry(0);
        QVERIFY(!refused.isEnabled);
        QVERIFY2(refused.category.contains("axes"), qPrintable(refused.category));
        QTest::keyClick(popup->field(), Qt::Key_Return);
        QVERIFY(popup->isVisible());
        popup->field()->setText("softm");
        QVERIFY(popup->model()->rowCount() >= 1 && popup->model()->entry(0).isEnabled);
        QTest::keyClick(popup->field(), Qt::Key_Return);
        QCOMPARE(f.document.project().model.layers.back().className, std::string("Softmax"));
        QCOMPARE(f.canvas().model().edges.size(), std::size_t{6});
        QCOMPARE(f.selection.state().current->path, f.document.project().model.layers.back().name);
    }

    void aLineFromPortToPortConnects() {
        Fixture f(mnist());
        const auto& geometry = f.canvas().geometry();
        const auto portOf = [&](const std::string& layer, bool out) {
            const int node = f.canvas().model().find({layer, 0});
            const BoxShape& box = geometry.boxes[std::size_t(geometry.boxOf[std::size_t(node)])];
            return f.canvas().viewport().toView(out ? box.outPorts.front() : box.inPorts.front()).toPoint();
        };
        // logits reads the input of hidden instead of hidden itself
        f.drag(portOf("flatten", true) + QPoint(0, 1), portOf("logits", false));
        const int logits = f.canvas().model().find({"logits", 0});
        const CanvasEdge& edge =
            f.canvas().model().edges[std::size_t(f.canvas().model().incoming[std::size_t(logits)].front())];
        QCOMPARE(f.canvas().model().nodes[std::size_t(edge.from)].key.path, std::string("flatten"));
    }

    void renamingKeepsStageAndSelection() {
        Fixture f(mnist());
        f.selection.selectInvocation({"hidden", 0});
        f.view->commands().rename({"hidden", 0}, "features");
        QCOMPARE(f.stageOf("features"), std::size_t{1});
        QCOMPARE(f.selection.state().current->path, std::string("features"));
    }

    void copyAndPasteBringTheLinesAmongThemAlong() {
        Fixture f(mnist());
        f.selection.selectInvocations({{"hidden", 0}, {"logits", 0}});
        f.view->commands().copySelection();
        QVERIFY(f.view->commands().canPaste());
        const std::size_t before = f.canvas().model().nodes.size();
        f.view->commands().paste(true);
        QCOMPARE(f.canvas().model().nodes.size(), before + 2);
        QCOMPARE(f.selection.state().invocations.size(), std::size_t{2});
    }

    void arrowsWalkThroughTheModel() {
        Fixture f(mnist());
        QTest::keyClick(&f.canvas(), Qt::Key_Down);
        const std::string first = f.selection.state().current->path;
        QTest::keyClick(&f.canvas(), Qt::Key_Down);
        QVERIFY(f.selection.state().current->path != first);
        QTest::keyClick(&f.canvas(), Qt::Key_Up);
        QCOMPARE(f.selection.state().current->path, first);
    }

    void theWheelZoomsAtTheMouse() {
        Fixture f(mnist());
        const QPointF at(300, 200);
        const QPointF before = f.canvas().viewport().toCanvas(at);
        QWheelEvent wheel(at, f.canvas().mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&f.canvas(), &wheel);
        QVERIFY(f.canvas().viewport().zoom > 1.2);
        const QPointF after = f.canvas().viewport().toCanvas(at);
        QVERIFY(std::abs(after.x() - before.x()) < 1 && std::abs(after.y() - before.y()) < 1);
    }

    void aRefusedEditIsAnnounced() {
        Fixture f(mnist());
        QSignalSpy refused(&f.document, &Document::refused);
        f.view->commands().rename({"hidden", 0}, "logits");
        QCOMPARE(refused.count(), 1);
        QVERIFY(!f.document.undoStack().canUndo());
    }

    void aLowViewLeavesItsHeightToTheDrawing() {
        Fixture f(mnist());
        const auto* footer = f.view->findChild<CanvasFooter*>();
        const auto* gauges = f.view->findChild<GaugeStrip*>();
        QVERIFY(footer->isVisible() && gauges->isVisible());
        for (const int height : {640, 420, 330, 300, 260, 240}) {
            f.view->resize(1000, height);
            QApplication::processEvents();
            QVERIFY2(f.canvas().height() >= 85, qPrintable(QString::number(f.canvas().height())));
            // Nothing lies over the boxes.
            for (const QWidget* below :
                 {static_cast<const QWidget*>(footer), static_cast<const QWidget*>(gauges)})
                QVERIFY(!below->isVisible() ||
                        below->geometry().top() > f.canvas().QWidget::geometry().bottom());
            QVERIFY(!gauges->isVisible() || gauges->geometry().bottom() < f.view->height());
        }
        QVERIFY(!footer->isVisible());
        f.view->resize(1000, 640);
        QApplication::processEvents();
        QVERIFY(footer->isVisible() && gauges->isVisible());
    }

    void everyGaugeHasItsBarWhereColumnsAreNarrow() {
        core::Project project = mnist();
        project.assignment.stages = {core::StageId(0), core::StageId(1), core::StageId(2), core::StageId(3),
                                     core::StageId(3)};
        Fixture f(project, {740, 640});
        f.keep("gauges-narrow-light");
        const auto* gauges = f.view->findChild<GaugeStrip*>();
        const QImage image = const_cast<GaugeStrip*>(gauges)->grab().toImage();
        const Theme& theme = themeOf(gauges);
        for (std::size_t stage = 0; stage < 4; ++stage) {
            std::set<QRgb> colours;
            const QRect row = gauges->rowRect(stage, 0).toRect();
            for (int y = row.top(); y <= row.bottom(); ++y)
                for (int x = row.left(); x < row.right(); ++x)
                    colours.insert(image.pixel(x, y));
            QVERIFY2(colours.contains(theme.activity(Activity::Forward).rgb()),
                     qPrintable(QString::number(stage)));
        }
    }

    void noNumberOfAGaugeIsCutWhereItsColumnIsHalfOutOfView() {
        core::Project project = mnist();
        project.assignment.stages = {core::StageId(0), core::StageId(1), core::StageId(2), core::StageId(3),
                                     core::StageId(3)};
        Fixture f(project, {900, 640});
        auto* gauges = f.view->findChild<GaugeStrip*>();
        f.canvas().scene().camera().zoomBy(1.6);
        std::size_t numbers = 0;
        // From the whole of the last column to none of it.
        for (int step = 0; step < 30; ++step) {
            for (const tests::PaintedText& text : tests::paintedTexts(*gauges)) {
                std::size_t stage = 0;
                while (stage + 1 < 4 && gauges->rowRect(stage, -1).right() < text.at.x() + text.width)
                    ++stage;
                QVERIFY2(text.at.x() >= gauges->rowRect(stage, -1).left(), qPrintable(text.text));
                ++numbers;
            }
            f.canvas().scene().camera().moveBy({-8, 0});
        }
        QVERIFY(numbers > 100);
    }

    void whatHasNoRoomInTheBarIsLeftOutAndNotCut() {
        for (const int width : {520, 640, 760, 820, 1000, 1400}) {
            Fixture f(mnist(), {width, 640});
            f.selection.selectInvocations({{"hidden", 0}, {"logits", 0}});
            QApplication::processEvents();
            // A button that comes beside them takes of their room.
            for (QToolButton* button : f.view->findChildren<QToolButton*>())
                button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
            QApplication::processEvents();
            for (const ElidedLabel* label : f.view->findChildren<ElidedLabel*>())
                QVERIFY2(label->isHidden() || textWidth(label->text(), label->font()) <= label->width(),
                         qPrintable(label->text()));
        }
    }

    void aFigureGoesBelowBeforeANameIsCut() {
        core::Project project = mnist();
        project.model = core::sequentialModel("m", {8},
                                              {{"Dense", "word_embeddings", {{"units", 64}}},
                                               {"Dense", "short", {{"units", 64}}},
                                               {"Dense", "logits", {{"units", 10}}}});
        project.assignment = {};
        Fixture f(project);
        CanvasScene& scene = f.canvas().scene();
        CanvasState state = scene.state();
        state.figures.assign(scene.geometry().boxes.size(), {});
        for (NodeFigure& figure : state.figures)
            figure.text = "12 345";
        CanvasGeometry narrow = scene.geometry();
        for (BoxShape& box : narrow.boxes)
            box.rect.setWidth(CanvasMetrics().nodeWidth);
        CanvasTexts texts;
        texts.prepare(scene.model(), narrow, state, themeOf(f.view.get()));
        const auto textOf = [&](const char* layer) {
            return texts.box(std::size_t(narrow.boxOf[std::size_t(scene.model().find({layer, 0}))]));
        };
        QCOMPARE(textOf("word_embeddings").name, "word_embeddings");
        QVERIFY(textOf("word_embeddings").isFigureBelow);
        QCOMPARE(textOf("short").name, "short");
        QVERIFY(!textOf("short").isFigureBelow);
    }

    void aNameThatIsTooLongForALineHasTwo() {
        core::Project project = mnist();
        project.model =
            core::sequentialModel("m", {8},
                                  {{"Dense", "encoder_block_12_attention_output", {{"units", 64}}},
                                   {"Dense", "short", {{"units", 64}}}});
        project.assignment = {};
        Fixture f(project);
        CanvasScene& scene = f.canvas().scene();
        CanvasGeometry narrow = scene.geometry();
        for (BoxShape& box : narrow.boxes)
            box.rect.setWidth(CanvasMetrics().nodeWidth);
        CanvasTexts texts;
        texts.prepare(scene.model(), narrow, scene.state(), themeOf(f.view.get()));
        const auto textOf = [&](const char* layer) {
            return texts.box(std::size_t(narrow.boxOf[std::size_t(scene.model().find({layer, 0}))]));
        };
        const auto text = textOf("encoder_block_12_attention_output");
        QCOMPARE(text.nameAbove + text.nameBelow, "encoder_block_12_attention_output");
        QVERIFY2(text.nameAbove.endsWith("_"), qPrintable(text.nameAbove));
        QVERIFY(!text.nameBelow.isEmpty());
        QVERIFY(textOf("short").nameAbove.isEmpty());
    }

    /// In a column that cannot grow; where it can, it does.
    void aLongTitleOfAClosedBlockHasTwoLines() {
        core::Project project = mnist();
        const core::Json units{{"units", 64}};
        project.model = core::sequentialModel("m", {4, 8},
                                              {{"Dense", "encoder_block_attention_first/a", units},
                                               {"Dense", "encoder_block_attention_first/b", units},
                                               {"Dense", "encoder_block_attention_first/c", units},
                                               {"Dense", "encoder_block_attention_first/d", units},
                                               {"Dense", "encoder_block_attention_first/e", units},
                                               {"GlobalAveragePooling1D", "pool", {}},
                                               {"Dense", "logits", {{"units", 10}}}});
        project.assignment = {};
        Fixture f(project, {1200, 700});
        CanvasScene& scene = f.canvas().scene();
        QVERIFY(!scene.model().groups.empty());
        const QString title = scene.model().groups[0].title;
        CanvasGeometry narrow = scene.geometry();
        std::size_t closed = narrow.boxes.size();
        for (std::size_t i = 0; i < narrow.boxes.size(); ++i) {
            if (narrow.boxes[i].group == 0)
                closed = i;
        }
        QVERIFY(closed < narrow.boxes.size());
        narrow.boxes[closed].isCollapsed = true;
        const auto textAt = [&](double width) {
            narrow.boxes[closed].rect.setWidth(width);
            CanvasState state = scene.state();
            state.boxTexts.assign(narrow.boxes.size(), "4 layers · 198.3 k");
            CanvasTexts texts;
            texts.prepare(scene.model(), narrow, state, themeOf(f.view.get()));
            return texts.box(closed);
        };
        const auto text = textAt(CanvasMetrics().nodeWidth);
        QCOMPARE(text.nameAbove + text.nameBelow, title);
        QVERIFY(text.detail.isEmpty());
        QCOMPARE(textAt(400).name, title);
        QVERIFY(!textAt(400).detail.isEmpty());
        // The class of a layer has its room too.
        const int pool = scene.model().find({"pool", 0});
        const double width =
            scene.geometry().boxes[std::size_t(scene.geometry().boxOf[std::size_t(pool)])].rect.width();
        const Theme& theme = themeOf(f.view.get());
        QVERIFY(width >= textWidth("GlobalAveragePooling1D", theme.font(10)) + theme.px(37));
    }

    void columnsThatFilledTheViewFillItAfterAnEdit() {
        Fixture f(mnist());
        f.view->resize(460, 600);
        QApplication::processEvents();
        const CanvasScene& scene = f.canvas().scene();
        const double before = scene.viewport().zoom;
        const auto end = [&] { return scene.viewport().toView(scene.geometry().bounds).right(); };
        f.view->commands().splitEvenly(4);
        QCOMPARE(scene.geometry().columns.size(), std::size_t(4));
        QVERIFY(scene.viewport().zoom < before);
        QVERIFY2(std::abs(end() - f.canvas().width()) < 2, qPrintable(QString::number(end())));
        f.document.undoStack().undo();
        QCOMPARE(scene.viewport().zoom, before);
        // Who has zoomed looks at something.
        f.canvas().scene().camera().zoomBy(0.8);
        const double chosen = scene.viewport().zoom;
        f.view->commands().splitEvenly(4);
        QCOMPARE(scene.viewport().zoom, chosen);
    }

    void theMenuHasItsActionsInSections() {
        Fixture f(mnist());
        QMenu whole;
        f.view->fillMenu(whole);
        QStringList menus;
        std::size_t found = 0;
        for (const QAction* action : whole.actions()) {
            if (action->menu() != nullptr) {
                menus << action->text();
                found += std::size_t(action->menu()->actions().size());
            } else if (!action->isSeparator()) {
                ++found;
            }
        }
        QCOMPARE(menus, (QStringList{"Select", "View", "Stages"}));
        QCOMPARE(found, f.view->canvasActions().size());
        QMenu ground;
        f.view->fillMenu(ground, false);
        for (const QAction* action : ground.actions())
            QVERIFY(action->text() != "Delete");
    }

    void aCopyOfABypassedLayerIsOne() {
        for (const bool isDuplicate : {true, false}) {
            Fixture f(mnist());
            f.selection.selectInvocation({"relu", 0});
            QTest::keyClick(&f.canvas(), Qt::Key_M);
            if (isDuplicate) {
                QTest::keyClick(&f.canvas(), Qt::Key_D, Qt::ControlModifier);
            } else {
                f.view->commands().copySelection();
                f.view->commands().paste(true);
            }
            const InvocationKey copy = *f.selection.state().current;
            QVERIFY(copy.path != "relu");
            const auto node = [&] {
                return f.canvas().model().nodes[std::size_t(f.canvas().model().find(copy))];
            };
            QVERIFY(node().isMuted);
            QTest::keyClick(&f.canvas(), Qt::Key_M);
            QVERIFY(!node().isMuted);
            QCOMPARE(node().className, QStringLiteral("ReLU"));
        }
    }

    void anEmptyDocumentDrawsNothingAndSurvivesEveryKey() {
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        GraphView view(document, selection, intents);
        view.resize(600, 400);
        view.show();
        for (const int key :
             {Qt::Key_Tab, Qt::Key_Delete, Qt::Key_Down, Qt::Key_1, Qt::Key_Home, Qt::Key_Space})
            QTest::keyClick(&view.canvas(), Qt::Key(key));
        for (QAction* action : view.canvasActions()) {
            if (!action->text().endsWith(QChar(0x2026)))
                action->trigger();
        }
        QVERIFY(!document.isOpen());
    }

    void resnetLooksRightInEveryThemeAndSize() {
        REQUIRE_SHARED_DATA();
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, Theme(kind));
            Fixture f(resnet(), {930, 700});
            f.selection.selectInvocation({"conv3_block1_0_conv", 0});
            f.view->commands().setCollapsed("conv4_block2", false);
            QApplication::processEvents();
            f.keep("graph-" + themeName(kind));
            QVERIFY(f.canvas().model().groups.size() == 16);
        }
        applyTheme(*qApp, Theme(ThemeKind::Light));
        Fixture small(resnet(), {820, 480});
        small.keep("graph-small");
        Fixture large(resnet(), {1860, 1200});
        large.keep("graph-large");
        large.canvas().scene().setLayoutKind(CanvasLayoutKind::Free);
        large.canvas().scene().camera().fitAll();
        QApplication::processEvents();
        large.keep("graph-free");
    }
};

REGISTER_WIDGET_TEST("graph_view", GraphViewTest)
#include "graph_view_test.moc"
