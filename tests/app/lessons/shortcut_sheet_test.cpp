#include "app/window/dialogs/shortcut_sheet.h"

#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/flame/flame_canvas.h"
#include "views/flame/flame_view.h"
#include "views/graph/graph_view.h"
#include "views/layers/layer_table.h"
#include "views/liveness/liveness_chart.h"
#include "views/liveness/liveness_view.h"
#include "views/plan/schedule/schedule_canvas.h"
#include "views/plan/schedule/schedule_view.h"
#include "views/plan/system_view.h"
#include "views/profile/tables/table_panel.h"
#include "views/roofline/roofline_canvas.h"
#include "views/roofline/roofline_view.h"
#include "views/summary/summary_view.h"
#include "views/tiles/tiles_view.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QRegularExpression>
#include <QShortcut>
#include <QSignalSpy>
#include <QTableView>
#include <map>

using tests::WindowBench;

namespace {

app::ShortcutSources sourcesOf(app::MainWindow& window) {
    return {window.actions(), window.graph().canvasActions(), "Model"};
}

/// Keys of a line of the sheet, without what is done by the mouse.
QStringList keysOf(QString line) {
    QStringList keys;
    static const QRegularExpression mouse("drag|click|wheel|header");
    static const QRegularExpression between(", |; | and | … ");
    line.replace(QChar(0x2212), u'-').replace("arrows", "Right").replace("Space+Right", "Space");
    for (const QString& key : line.split(between)) {
        if (!key.contains(mouse))
            keys << key.trimmed();
    }
    return keys;
}

bool isShortcutIn(const QWidget& view, const QKeySequence& keys) {
    for (const QAction* action : view.findChildren<QAction*>()) {
        if (action->shortcuts().contains(keys))
            return true;
    }
    for (const QShortcut* shortcut : view.findChildren<QShortcut*>()) {
        if (shortcut->keys().contains(keys))
            return true;
    }
    return false;
}

/// The key reaches the view and means something there.
bool isTaken(QWidget& view, QWidget& canvas, const QString& key) {
    const QKeySequence keys(key);
    if (keys.isEmpty())
        return false;
    if (isShortcutIn(view, keys))
        return true;
    const QKeyCombination combination = keys[0];
    QKeyEvent press(QEvent::KeyPress, combination.key(), combination.keyboardModifiers(), key.right(1));
    const bool isHandled = static_cast<QObject&>(canvas).event(&press);
    return isHandled && press.isAccepted();
}

} // namespace

/// The sheet of shortcuts says what is so: every line is pressed.
class ShortcutSheetTest : public QObject {
    Q_OBJECT

private slots:
    void everyActionComesWithItsKeys() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        window.show();
        QVERIFY(window.files().open(bench.writeProject()));
        QVERIFY(bench.waitForEstimate());
        QVERIFY(QTest::qWaitForWindowActive(&window));
        std::vector<QAction*> actions = window.graph().canvasActions();
        for (const app::ActionSet::Entry& entry : window.actions().entries()) {
            if (entry.action != nullptr)
                actions.push_back(entry.action);
        }
        window.graph().canvas().setFocus();
        int pressed = 0;
        for (QAction* action : actions) {
            // What it does is tested where it is done; here the key must find it.
            action->disconnect(SIGNAL(triggered(bool)));
            action->setEnabled(true);
            for (const QKeySequence& keys : action->shortcuts()) {
                const QSignalSpy spy(action, &QAction::triggered);
                const QKeyCombination key = keys[0];
                QTest::keyClick(&window.graph().canvas(), key.key(), key.keyboardModifiers());
                QVERIFY2(spy.count() == 1, qPrintable(action->text() + ": " + keys.toString()));
                ++pressed;
            }
        }
        QVERIFY2(pressed > 40, qPrintable(QString::number(pressed)));
    }

    void everyKeyOfAViewMeansSomethingThere() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        window.show();
        QVERIFY(window.files().open(bench.writeProject()));
        QVERIFY(bench.waitForEstimate() && bench.run());
        auto& workspaces = window.workspaces();
        auto& timeline = workspaces.view<views::TimelineView>();
        auto& memory = workspaces.view<views::LivenessView>();
        auto& schedule = workspaces.view<views::ScheduleView>();
        auto& roofline = workspaces.view<views::RooflineView>();
        auto& flame = workspaces.view<views::FlameView>();
        auto& tiles = workspaces.panel<views::TilesView>(views::PanelId::Tiles);
        auto& summary = workspaces.view<views::SummaryView>();
        window.showSystem();
        auto& system = *window.problems().findChild<views::SystemView*>();
        QWidget* map = nullptr;
        for (QWidget* child : tiles.findChildren<QWidget*>())
            if (child->accessibleName() == "Tile map")
                map = child;
        QVERIFY(map != nullptr);
        struct Place {
            views::WorkspaceId workspace;
            QWidget* view;
            QWidget* canvas;
            void (*reach)(app::MainWindow&) = nullptr;
        };
        const std::map<QString, Place> places{
            {"Model", {views::WorkspaceId::Model, &window.graph(), &window.graph().canvas()}},
            {"Timeline", {views::WorkspaceId::Timeline, &timeline, &timeline.canvas()}},
            {"Memory", {views::WorkspaceId::Memory, &memory, &memory.chart()}},
            {"Schedule", {views::WorkspaceId::Schedule, &schedule, &schedule.canvas()}},
            {"Roofline", {views::WorkspaceId::Roofline, &roofline, &roofline.canvas()}},
            {"Flame", {views::WorkspaceId::Flame, &flame, &flame.canvas()}},
            {"Summary", {views::WorkspaceId::Summary, &summary, &summary.canvas()}},
            {"Tiles",
             {views::WorkspaceId::Memory, &tiles, map,
              [](app::MainWindow& of) { of.workspaces().showPanel(views::PanelId::Tiles); }}},
            {"System board",
             {views::WorkspaceId::Model, &system, &system.canvas(),
              [](app::MainWindow& of) { of.showSystem(); }}},
        };
        int pressed = 0;
        for (const app::ShortcutGroup& group : app::shortcutGroups(sourcesOf(window))) {
            const auto place = places.find(group.title);
            if (place == places.end())
                continue;
            const auto& [workspace, view, canvas, reach] = place->second;
            workspaces.show(workspace);
            if (reach != nullptr)
                reach(window);
            // What the keys before did to the project must not keep another view from showing it.
            while (window.document().undoStack().canUndo())
                window.document().undoStack().undo();
            QTRY_VERIFY2(canvas->isVisible(), qPrintable(group.title));
            canvas->setFocus();
            QTest::qWait(200);
            for (const auto& [keys, meaning] : group.rows) {
                for (const QString& key : keysOf(keys)) {
                    if (workspace == views::WorkspaceId::Model &&
                        window.selection().state().invocations.empty())
                        window.selection().selectInvocation(window.graph().canvas().model().nodes.back().key);
                    if (workspace == views::WorkspaceId::Timeline && key.startsWith("R"))
                        QTest::keyClick(canvas, Qt::Key_Period);
                    QVERIFY2(isTaken(*view, *canvas, key),
                             qPrintable(group.title + ": " + key + ": " + meaning));
                    ++pressed;
                }
            }
        }
        QVERIFY2(pressed > 80, qPrintable(QString::number(pressed)));
    }

    /// The lines of tables and of everywhere, pressed where a person would.
    void theLinesOfTablesAndOfEverywhereAreTrue() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        window.show();
        QVERIFY(window.files().open(bench.writeProject()));
        QVERIFY(bench.waitForEstimate());
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.workspaces().showPanel(views::PanelId::Problems);
        auto& layers = *window.problems().findChild<views::LayerTable*>();
        window.problems().showPage(layers);
        auto& panel = *layers.findChild<views::TablePanel*>();
        QTRY_VERIFY(panel.table().isVisible() && panel.table().model()->rowCount() > 1);
        QTableView& table = panel.table();
        const auto cell = [&](int row, int column) {
            return table.visualRect(table.model()->index(row, column)).center();
        };
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, cell(0, 0));
        QGuiApplication::clipboard()->clear();
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(!QGuiApplication::clipboard()->text().isEmpty());
        // Enter in the filter keeps it, Backspace in the empty one takes it back.
        QLineEdit* filter = &layers.filter();
        const int all = table.model()->rowCount();
        filter->setFocus();
        QTest::keyClicks(filter, "hidden1");
        QTRY_VERIFY(table.model()->rowCount() < all);
        QTest::keyClick(filter, Qt::Key_Return);
        QCOMPARE(panel.keptFilters().size(), 1);
        QTest::keyClick(filter, Qt::Key_Backspace);
        QVERIFY(panel.keptFilters().isEmpty());
        filter->clear();
        // A click on a header sorts.
        QHeaderView& header = *table.horizontalHeader();
        const int before = header.sortIndicatorSection();
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                          QPoint(header.sectionViewportPosition(1) + 8, header.height() / 2));
        QVERIFY(header.sortIndicatorSection() == 1 && before != 1);
        // Esc leads from a panel back to the workspace.
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Escape);
        QTRY_VERIFY(!window.problems().isAncestorOf(QApplication::focusWidget()));
    }

    void aSearchNarrowsTheSheet() {
        WindowBench bench;
        bench.window->show();
        app::ShortcutSheet sheet(sourcesOf(*bench.window), bench.window.get());
        sheet.show();
        QVERIFY(sheet.text().contains("Undo") && sheet.text().contains("Pin the lane"));
        QTest::keyClicks(&sheet.search(), "pin lane");
        QVERIFY(sheet.text().contains("Pin the lane"));
        QVERIFY2(!sheet.text().contains("Undo"), qPrintable(sheet.text()));
        sheet.search().clear();
        QTest::keyClicks(&sheet.search(), "ctrl+z");
        QVERIFY2(sheet.text().contains("Undo"), qPrintable(sheet.text()));
        sheet.search().clear();
        QTest::keyClicks(&sheet.search(), "no such thing");
        QVERIFY(sheet.text().contains("No key does that"));
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        sheet.search().clear();
        if (!folder.isEmpty())
            sheet.grab().save(folder + "/shortcuts.png");
    }
};

REGISTER_WIDGET_TEST("shortcut_sheet", ShortcutSheetTest)
#include "shortcut_sheet_test.moc"
