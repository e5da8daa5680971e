#include "app/window/dialogs/shortcut_sheet.h"
#include "core/project/project_edit.h"
#include "tests/app/editor/person.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/graph_view.h"
#include "views/graph/scene/canvas_handles.h"
#include "views/inspector/inspector_view.h"

#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QTimer>
#include <QWheelEvent>
#include <map>
#include <numeric>

using tests::Person;
using tests::WindowBench;

namespace {

/// A person before the small pipelined perceptron: input, hidden1 | hidden2, logits.
struct Hands {
    Hands()
        : person(*bench.window, {1280, 800}) {
        const bool isOpen = bench.window->files().open(bench.writeProject()) && bench.waitForEstimate();
        Q_ASSERT(isOpen);
        Q_UNUSED(isOpen)
        person.press("Escape");
        for (const core::Layer& layer : project().model.layers)
            names.push_back(layer.name);
    }
    [[nodiscard]] const core::Project& project() const { return bench.window->document().project(); }
    [[nodiscard]] views::CanvasView& canvas() const { return person.canvas(); }
    [[nodiscard]] std::size_t layers() const { return project().model.layers.size(); }
    [[nodiscard]] std::size_t edges() const { return canvas().model().edges.size(); }
    [[nodiscard]] std::vector<std::size_t> stages() const {
        std::vector<std::size_t> list;
        for (const core::StageId stage : project().assignment.stages)
            list.push_back(stage.index());
        return list;
    }
    [[nodiscard]] std::set<std::string> selected() const {
        std::set<std::string> all;
        for (const views::InvocationKey& key : bench.window->selection().state().invocations)
            all.insert(key.path);
        return all;
    }
    [[nodiscard]] std::string readOf(const std::string& layer) const {
        for (const core::LayerInvocation& call : project().model.invocations)
            if (project().model.layer(call.layer).name == layer && !call.inputs.empty())
                return project().model.layer(call.inputs.front().invocation).name;
        return {};
    }
    [[nodiscard]] QPointF middleOf(const std::string& layer) const {
        return canvas().geometry().placeOf[std::size_t(canvas().model().find({layer, 0}))].center();
    }
    [[nodiscard]] double zoom() const { return canvas().viewport().zoom; }
    void choose(std::size_t layer) { person.click(canvas(), person.placeOf(names[layer])); }
    void chooseBoth(std::size_t first, std::size_t second) {
        choose(first);
        person.click(canvas(), person.placeOf(names[second]), Qt::ControlModifier);
    }
    void undo() { person.press("Ctrl+Z"); }
    void answer(const QString& text) {
        person.whenAsked([this, text] {
            person.press("Ctrl+A");
            person.type(text);
            // A text of several lines takes Enter itself.
            if (qobject_cast<QLineEdit*>(QApplication::focusWidget()) != nullptr)
                return person.press("Return");
            person.press("Tab");
            person.press("Return");
        });
    }
    void dragWith(Qt::MouseButton button, const QPoint& from, const QPoint& to,
                  Qt::KeyboardModifiers modifiers = {}) {
        QWindow* window = bench.window->windowHandle();
        const QPoint shift = canvas().mapTo(bench.window.get(), QPoint());
        QTest::mouseMove(window, shift + from);
        QTest::mousePress(window, button, modifiers, shift + from);
        for (int i = 1; i <= 6; ++i)
            QTest::mouseMove(window, shift + from + (to - from) * i / 6);
        QTest::mouseRelease(window, button, modifiers, shift + to);
        QApplication::processEvents();
    }

    WindowBench bench;
    Person person;
    std::vector<std::string> names;
};

bool isListOpen() {
    return QApplication::activePopupWidget() != nullptr;
}

void addsByKey(Hands& hands, const QString& key) {
    Person& person = hands.person;
    hands.choose(1);
    const std::size_t before = hands.layers();
    person.press(key);
    QVERIFY2(isListOpen(), qPrintable(key));
    person.type("Dropout");
    person.press("Return");
    QCOMPARE(hands.layers(), before + 1);
    hands.undo();
}

using Line = void (*)(Hands& hands, Person& person);

/// By what the line says: what a person does, and what has to come of it.
const std::map<QString, Line>& lines() {
    static const std::map<QString, Line> all{
        {"Add a layer by search, behind what is selected",
         [](Hands& hands, Person& person) {
             for (const char* key : {"Tab", "Space"})
                 addsByKey(hands, key);
             hands.choose(1);
             person.press("Tab");
             person.type("Dropout");
             person.press("Return");
             QCOMPARE(hands.readOf("dropout"), hands.names[1]);
             QCOMPARE(hands.readOf(hands.names[2]), std::string("dropout"));
             hands.undo();
             person.doubleClick(hands.canvas(), person.emptyGround());
             QVERIFY(isListOpen());
         }},
        {"Put the selection on that stage",
         [](Hands& hands, Person& person) {
             for (int digit = 0; digit <= 9; ++digit) {
                 hands.choose(digit == 0 ? 2 : 3);
                 person.press(QString::number(digit));
                 QCOMPARE(int(hands.stages()[digit == 0 ? 1 : 2]), digit);
                 while (hands.stages() != std::vector<std::size_t>{0, 1, 1})
                     hands.undo();
             }
         }},
        {"Put the selection's stage on that IPU",
         [](Hands& hands, Person& person) {
             for (int digit = 1; digit <= 9; ++digit) {
                 hands.choose(3);
                 person.press("Ctrl+" + QString::number(digit));
                 QCOMPARE(int(hands.project().deviceMapping.ipuOf(core::StageId(1)).index()), digit);
             }
         }},
        {"Move the boundary between two stages",
         [](Hands& hands, Person& person) {
             const QPoint grip = views::gripRect(hands.canvas().scene(), 0).center().toPoint();
             person.drag(hands.canvas(), grip, grip + QPoint(160, 0));
             QVERIFY(hands.stages() != (std::vector<std::size_t>{0, 1, 1}));
         }},
        {"Connect; on empty ground: add what fits",
         [](Hands& hands, Person& person) {
             person.drag(hands.canvas(), person.outPort(hands.names[1]), person.placeOf(hands.names[3]));
             QCOMPARE(hands.readOf(hands.names[3]), hands.names[1]);
             person.drag(hands.canvas(), person.outPort(hands.names[1]), person.emptyGround());
             QVERIFY(isListOpen());
         }},
        {"Cut connections",
         [](Hands& hands, Person&) {
             const std::size_t before = hands.edges();
             const QPointF between = (hands.middleOf(hands.names[0]) + hands.middleOf(hands.names[1])) / 2;
             const QPoint at = hands.canvas().viewport().toView(between).toPoint();
             hands.dragWith(Qt::RightButton, at - QPoint(60, 0), at + QPoint(60, 0), Qt::ControlModifier);
             QCOMPARE(hands.edges(), before - 1);
         }},
        {"Delete; delete and reconnect",
         [](Hands& hands, Person& person) {
             hands.choose(2);
             person.press("Del");
             QCOMPARE(hands.layers(), std::size_t(3));
             QCOMPARE(hands.readOf(hands.names[3]), std::string());
             hands.undo();
             hands.choose(2);
             person.press("Ctrl+Del");
             QCOMPARE(hands.readOf(hands.names[3]), hands.names[1]);
         }},
        {"Pan; zoom at the mouse",
         [](Hands& hands, Person& person) {
             person.click(hands.canvas(), person.emptyGround());
             QPoint ground = person.emptyGround();
             const auto origin = [&] { return hands.canvas().viewport().origin; };
             QPointF before = origin();
             hands.dragWith(Qt::MiddleButton, ground, ground - QPoint(30, 40));
             QVERIFY(origin() != before);
             before = origin();
             // The overview came where the ground was.
             ground = person.emptyGround();
             QTest::keyPress(hands.bench.window->windowHandle(), Qt::Key_Space);
             hands.dragWith(Qt::LeftButton, ground, ground + QPoint(30, 40));
             QTest::keyRelease(hands.bench.window->windowHandle(), Qt::Key_Space);
             QVERIFY(origin() != before);
             QVERIFY(!isListOpen());
             // Held without a drag it adds nothing either, on displays too that repeat a key that is held by
             // letting go of it.
             QTest::keyPress(hands.bench.window->windowHandle(), Qt::Key_Space);
             QTest::qWait(450);
             for (int i = 0; i < 3; ++i) {
                 QTest::keyRelease(hands.bench.window->windowHandle(), Qt::Key_Space);
                 QTest::keyPress(hands.bench.window->windowHandle(), Qt::Key_Space);
             }
             QTest::keyRelease(hands.bench.window->windowHandle(), Qt::Key_Space);
             QVERIFY(!isListOpen());
             const QPointF fixed = hands.canvas().viewport().toCanvas(ground);
             const double zoom = hands.zoom();
             QWheelEvent wheel(ground, hands.canvas().mapToGlobal(ground), {}, {0, 120}, Qt::NoButton, {},
                               Qt::NoScrollPhase, false);
             QApplication::sendEvent(&hands.canvas(), &wheel);
             QTRY_VERIFY(hands.zoom() > zoom);
             const QPointF moved = hands.canvas().viewport().toView(fixed) - ground;
             QVERIFY(moved.manhattanLength() < 2);
         }},
        {"Select the nearest box in that direction; extend the selection",
         [](Hands& hands, Person& person) {
             hands.choose(0);
             person.press("Down");
             QCOMPARE(hands.selected(), std::set<std::string>{hands.names[1]});
             person.press("Up");
             QCOMPARE(hands.selected(), std::set<std::string>{hands.names[0]});
             person.press("Right");
             QVERIFY(!hands.selected().contains(hands.names[0]));
             person.press("Left");
             hands.choose(0);
             person.press("Shift+Down");
             QCOMPARE(hands.selected(), (std::set<std::string>{hands.names[0], hands.names[1]}));
         }},
        {"Connect the selected layers to the one selected last, or ask what one is to read; disconnect them",
         [](Hands& hands, Person& person) {
             hands.chooseBoth(1, 3);
             person.press("L");
             QCOMPARE(hands.readOf(hands.names[3]), hands.names[1]);
             hands.chooseBoth(1, 3);
             person.press("Shift+L");
             QCOMPARE(hands.readOf(hands.names[3]), std::string());
             hands.choose(3);
             person.press("L");
             QVERIFY(isListOpen());
         }},
        {"Move the cut after the stage by one layer",
         [](Hands& hands, Person& person) {
             for (const auto& [further, back] : {std::pair("Down", "Up"), std::pair("Right", "Left")}) {
                 hands.choose(1);
                 person.press(QString("Ctrl+Shift+") + further);
                 QCOMPARE(hands.stages(), (std::vector<std::size_t>{0, 0, 1}));
                 person.press(QString("Ctrl+Shift+") + back);
                 QCOMPARE(hands.stages(), (std::vector<std::size_t>{0, 1, 1}));
             }
         }},
        {"Leave the canvas",
         [](Hands& hands, Person& person) {
             for (const char* key : {"Ctrl+Tab", "Ctrl+Shift+Tab"}) {
                 hands.choose(1);
                 QVERIFY(hands.canvas().hasFocus());
                 person.press(key);
                 QVERIFY2(!hands.canvas().hasFocus(), key);
             }
         }},
        {"Nudge by 1 or 10 steps, in the free layout",
         [](Hands& hands, Person& person) {
             person.click(*person.button("Free layout"));
             hands.choose(2);
             const QPointF before = hands.middleOf(hands.names[2]);
             person.press("Alt+Right");
             const double step = hands.middleOf(hands.names[2]).x() - before.x();
             QVERIFY(step > 0);
             person.press("Alt+Shift+Right");
             QCOMPARE(hands.middleOf(hands.names[2]).x() - before.x(), 11 * step);
             person.press("Alt+Down");
             QVERIFY(hands.middleOf(hands.names[2]).y() > before.y());
         }},
        {"Add to the selection; select the branch",
         [](Hands& hands, Person& person) {
             hands.chooseBoth(0, 2);
             QCOMPARE(hands.selected(), (std::set<std::string>{hands.names[0], hands.names[2]}));
             // All of a chain; of a fork the side that is clicked, from where the lines part.
             person.click(hands.canvas(), person.placeOf(hands.names[2]), Qt::AltModifier);
             QCOMPARE(hands.selected(), std::set<std::string>(hands.names.begin(), hands.names.end()));
             hands.choose(1);
             person.press("Tab");
             person.type("Dropout");
             person.press("Shift+Return");
             QCOMPARE(hands.readOf("dropout"), hands.names[1]);
             person.click(hands.canvas(), person.placeOf("dropout"), Qt::AltModifier);
             QCOMPARE(hands.selected(), std::set<std::string>{"dropout"});
             person.click(hands.canvas(), person.placeOf(hands.names[3]), Qt::AltModifier);
             QCOMPARE(hands.selected(), (std::set<std::string>{hands.names[2], hands.names[3]}));
         }},
        {"Attributes of the selection",
         [](Hands& hands, Person& person) {
             hands.choose(1);
             person.press("Return");
             const auto* inspector = hands.bench.window->findChild<views::InspectorView*>();
             QVERIFY(inspector->isAncestorOf(QApplication::focusWidget()));
         }},
        {"Add layer…",
         [](Hands& hands, Person& person) {
             addsByKey(hands, "Shift+A");
             Q_UNUSED(person)
         }},
        {"Rename…",
         [](Hands& hands, Person& person) {
             hands.choose(1);
             person.press("F2");
             person.press("Ctrl+A");
             person.type("first");
             person.press("Return");
             QCOMPARE(hands.project().model.layers[1].name, std::string("first"));
         }},
        {"Copy",
         [](Hands& hands, Person& person) {
             hands.choose(1);
             person.press("Ctrl+C");
             person.press("Ctrl+V");
             QCOMPARE(hands.layers(), std::size_t(5));
         }},
        {"Cut and reconnect",
         [](Hands& hands, Person& person) {
             hands.choose(2);
             person.press("Ctrl+X");
             QCOMPARE(hands.readOf(hands.names[3]), hands.names[1]);
             person.press("Ctrl+V");
             QCOMPARE(hands.layers(), std::size_t(4));
         }},
        {"Paste",
         [](Hands& hands, Person& person) {
             hands.choose(1);
             person.press("Ctrl+C");
             person.press("Ctrl+V");
             QCOMPARE(hands.layers(), std::size_t(5));
             QCOMPARE(hands.readOf(hands.project().model.layers.back().name), std::string());
         }},
        {"Paste with links",
         [](Hands& hands, Person& person) {
             hands.choose(1);
             person.press("Ctrl+C");
             person.press("Ctrl+Shift+V");
             QCOMPARE(hands.layers(), std::size_t(5));
             QVERIFY(hands.edges() > 3);
         }},
        {"Duplicate",
         [](Hands& hands, Person& person) {
             hands.choose(1);
             person.press("Ctrl+D");
             QCOMPARE(hands.layers(), std::size_t(5));
         }},
        {"Output of the model",
         [](Hands& hands, Person& person) {
             const std::size_t before = hands.project().model.outputs.size();
             hands.choose(2);
             person.press("O");
             QCOMPARE(hands.project().model.outputs.size(), before + 1);
         }},
        {"Bypass, or use again",
         [](Hands& hands, Person& person) {
             const core::Project before = hands.project();
             hands.choose(2);
             person.press("M");
             QVERIFY(hands.project() != before);
             const int node = hands.canvas().model().find({hands.names[2], 0});
             QVERIFY(hands.canvas().model().nodes[std::size_t(node)].isMuted);
             person.press("M");
             QVERIFY(!hands.canvas().model().nodes[std::size_t(node)].isMuted);
         }},
        {"Lock to the stages they are on, or unlock",
         [](Hands& hands, Person& person) {
             hands.choose(2);
             person.press("Ctrl+Shift+K");
             QCOMPARE(core::lockedLayers(hands.project()), std::set<std::string>{hands.names[2]});
             person.press("Ctrl+Shift+K");
             QVERIFY(core::lockedLayers(hands.project()).empty());
         }},
        {"Options of the stage…",
         [](Hands& hands, Person& person) {
             hands.choose(2);
             bool hasMenu = false;
             QTimer::singleShot(100, hands.bench.window.get(), [&hasMenu] {
                 auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
                 hasMenu = menu != nullptr;
                 if (menu != nullptr)
                     menu->close();
             });
             person.press("Shift+O");
             QTRY_VERIFY(hasMenu);
         }},
        {"Note…",
         [](Hands& hands, Person& person) {
             hands.choose(1);
             hands.answer("look here");
             person.press("N");
             QCOMPARE(hands.project().canvas.notes.size(), std::size_t(1));
             person.whenAsked([&person] {
                 person.press("Ctrl+A");
                 person.type("look there");
                 person.press("Ctrl+Return");
             });
             hands.choose(1);
             person.press("N");
             QCOMPARE(hands.project().canvas.notes[0].text, std::string("look there"));
             hands.undo();
             QCOMPARE(hands.project().canvas.notes[0].text, std::string("look here"));
         }},
        {"Group…",
         [](Hands& hands, Person& person) {
             hands.chooseBoth(2, 3);
             hands.answer("head");
             person.press("Ctrl+G");
             QCOMPARE(hands.canvas().model().groups.size(), std::size_t(1));
             QCOMPARE(hands.canvas().model().groups[0].title, QString("head"));
         }},
        {"Ungroup",
         [](Hands& hands, Person& person) {
             hands.chooseBoth(2, 3);
             hands.answer("head");
             person.press("Ctrl+G");
             person.press("Ctrl+Shift+G");
             QVERIFY(hands.canvas().model().groups.empty());
         }},
        {"Repeat…",
         [](Hands& hands, Person& person) {
             hands.choose(2);
             hands.answer("3");
             person.press("Ctrl+R");
             QCOMPARE(hands.layers(), std::size_t(6));
         }},
        {"Fold repeated blocks, or unfold",
         [](Hands& hands, Person& person) {
             hands.chooseBoth(1, 2);
             hands.answer("4");
             person.press("Ctrl+R");
             const auto isFolded = [&] {
                 return std::ranges::any_of(hands.canvas().model().groups,
                                            [](const views::CanvasGroup& group) {
                                                return group.origin == views::CanvasGroup::Origin::Repeat;
                                            });
             };
             const bool before = isFolded();
             person.press("Ctrl+Shift+R");
             QCOMPARE(isFolded(), !before);
             person.press("Ctrl+Shift+R");
             QCOMPARE(isFolded(), before);
         }},
        {"Collapse or expand",
         [](Hands& hands, Person& person) {
             hands.chooseBoth(2, 3);
             hands.answer("head");
             person.press("Ctrl+G");
             const auto isFolded = [&] {
                 return std::ranges::any_of(hands.canvas().geometry().boxes, &views::BoxShape::isCollapsed);
             };
             for (const char* key : {"C", "Alt+C"}) {
                 const bool before = isFolded();
                 person.press(key);
                 QCOMPARE(isFolded(), !before);
             }
         }},
        {"Select all",
         [](Hands& hands, Person& person) {
             person.press("Ctrl+A");
             QCOMPARE(hands.selected(), std::set<std::string>(hands.names.begin(), hands.names.end()));
         }},
        {"Select everything before",
         [](Hands& hands, Person& person) {
             hands.choose(2);
             person.press("Ctrl+[");
             QCOMPARE(hands.selected(),
                      (std::set<std::string>{hands.names[0], hands.names[1], hands.names[2]}));
         }},
        {"Select everything after",
         [](Hands& hands, Person& person) {
             hands.choose(1);
             person.press("Ctrl+]");
             QCOMPARE(hands.selected(),
                      (std::set<std::string>{hands.names[1], hands.names[2], hands.names[3]}));
         }},
        {"Show all",
         [](Hands& hands, Person& person) {
             hands.canvas().scene().camera().zoomBy(4);
             person.press("Home");
             QVERIFY(hands.canvas()
                         .viewport()
                         .visible(hands.canvas().size())
                         .contains(hands.middleOf(hands.names[0])));
             QVERIFY(hands.canvas()
                         .viewport()
                         .visible(hands.canvas().size())
                         .contains(hands.middleOf(hands.names[3])));
         }},
        {"Show selection",
         [](Hands& hands, Person& person) {
             for (const char* key : {"F", "."}) {
                 hands.choose(3);
                 hands.canvas().scene().camera().moveBy({5000, 5000});
                 person.press(key);
                 QVERIFY2(hands.canvas()
                              .viewport()
                              .visible(hands.canvas().size())
                              .contains(hands.middleOf(hands.names[3])),
                          key);
             }
         }},
        {"Zoom in",
         [](Hands& hands, Person& person) {
             for (const char* key : {"+", "Ctrl++", "="}) {
                 const double before = hands.zoom();
                 person.press(key);
                 QVERIFY2(hands.zoom() > before, key);
             }
         }},
        {"Zoom out",
         [](Hands& hands, Person& person) {
             for (const char* key : {"-", "Ctrl+-"}) {
                 const double before = hands.zoom();
                 person.press(key);
                 QVERIFY2(hands.zoom() < before, key);
             }
         }},
        {"Arrange",
         [](Hands& hands, Person& person) {
             person.click(*person.button("Free layout"));
             hands.choose(2);
             person.press("Alt+Shift+Right");
             QVERIFY(!hands.project().canvas.positions.empty());
             person.press("Escape");
             person.press("Ctrl+L");
             QVERIFY(hands.project().canvas.positions.empty());
         }},
    };
    return all;
}

app::ShortcutGroup groupOfModel(app::MainWindow& window) {
    for (const app::ShortcutGroup& group :
         app::shortcutGroups({window.actions(), window.graph().canvasActions(), "Model"}))
        if (group.title == "Model")
            return group;
    return {};
}

} // namespace

/// What the sheet of shortcuts says of the canvas: every line is done in the real window, by every key and
/// gesture that it names, and has to do what it says.
class SheetLinesTest : public QObject {
    Q_OBJECT

private slots:
    void init() { views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light)); }

    void everyLineOfTheCanvasIsTrue_data() {
        QTest::addColumn<QString>("meaning");
        WindowBench bench;
        for (const auto& [keys, meaning] : groupOfModel(*bench.window).rows)
            QTest::addRow("%s", qPrintable(keys)) << meaning;
    }

    void everyLineOfTheCanvasIsTrue() {
        QFETCH(QString, meaning);
        const auto line = lines().find(meaning);
        QVERIFY2(line != lines().end(), qPrintable("nobody tries: " + meaning));
        Hands hands;
        line->second(hands, hands.person);
        if (QWidget* popup = QApplication::activePopupWidget())
            popup->close();
    }

    void noLineIsTriedThatTheSheetHasNot() {
        WindowBench bench;
        const app::ShortcutGroup group = groupOfModel(*bench.window);
        for (const auto& [meaning, line] : lines())
            QVERIFY2(std::ranges::any_of(group.rows, [&](const auto& row) { return row.second == meaning; }),
                     qPrintable(meaning));
    }
};

REGISTER_WIDGET_TEST("sheet_lines", SheetLinesTest)
#include "sheet_lines_test.moc"
