#include "views/graph/painting/canvas_notes.h"

#include "core/model/graph/model_builder.h"
#include "core/project/project_edit.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/graph_view.h"

#include <QApplication>
#include <QInputDialog>
#include <QPlainTextEdit>
#include <QTimer>
#include <QtTest/QTest>

using namespace views;

namespace {

/// A canvas of a chain in two stages on which somebody writes.
struct Desk {
    explicit Desk(ThemeKind theme = ThemeKind::Light) {
        applyTheme(*qApp, Theme(theme));
        core::Project project;
        project.name = "chain";
        project.model = core::sequentialModel("chain", {8},
                                              {{"Dense", "first", {{"units", 8}}},
                                               {"Dense", "second", {{"units", 8}}},
                                               {"Dense", "third", {{"units", 8}}},
                                               {"Dense", "last", {{"units", 8}}}});
        project.assignment.stages = {core::StageId(0), core::StageId(0), core::StageId(1), core::StageId(1)};
        view = std::make_unique<GraphView>(document, selection, intents);
        view->resize(900, 600);
        view->show();
        document.open(project, {});
        QApplication::processEvents();
        view->activateWindow();
        view->canvas().setFocus();
    }
    /// Answers the question for a text when it comes.
    void write(const QString& text, const std::function<void()>& gesture) {
        bool isAsked = false;
        QTimer wait;
        QObject::connect(&wait, &QTimer::timeout, [&] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr)
                return;
            isAsked = true;
            dialog->findChild<QPlainTextEdit*>()->setPlainText(text);
            dialog->accept();
        });
        wait.start(1);
        gesture();
        QTRY_VERIFY_WITH_TIMEOUT(isAsked, 1000);
    }
    void note(const std::set<InvocationKey>& layers, const QString& text) {
        selection.selectInvocations(layers);
        view->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(view.get()));
        view->canvas().setFocus();
        write(text, [this] { QTest::keyClick(&view->canvas(), Qt::Key_N); });
    }
    [[nodiscard]] const std::vector<core::CanvasNote>& notes() const {
        return document.project().canvas.notes;
    }
    [[nodiscard]] const NoteShape& shape() const { return view->canvas().scene().state().notes.at(0); }
    [[nodiscard]] QPoint onTab() const {
        return view->canvas().viewport().toView(shape().header.center()).toPoint();
    }

    Document document;
    Selection selection;
    tests::RecordedIntents intents;
    std::unique_ptr<GraphView> view;
};

} // namespace

/// Texts on coloured frames around layers.
class CanvasNotesTest : public QObject {
    Q_OBJECT

private slots:
    void aNoteIsWrittenOnTheSelectedLayersAndTakenBack() {
        Desk desk;
        desk.note({{"first", 0}, {"second", 0}}, "The stem\nfrozen in the first epochs");
        QCOMPARE(desk.notes().size(), std::size_t(1));
        QCOMPARE(desk.notes()[0].layers, std::vector<std::string>({"first", "second"}));
        QCOMPARE(desk.shape().text, QString("The stem\nfrozen in the first epochs"));
        desk.document.undoStack().undo();
        QVERIFY(desk.notes().empty());
        desk.document.undoStack().redo();
        desk.note({{"first", 0}, {"second", 0}}, "");
        QVERIFY(desk.notes().empty());
    }

    void theFrameHoldsItsLayersAndNoOthers() {
        Desk desk;
        desk.note({{"second", 0}, {"third", 0}}, "the cut");
        const CanvasScene& scene = desk.view->canvas().scene();
        QCOMPARE(desk.shape().pieces.size(), std::size_t(2)); // one in each column
        for (const char* layer : {"first", "second", "third", "last"}) {
            const int node = scene.model().find({layer, 0});
            const QRectF box = scene.geometry().placeOf[std::size_t(node)];
            const bool isInside = std::ranges::any_of(
                desk.shape().pieces, [&](const QRectF& piece) { return piece.contains(box); });
            QCOMPARE(isInside, std::string(layer) == "second" || std::string(layer) == "third");
        }
    }

    void theTabSelectsItsLayersAndADoubleClickEdits() {
        Desk desk;
        desk.note({{"first", 0}, {"second", 0}}, "stem");
        desk.selection.clear();
        QTest::mouseClick(&desk.view->canvas(), Qt::LeftButton, {}, desk.onTab());
        QCOMPARE(desk.selection.state().invocations, std::set<InvocationKey>({{"first", 0}, {"second", 0}}));
        desk.write("the stem",
                   [&] { QTest::mouseDClick(&desk.view->canvas(), Qt::LeftButton, {}, desk.onTab()); });
        QCOMPARE(desk.notes()[0].text, std::string("the stem"));
    }

    void aNoteFollowsItsLayers() {
        Desk desk;
        desk.note({{"first", 0}, {"second", 0}}, "stem");
        desk.selection.selectInvocation({"first", 0});
        desk.document.apply("rename", [](const core::Project& project) {
            return core::withLayerName(project, "first", "renamed");
        });
        QCOMPARE(desk.notes()[0].layers, std::vector<std::string>({"renamed", "second"}));
        desk.selection.selectInvocation({"second", 0});
        QTest::keyClick(&desk.view->canvas(), Qt::Key_Delete);
        QCOMPARE(desk.notes()[0].layers, std::vector<std::string>({"renamed"}));
        desk.selection.selectInvocation({"renamed", 0});
        QTest::keyClick(&desk.view->canvas(), Qt::Key_Delete);
        QVERIFY(desk.notes().empty());
    }

    void everyThemeDrawsIt_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("light") << int(ThemeKind::Light);
        QTest::newRow("dark") << int(ThemeKind::Dark);
        QTest::newRow("high contrast") << int(ThemeKind::HighContrast);
    }
    void everyThemeDrawsIt() {
        QFETCH(int, kind);
        Desk desk{ThemeKind(kind)};
        const QImage before = desk.view->canvas().grab().toImage();
        desk.note({{"first", 0}, {"second", 0}}, "Stem, frozen in the first epochs");
        desk.note({{"third", 0}}, "the largest product");
        desk.view->canvas().scene().commands().colourNote(2);
        QApplication::processEvents();
        const QImage after = desk.view->canvas().grab().toImage();
        QVERIFY(after != before);
        if (const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES"); !folder.isEmpty())
            after.save(QStringLiteral("%1/notes-%2.png").arg(folder).arg(kind));
        desk.document.undoStack().undo();
        desk.document.undoStack().undo();
        desk.document.undoStack().undo();
        desk.selection.clear();
    }
};

REGISTER_WIDGET_TEST("canvas_notes", CanvasNotesTest)
#include "canvas_notes_test.moc"
