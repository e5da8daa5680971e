#include "views/graph/canvas/canvas_parts.h"

#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "core/project/project_edit.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/graph_view.h"
#include "views/graph/stage_strip.h"

#include <QAccessible>
#include <QApplication>
#include <QtTest/QTest>

using namespace views;

namespace {

/// A window with a canvas of a chain in two stages, looked at as a screen reader does.
struct Reader {
    Reader() {
        core::Project project;
        project.name = "chain";
        project.model = core::sequentialModel("chain", {8},
                                              {{"Dense", "first", {{"units", 16}}},
                                               {"ReLU", "relu"},
                                               {"Dense", "second", {{"units", 8}}},
                                               {"Dense", "last", {{"units", 4}}}});
        project.assignment.stages = {core::StageId(0), core::StageId(0), core::StageId(1), core::StageId(1)};
        QObject::connect(&document, &Document::projectChanged, &document, [this] { know(); });
        view = std::make_unique<GraphView>(document, selection, intents);
        view->resize(900, 700);
        view->show();
        document.open(project, {});
        QApplication::processEvents();
        view->activateWindow();
    }
    /// Shapes, and estimates that only their readers care about.
    void know() {
        const core::InferredModel inferred = core::inferKnownShapes(document.project().model);
        document.setAnalysis(document.snapshot(),
                             {std::make_shared<core::TypedGraph>(inferred.graph), inferred.findings});
        core::PlanEstimate estimate;
        estimate.clockHz = 1.33e9;
        estimate.step = core::Cycles(1'000'000);
        for (std::size_t k = 0; k < document.project().assignment.stageCount(); ++k) {
            core::StageEstimate stage;
            stage.stage = core::StageId(k);
            stage.ipu = core::IpuId(k);
            stage.forward = core::Cycles(133'000 * std::int64_t(k + 1));
            stage.cut = core::Bytes(2048);
            estimate.stages.push_back(stage);
            core::IpuEstimate ipu;
            ipu.ipu = stage.ipu;
            ipu.limit = core::Bytes(1000 << 10);
            ipu.peak = ipu.alwaysLive = core::Bytes(k == 0 ? 400 << 10 : 1500 << 10);
            ipu.idle.assign(core::idleCauseCount, core::Cycles(0));
            estimate.ipus.push_back(ipu);
        }
        estimate.intervals = core::publishedIntervals().ofProgram(core::ProgramFamily::Other);
        document.setEstimate(document.snapshot(), estimate);
    }
    static QAccessibleInterface* of(QWidget* widget) { return QAccessible::queryAccessibleInterface(widget); }
    QAccessibleInterface* canvas() { return of(&view->canvas()); }
    /// The thing of that name, wherever it is.
    static QAccessibleInterface* find(QAccessibleInterface* in, const QString& name) {
        for (int i = 0; i < in->childCount(); ++i) {
            QAccessibleInterface* child = in->child(i);
            if (child->text(QAccessible::Name) == name)
                return child;
            if (QAccessibleInterface* inner = find(child, name))
                return inner;
        }
        return nullptr;
    }
    QAccessibleInterface* find(const QString& name) { return find(canvas(), name); }
    std::vector<std::size_t> stages() const {
        std::vector<std::size_t> list;
        for (const core::StageId stage : document.project().assignment.stages)
            list.push_back(stage.index());
        return list;
    }

    Document document;
    Selection selection;
    tests::RecordedIntents intents;
    std::unique_ptr<GraphView> view;
};

} // namespace

/// The canvas as assistive tools find it.
class CanvasPartsTest : public QObject {
    Q_OBJECT

private slots:
    void init() { applyTheme(*qApp, Theme(ThemeKind::Light)); }

    void everyBoxIsThereInReadingOrder() {
        Reader reader;
        QAccessibleInterface* canvas = reader.canvas();
        QCOMPARE(canvas->role(), QAccessible::List);
        QCOMPARE(canvas->text(QAccessible::Name), "Model canvas");
        QStringList names;
        for (int i = 0; i < canvas->childCount(); ++i) {
            names << canvas->child(i)->text(QAccessible::Name);
            QCOMPARE(canvas->indexOfChild(canvas->child(i)), i);
            QCOMPARE(canvas->child(i)->parent(), canvas);
            QVERIFY(canvas->child(i)->isValid());
        }
        QCOMPARE(names,
                 QStringList({"input_1", "first", "second", "last", "Cut between stage 0 and stage 1"}));
        // What is docked to a box is a layer of its own inside it.
        QAccessibleInterface* relu = reader.find("relu");
        QCOMPARE(relu->parent()->text(QAccessible::Name), "first");
        QCOMPARE(relu->role(), QAccessible::ListItem);
    }

    void aBoxSaysWhatItIs() {
        Reader reader;
        QAccessibleInterface* box = reader.find("first");
        QCOMPARE(box->role(), QAccessible::ListItem);
        QCOMPARE(box->text(QAccessible::Value), "Dense, 16");
        QCOMPARE(box->text(QAccessible::Description), "Stage 0 on IPU 0, gives 16, 144 parameters");
        // A screen reader shows where it is, and asks what is below the finger.
        const QRect place = box->rect();
        const QPoint inside = reader.view->canvas().mapFromGlobal(place.center());
        QVERIFY(reader.view->canvas().rect().contains(inside));
        QAccessibleInterface* under = reader.canvas()->childAt(place.left() + 20, place.top() + 12);
        QCOMPARE(under, box);
        QVERIFY(!box->state().offscreen);
    }

    void aFindingIsRead() {
        Reader reader;
        core::Diagnostics findings{core::makeError(core::Trouble::Input, "shape", {{}, "second"},
                                                   "the input has rank 1", {"give it an input of rank 2"})};
        reader.document.setAnalysis(reader.document.snapshot(), {nullptr, findings});
        QVERIFY(
            reader.find("second")->text(QAccessible::Description).endsWith("error: the input has rank 1"));
    }

    void pressingSelectsAndTheSelectionIsRead() {
        Reader reader;
        QAccessibleInterface* box = reader.find("second");
        QVERIFY(!box->state().selected);
        QVERIFY(box->state().selectable);
        box->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(box->state().selected);
        QCOMPARE(reader.selection.state().current, std::optional(InvocationKey{"second", 0}));
        reader.find("last")->actionInterface()->doAction(CanvasParts::extendAction());
        QVERIFY(reader.find("last")->state().selected);
        QVERIFY(box->state().selected);
        QCOMPARE(reader.selection.state().invocations.size(), std::size_t{2});
    }

    void theKeyboardIsFollowed() {
        Reader reader;
        reader.find("first")->actionInterface()->doAction(QAccessibleActionInterface::setFocusAction());
        QVERIFY(QTest::qWaitFor([&] { return reader.view->canvas().hasFocus(); }));
        QCOMPARE(reader.canvas()->focusChild(), reader.find("first"));
        QVERIFY(reader.find("first")->state().focused);
        QTest::keyClick(&reader.view->canvas(), Qt::Key_Down);
        QCOMPARE(reader.canvas()->focusChild(), reader.find("relu"));
        reader.selection.clear();
        QCOMPARE(reader.canvas()->focusChild(), reader.canvas());
    }

    void portsSayWhatTheyAreConnectedToAndConnect() {
        Reader reader;
        QAccessibleInterface* input = reader.find("Input 0 of second");
        QCOMPARE(input->role(), QAccessible::Grip);
        QCOMPARE(input->parent(), reader.find("second"));
        QCOMPARE(input->text(QAccessible::Value), "reads relu");
        QCOMPARE(input->text(QAccessible::Description), "16");
        QCOMPARE(reader.find("Output 0 of relu")->text(QAccessible::Value), "to second");
        QCOMPARE(reader.find("Output 0 of last")->text(QAccessible::Value), "to an output of the model");
        input->actionInterface()->doAction(CanvasParts::disconnectAction());
        QCOMPARE(reader.find("Input 0 of second")->text(QAccessible::Value), "not connected");
        reader.find("first")->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        reader.find("Input 0 of second")
            ->actionInterface()
            ->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(reader.find("Input 0 of second")->text(QAccessible::Value), "reads first");
    }

    void anOutputIsMarkedAndALayerAddedBehindIt() {
        Reader reader;
        reader.find("Output 0 of relu")->actionInterface()->doAction(CanvasParts::outputAction());
        QCOMPARE(reader.document.project().model.outputs.size(), std::size_t{2});
        QVERIFY(reader.find("Output 0 of relu")->text(QAccessible::Value).endsWith("an output of the model"));
        reader.find("Output 0 of last")
            ->actionInterface()
            ->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(QApplication::activePopupWidget() != nullptr);
        QApplication::activePopupWidget()->close();
    }

    void aCutIsASliderThatMoves() {
        Reader reader;
        QAccessibleInterface* cut = reader.find("Cut between stage 0 and stage 1");
        QCOMPARE(cut->role(), QAccessible::Slider);
        QCOMPARE(cut->text(QAccessible::Value), "before second");
        QCOMPARE(cut->text(QAccessible::Description),
                 QString::fromUtf8("relu 16 cross it, 2.00\u202FKiB with each micro-batch"));
        QAccessibleValueInterface* value = cut->valueInterface();
        QVERIFY(value != nullptr);
        QCOMPARE(value->minimumValue().toInt(), 1);
        QCOMPARE(value->currentValue().toInt(), 2);
        QCOMPARE(value->maximumValue().toInt(), 3);
        cut->actionInterface()->doAction(QAccessibleActionInterface::increaseAction());
        QCOMPARE(reader.stages(), (std::vector<std::size_t>{0, 0, 0, 1}));
        // The same thing after the edit, with its new value.
        QCOMPARE(reader.find("Cut between stage 0 and stage 1"), cut);
        QCOMPARE(cut->text(QAccessible::Value), "before last");
        value->setCurrentValue(1);
        QCOMPARE(reader.stages(), (std::vector<std::size_t>{0, 1, 1, 1}));
        reader.document.undoStack().undo();
        QCOMPARE(cut->valueInterface()->currentValue().toInt(), 3);
    }

    void gaugesAreReadWithTheirUnits() {
        Reader reader;
        QAccessibleInterface* gauges = Reader::of(reader.view->findChild<GaugeStrip*>());
        QCOMPARE(gauges->childCount(), 2);
        QCOMPARE(gauges->child(0)->childCount(), 4);
        QAccessibleInterface* time = Reader::find(gauges, "Time of stage 1");
        QCOMPARE(time->role(), QAccessible::ProgressBar);
        QCOMPARE(time->text(QAccessible::Value).simplified(), "200.0 µs");
        // The longest stage, and room for what it may take once it is measured.
        const double filled = time->valueInterface()->currentValue().toDouble();
        QVERIFY(filled > 0.8 && filled < 1);
        QCOMPARE(Reader::find(gauges, "Time of stage 0")->valueInterface()->currentValue().toDouble(),
                 filled / 2);
        QCOMPARE(Reader::find(gauges, "Memory of stage 1")->text(QAccessible::Description),
                 "above the limit");
        QCOMPARE(Reader::find(gauges, "Cut out of stage 1")->text(QAccessible::Value), "last stage");
        QVERIFY(gauges->child(1)->text(QAccessible::Description).startsWith("the slowest stage"));
        QVERIFY(gauges->rect().contains(time->rect()));
    }

    void headsOfStagesArePressed() {
        Reader reader;
        QAccessibleInterface* heads = Reader::of(reader.view->findChild<StageHeaderStrip*>());
        QCOMPARE(heads->childCount(), 2);
        QAccessibleInterface* second = heads->child(1);
        QCOMPARE(second->role(), QAccessible::ColumnHeader);
        QCOMPARE(second->text(QAccessible::Name), "Stage 1, IPU 1");
        QCOMPARE(second->text(QAccessible::Value), "2 layers");
        second->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(reader.selection.state().stage, std::optional(core::StageId(1)));
        QVERIFY(second->state().selected);
    }

    void groupsOpenAndClose() {
        Reader reader;
        reader.selection.selectInvocations({{"first", 0}, {"relu", 0}});
        reader.view->commands().groupSelection("block");
        QAccessibleInterface* group = reader.find("block");
        QVERIFY(group != nullptr);
        QVERIFY(group->state().expandable && group->state().expanded);
        group->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
        group = reader.find("block");
        QVERIFY(group->state().collapsed);
        QVERIFY(reader.find("first") == nullptr);
        QCOMPARE(reader.find("Input 0 of block")->text(QAccessible::Value), "reads input_1");
        QCOMPARE(reader.find("Output 0 of relu")->parent(), group);
    }

    void whatIsGoneIsNotValid() {
        Reader reader;
        QAccessibleInterface* box = reader.find("last");
        const QAccessible::Id id = QAccessible::uniqueId(box);
        reader.selection.selectInvocation({"last", 0});
        QTest::keyClick(&reader.view->canvas(), Qt::Key_Delete);
        QVERIFY(!box->isValid());
        QVERIFY(box->state().invalid);
        QCOMPARE(box->text(QAccessible::Name), QString());
        QApplication::processEvents();
        QVERIFY(QAccessible::accessibleInterface(id) == nullptr);
        QVERIFY(reader.find("last") == nullptr);
        // And with the widget go the others.
        const QAccessible::Id other = QAccessible::uniqueId(reader.find("second"));
        reader.view.reset();
        QVERIFY(QAccessible::accessibleInterface(other) == nullptr);
    }
};

REGISTER_WIDGET_TEST("canvas_parts", CanvasPartsTest)
#include "canvas_parts_test.moc"
