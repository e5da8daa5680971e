#include "views/graph/canvas/canvas_keys.h"

#include "core/model/graph/model_builder.h"
#include "core/project/project_edit.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/graph_view.h"
#include "views/graph/stage_strip.h"

#include <QApplication>
#include <QHelpEvent>
#include <QLineEdit>
#include <QToolTip>
#include <QVBoxLayout>
#include <QtTest/QTest>

using namespace views;

namespace {

/// A canvas of a chain in two stages between two fields.
struct Keyboard {
    Keyboard() {
        core::Project project;
        project.name = "chain";
        project.model = core::sequentialModel("chain", {8},
                                              {{"Dense", "first", {{"units", 8}}},
                                               {"Dense", "second", {{"units", 8}}},
                                               {"Dense", "third", {{"units", 8}}},
                                               {"Dense", "last", {{"units", 8}}}});
        project.assignment.stages = {core::StageId(0), core::StageId(0), core::StageId(1), core::StageId(1)};
        auto* layout = new QVBoxLayout(&window);
        view = new GraphView(document, selection, intents, &window);
        layout->addWidget(&before);
        layout->addWidget(view, 1);
        layout->addWidget(&after);
        window.resize(900, 700);
        window.show();
        document.open(project, {});
        QApplication::processEvents();
        window.activateWindow();
        view->canvas().setFocus();
    }
    void key(Qt::Key k, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(&view->canvas(), k, modifiers);
    }
    [[nodiscard]] QStringList selected() const {
        QStringList names;
        for (const InvocationKey& each : selection.state().invocations)
            names << QString::fromStdString(each.path);
        return names;
    }
    [[nodiscard]] std::size_t edges() const { return view->canvas().model().edges.size(); }
    [[nodiscard]] std::vector<std::size_t> stages() const {
        std::vector<std::size_t> list;
        for (const core::StageId stage : document.project().assignment.stages)
            list.push_back(stage.index());
        return list;
    }

    QWidget window;
    QLineEdit before;
    QLineEdit after;
    Document document;
    Selection selection;
    tests::RecordedIntents intents;
    GraphView* view = nullptr;
};

} // namespace

/// What the mouse does on the canvas, done by keys.
class CanvasKeysTest : public QObject {
    Q_OBJECT

private slots:
    void init() { applyTheme(*qApp, Theme(ThemeKind::Light)); }

    void shiftAndArrowsExtendTheSelectionAndTakeBack() {
        Keyboard hands;
        const InvocationKey input = hands.view->canvas().model().nodes.front().key;
        hands.selection.selectInvocation(input);
        hands.key(Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(hands.selected(), QStringList({"first", toQString(input.path)}));
        hands.key(Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(hands.selected(), QStringList({toQString(input.path)}));
        hands.key(Qt::Key_Down);
        QCOMPARE(hands.selected(), QStringList({"first"}));
    }

    void anOpaqueLayerIsAddedBehindTheSelectedOne() {
        Keyboard hands;
        hands.selection.selectInvocation({"second", 0});
        for (QAction* action : hands.view->findChildren<QAction*>())
            if (action->text() == "Add opaque layer")
                action->trigger();
        QCOMPARE(hands.selected(), QStringList({"opaque_layer"}));
        const core::OpaqueLayer& declared = hands.document.project().opaqueLayers.at("opaque_layer");
        QVERIFY((declared.outputShape.dimensions == std::vector<core::Dimension>{{}, 8}));
        hands.document.undoStack().undo();
        QVERIFY(hands.document.project().opaqueLayers.empty());
    }

    void layersAreDisconnectedAndConnected() {
        Keyboard hands;
        const std::size_t edges = hands.edges();
        hands.selection.selectInvocation({"first", 0});
        hands.key(Qt::Key_Down, Qt::ShiftModifier);
        hands.key(Qt::Key_L, Qt::ShiftModifier);
        QCOMPARE(hands.edges(), edges - 1);
        QCOMPARE(hands.selected(), QStringList({"first", "second"}));
        QCOMPARE(hands.selection.state().current, std::optional(InvocationKey{"second", 0}));
        hands.key(Qt::Key_L);
        QCOMPARE(hands.edges(), edges);
        // There already: nothing to do, and no step of the history.
        const int steps = hands.document.undoStack().count();
        hands.key(Qt::Key_L);
        QCOMPARE(hands.document.undoStack().count(), steps);
        hands.document.undoStack().undo();
        QCOMPARE(hands.edges(), edges - 1);
    }

    void theCutMovesByKeys() {
        Keyboard hands;
        hands.selection.selectInvocation({"first", 0});
        hands.key(Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(hands.stages(), (std::vector<std::size_t>{0, 0, 0, 1}));
        hands.key(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
        hands.key(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(hands.stages(), (std::vector<std::size_t>{0, 1, 1, 1}));
        // A stage keeps at least one layer.
        hands.key(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(hands.stages(), (std::vector<std::size_t>{0, 1, 1, 1}));
        QVERIFY(hands.document.undoStack().count() == 3);
    }

    void theKeyboardLeavesTheCanvasAndComesBack() {
        Keyboard hands;
        QVERIFY(QTest::qWaitForWindowActive(&hands.window));
        hands.view->canvas().setFocus();
        QVERIFY(hands.view->canvas().hasFocus());
        hands.key(Qt::Key_Tab, Qt::ControlModifier);
        QVERIFY(!hands.view->canvas().hasFocus());
        QVERIFY(QApplication::focusWidget() != nullptr);
        hands.view->canvas().setFocus(Qt::MouseFocusReason);
        const QImage plain = hands.view->canvas().grab().toImage();
        hands.key(Qt::Key_Backtab, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!hands.view->canvas().hasFocus());
        // Where the keyboard is, is seen.
        hands.view->canvas().setFocus(Qt::TabFocusReason);
        QVERIFY(hands.view->canvas().grab().toImage() != plain);
    }

    void theHeadOfAStageShowsWhatWasChosenForIt() {
        Keyboard hands;
        auto* head = hands.view->findChild<StageHeaderStrip*>();
        QVERIFY(head != nullptr);
        const QImage plain = head->grab().toImage();
        hands.document.apply("lock", [](const core::Project& project) -> core::Result<core::Project> {
            return core::withLocks(project, core::layersOfStage(project, core::StageId(0)), true);
        });
        QApplication::processEvents();
        const QImage locked = head->grab().toImage();
        QVERIFY(locked != plain);
        hands.document.apply("share", [](const core::Project& project) -> core::Result<core::Project> {
            return core::withStageProportion(project, core::StageId(1), "0.3");
        });
        QApplication::processEvents();
        const QImage shared = head->grab().toImage();
        QVERIFY(shared != locked);
        QHelpEvent help(QEvent::ToolTip, QPoint(20, 10), head->mapToGlobal(QPoint(20, 10)));
        QApplication::sendEvent(head, &help);
        QVERIFY2(QToolTip::text().contains("Locked"), qPrintable(QToolTip::text()));
        QVERIFY(QToolTip::text().contains("Activations are kept"));
        if (const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES"); !folder.isEmpty())
            hands.window.grab().save(folder + "/keys.png");
    }
};

REGISTER_WIDGET_TEST("canvas_keys", CanvasKeysTest)
#include "canvas_keys_test.moc"
