#include "app/services/catalogue/view_table.h"
#include "tests/app/editor/person.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/graph/graph_view.h"
#include "views/graph/stage_strip.h"
#include "views/layers/layer_table.h"
#include "views/layers/traffic_view.h"
#include "views/plan/system_view.h"

#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <map>

using tests::Person;
using tests::WindowBench;

namespace {

/// What somebody who listens can get to: a control, or a part of something that is painted.
bool isReached(const QAccessibleInterface& part) {
    const QAccessible::State state = part.state();
    if (state.invisible || state.disabled)
        return false;
    switch (part.role()) {
    case QAccessible::Button:
    case QAccessible::ButtonMenu:
    case QAccessible::CheckBox:
    case QAccessible::RadioButton:
    case QAccessible::ComboBox:
    case QAccessible::EditableText:
    case QAccessible::SpinBox:
    case QAccessible::Slider:
    case QAccessible::PageTab:
    case QAccessible::Table:
    case QAccessible::Tree:
    case QAccessible::List:
    case QAccessible::Canvas:
    case QAccessible::Graphic:
        return true;
    default:
        return state.focusable;
    }
}

struct Walk {
    std::map<QAccessible::Role, int> roles;
    QStringList nameless;
    QStringList names;
    /// Of everything, reached or not.
    QStringList all;
};

void walk(QAccessibleInterface& part, const QString& way, int depth, Walk& found) {
    constexpr int deepest = 40;
    if (depth > deepest || part.state().invisible)
        return;
    const QString name = part.text(QAccessible::Name);
    const QObject* object = part.object();
    const QString place =
        way + u'/' + (object != nullptr ? QString::fromLatin1(object->metaObject()->className()) : QString());
    found.all << name;
    if (isReached(part)) {
        ++found.roles[part.role()];
        found.names << name;
        // What a field inside of a control is for is said by the control.
        const bool isInner = object != nullptr && object->objectName().startsWith("qt_spinbox_lineedit");
        // A picture beside words, and the icon in a field, are for the eye.
        const bool isDecoration = object != nullptr && (qobject_cast<const QLabel*>(object) != nullptr ||
                                                        object->inherits("QLineEditIconButton"));
        // Qt says what is chosen in a box in place of its name, which a label says.
        const auto* owner = object == nullptr ? nullptr : qobject_cast<QComboBox*>(object->parent());
        const bool isBox = part.role() == QAccessible::ComboBox;
        const bool isNamed =
            isBox ? std::ranges::any_of(part.relations(QAccessible::Label),
                                        [](const auto& relation) {
                                            return !relation.first->text(QAccessible::Name).isEmpty();
                                        })
                  : !name.trimmed().isEmpty();
        if (!isNamed && !isInner && !isDecoration && owner == nullptr)
            found.nameless << place;
    }
    // Rows of a long table read alike; their cells have names by what they say.
    const bool isTable = part.tableInterface() != nullptr;
    for (int i = 0; i < part.childCount() && !isTable; ++i)
        if (QAccessibleInterface* child = part.child(i); child != nullptr)
            walk(*child, place, depth + 1, found);
}

Walk walkOf(QWidget& window) {
    Walk found;
    walk(*QAccessible::queryAccessibleInterface(&window), {}, 0, found);
    return found;
}

} // namespace

/// Who listens to the window meets nothing without a name, in the states that people come through.
class ScreenReaderTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light)); }

    void nothingThatIsReachedIsNameless() {
        WindowBench bench;
        Person person(*bench.window, {1600, 1000});
        QStringList nameless;
        const auto look = [&](const QString& state) {
            QApplication::processEvents();
            const Walk found = walkOf(*bench.window);
            QVERIFY2(found.names.size() > 20, qPrintable(state));
            for (const QString& place : found.nameless)
                nameless << state + ": " + place;
        };
        look("start");
        person.press("Ctrl+N");
        look("empty");
        QVERIFY(bench.window->files().open(bench.writeProject()));
        QVERIFY(person.waitForFigures());
        look("model");
        person.press("Ctrl+A");
        look("all selected");
        person.press("Escape");
        person.click(person.canvas(),
                     person.placeOf(bench.window->document().project().model.layers[1].name));
        look("layer");
        for (const char* command : {"Solve split", "Plan for me", "Pipeline options", "Training options",
                                    "Dataset", "System options", "Target"}) {
            person.command(command);
            if (QWidget* dialog = QApplication::activeModalWidget())
                dialog->close();
            look(command);
        }
        bench.window->workspaces().showPanel(views::PanelId::Problems);
        for (int page = 0; page < 3; ++page) {
            bench.window->problems().showPage(views::DiagnosticsView::Page(page));
            look("problems " + QString::number(page));
        }
        bench.window->problems().showPage(*bench.window->problems().findChild<views::LayerTable*>());
        look("table of layers");
        bench.window->problems().showPage(*bench.window->problems().findChild<views::TrafficView*>());
        look("traffic");
        bench.window->showSystem();
        look("system");
        QVERIFY(bench.run());
        for (int workspace = 0; workspace < int(app::workspaceRows().size()); ++workspace) {
            bench.window->workspaces().show(app::workspaceRows()[std::size_t(workspace)].id);
            look(app::workspaceRows()[std::size_t(workspace)].title);
        }
        for (const QString& place : nameless)
            qWarning("without a name: %s", qPrintable(place));
        QVERIFY(nameless.isEmpty());
    }

    void boxesPortsCutsAndGaugesAreThere() {
        WindowBench bench;
        Person person(*bench.window, {1600, 1000});
        QVERIFY(bench.window->files().open(bench.writeProject()));
        QVERIFY(person.waitForFigures());
        const Walk found = walkOf(*bench.window);
        for (const core::Layer& layer : bench.window->document().project().model.layers)
            QVERIFY2(std::ranges::any_of(found.names,
                                         [&](const QString& name) {
                                             return name.contains(QString::fromStdString(layer.name));
                                         }),
                     layer.name.c_str());
        for (const QString part : {"Memory of stage 0", "Memory of stage 1"})
            QVERIFY2(!person.gauge(part).isEmpty(), qPrintable(part));
        QVERIFY2(found.names.contains("Cut between stage 0 and stage 1"),
                 qPrintable(found.names.join(" | ")));
        // Its ports are in a box.
        QVERIFY2(!found.all.filter("Output").isEmpty() && !found.all.filter("Input").isEmpty(),
                 qPrintable(found.all.join(" | ")));
    }
};

REGISTER_WIDGET_TEST("screen_reader", ScreenReaderTest)
#include "screen_reader_test.moc"
