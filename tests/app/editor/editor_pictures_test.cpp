#include "app/window/frame/dock_panel.h"
#include "app/window/start/example_list.h"
#include "app/window/start/project_card.h"
#include "tests/app/editor/person.h"
#include "tests/app/window_bench.h"
#include "tests/support/pictures.h"
#include "tests/support/test_registry.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/graph/graph_view.h"

#include <QApplication>
#include <QLabel>
#include <QToolBar>
#include <algorithm>

using tests::Person;
using tests::WindowBench;

namespace {

/// A state of the editor that people meet, and the way there.
struct State {
    const char* name;
    void (*reach)(WindowBench& bench, Person& person);
};

void openExample(WindowBench& bench, Person& person, const char* path) {
    QVERIFY(bench.window->files().openCopy(app::exampleFolder() / path));
    QVERIFY(person.waitForFigures());
}

constexpr State states[]{
    {"start", [](WindowBench&, Person&) { QTest::qWait(1500); }},
    {"empty", [](WindowBench&, Person& person) { person.press("Ctrl+N"); }},
    {"perceptron",
     [](WindowBench& bench, Person& person) {
         QVERIFY(bench.window->files().open(bench.writeProject()));
         QVERIFY(person.waitForFigures());
     }},
    {"resnet",
     [](WindowBench& bench, Person& person) { openExample(bench, person, "resnet50/resnet50.ipuproj"); }},
    {"resnet-free",
     [](WindowBench& bench, Person& person) {
         openExample(bench, person, "resnet50/resnet50.ipuproj");
         bench.window->graph().scene().setLayoutKind(views::CanvasLayoutKind::Free);
         person.press("Home");
     }},
    {"resnet-heat",
     [](WindowBench& bench, Person& person) {
         openExample(bench, person, "resnet50/resnet50.ipuproj");
         bench.window->graph().scene().setOverlay(views::OverlayMetric::Time, true);
     }},
    {"encoder-folded",
     [](WindowBench& bench, Person& person) {
         openExample(bench, person, "encoder/encoder.ipuproj");
         person.press("Ctrl+Shift+R");
     }},
    {"too-large",
     [](WindowBench& bench, Person& person) {
         openExample(bench, person, "too-large/too-large.ipuproj");
         const views::NoteModel& rows = bench.window->problems().model(views::DiagnosticsView::Problems);
         QTRY_COMPARE_WITH_TIMEOUT(rows.row(0).action, "Make it fit", 60000);
     }},
    {"advice",
     [](WindowBench& bench, Person& person) {
         QVERIFY(bench.window->files().open(bench.writeProject()));
         QVERIFY(person.waitForFigures());
         const views::NoteModel& rows = bench.window->problems().model(views::DiagnosticsView::Advice);
         QTRY_VERIFY_WITH_TIMEOUT(rows.rowCount() > 0, 60000);
         bench.window->workspaces().showPanel(views::PanelId::Problems);
         bench.window->problems().showPage(views::DiagnosticsView::Advice);
     }},
    {"system",
     [](WindowBench& bench, Person& person) {
         QVERIFY(bench.window->files().open(bench.writeProject()));
         QVERIFY(person.waitForFigures());
         bench.window->showSystem();
     }},
};

} // namespace

/// The states of the editor that people meet: IPU_WORKBENCH_PICTURES=FOLDER keeps each in every theme, small
/// and large.
class EditorPicturesTest : public QObject {
    Q_OBJECT

private slots:
    void everyStateFitsItsWindow_data() {
        QTest::addColumn<int>("state");
        for (std::size_t i = 0; i < std::size(states); ++i)
            QTest::newRow(states[i].name) << int(i);
    }

    void everyStateFitsItsWindow() {
        QFETCH(int, state);
        views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light));
        WindowBench bench;
        Person person(*bench.window, {1280, 800});
        states[state].reach(bench, person);
        if (QTest::currentTestFailed())
            return;
        // A row of the toolbar that is squeezed cannot be read.
        for (const QLabel* label : bench.window->findChildren<QLabel*>()) {
            const QWidget* holder = label->parentWidget();
            const bool isInBar =
                holder != nullptr && qobject_cast<QToolBar*>(holder->parentWidget()) != nullptr;
            if (isInBar && label->isVisible())
                QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
        }
        QStringList shortened;
        for (const app::ProjectCard* card : bench.window->findChildren<app::ProjectCard*>())
            if (card->isVisible() && !card->isTextWhole())
                shortened.push_back(card->toolTip());
        QCOMPARE(shortened.join(u'\n'), QString());
        const auto& docks = bench.window->workspaces().docks();
        const bool isLow = std::ranges::all_of(docks, [&](app::DockPanel* dock) {
            return bench.window->dockWidgetArea(dock) != Qt::BottomDockWidgetArea || !dock->isVisible() ||
                   dock->isFolded();
        });
        if (bench.window->document().isOpen() && isLow) {
            const double share = double(person.canvas().height()) / bench.window->height();
            QVERIFY2(share >= 0.55, qPrintable(QString::number(share)));
        }
        // A low window folds what lies below the canvas, also on the way from a larger one.
        tests::takePictures(*bench.window, QString("editor-%1").arg(states[state].name), [&] {
            if (!isLow)
                bench.window->workspaces().showPanel(views::PanelId::Problems);
        });
    }
};

REGISTER_WIDGET_TEST("editor_pictures", EditorPicturesTest)
#include "editor_pictures_test.moc"
