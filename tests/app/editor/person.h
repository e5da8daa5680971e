#pragma once

#include "app/window/main_window.h"
#include "views/graph/canvas/canvas_view.h"

#include <QModelIndex>
#include <QPoint>
#include <QString>
#include <QStringList>
#include <functional>
#include <utility>

class QAbstractItemView;
class QAbstractButton;
class QTreeView;

namespace tests {

/// Somebody at the window: a pointer and a keyboard. Everything goes through the window system, to whatever
/// is below the pointer or has the keyboard; nothing of the program is called. What is read from the program
/// is what one sees.
class Person {
public:
    /// Shows the window in a size and looks at it.
    Person(app::MainWindow& window, QSize size);

    // keyboard
    /// "Ctrl+Shift+P", "Tab", "Shift+Down"
    void press(const QString& keys);
    void type(const QString& text);
    /// The command palette: its key, the command, Enter.
    void command(const QString& name);
    /// What is done in the dialog that the next step opens: it holds the program until it is closed.
    void whenAsked(std::function<void()> answer);

    // pointer
    void click(const QWidget& widget, const QPoint& at, Qt::KeyboardModifiers modifiers = {});
    void click(const QWidget& widget);
    void doubleClick(const QWidget& widget, const QPoint& at);
    void drag(const QWidget& widget, const QPoint& from, const QPoint& to,
              Qt::KeyboardModifiers modifiers = {});
    /// A drag that is not over yet, and its end.
    void takeHold(const QWidget& widget, const QPoint& from, const QPoint& to);
    void letGo(const QWidget& widget, const QPoint& at);
    /// A class from the palette, filtered to it, to a place of the canvas.
    void carry(const QString& className, const QPoint& target);
    /// The menu of a place, and a way through it.
    void chooseInMenu(const QWidget& widget, const QPoint& at, const QStringList& way);
    /// A button by what it says.
    [[nodiscard]] const QAbstractButton* button(const QString& text) const;

    // canvas
    [[nodiscard]] views::CanvasView& canvas() const;
    [[nodiscard]] QPoint placeOf(const std::string& layer) const;
    /// The n-th port below (or above) the box of a layer.
    [[nodiscard]] QPoint outPort(const std::string& layer, std::size_t port = 0) const;
    [[nodiscard]] QPoint inPort(const std::string& layer, std::size_t port = 0) const;
    /// A place of the canvas with nothing on it.
    [[nodiscard]] QPoint emptyGround() const;
    /// Tab, a class, Enter.
    void add(const QString& className);

    // inspector
    /// Clicks a field of the inspector and types a value into it.
    void setField(const std::string& id, const QString& text);
    /// By keys alone: Enter on the canvas leads to the inspector, Tab to the field, Escape back.
    void setFieldByKeys(const std::string& id, const QString& text);
    /// Chooses in the list of a field.
    void chooseField(const std::string& id, const QString& text);

    /// What a gauge says to whoever listens to it: "Memory of stage 0".
    [[nodiscard]] QString gauge(const QString& name) const;
    /// The tree of layer classes beside the canvas, filtered to one of them, and that one.
    [[nodiscard]] std::pair<QTreeView*, QModelIndex> paletteClass(const QString& className);

    /// Waits until every figure is of what is drawn.
    [[nodiscard]] bool waitForFigures() const;
    [[nodiscard]] bool waitForRun() const;
    /// Keeps NAME.png in the folder that IPU_WORKBENCH_PICTURES names.
    void keep(const QString& name) const;

    [[nodiscard]] QWindow* keyboardWindow() const;

private:
    void settle() const;
    /// Does something once, as soon as there is what it waits for.
    void when(std::function<bool()> isThere, std::function<void()> answer);
    [[nodiscard]] QWidget* fieldOf(const std::string& id) const;

    app::MainWindow& m_window;
};

} // namespace tests
