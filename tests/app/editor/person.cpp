#include "tests/app/editor/person.h"

#include "views/graph/graph_view.h"
#include "views/graph/stage_strip.h"
#include "views/inspector/form/property_form.h"
#include "views/inspector/inspector_view.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDropEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QTimer>
#include <QTreeView>
#include <QWindow>
#include <QtTest/QTest>
#include <memory>

namespace tests {

namespace {

QPoint inWindow(const QWidget& widget, const QPoint& at) {
    return widget.mapTo(widget.window(), at);
}

QWindow* windowOf(const QWidget& widget) {
    return widget.window()->windowHandle();
}

/// The entry of a menu at the end of a way, found and clicked as the menus open.
void walkMenus(const QStringList& way) {
    QWidget* popup = QApplication::activePopupWidget();
    for (const QString& step : way) {
        auto* menu = qobject_cast<QMenu*>(popup);
        QVERIFY2(menu != nullptr, qPrintable("no menu for " + step));
        QAction* wanted = nullptr;
        for (QAction* action : menu->actions()) {
            if (action->text().remove(u'&') == step)
                wanted = action;
        }
        QVERIFY2(wanted != nullptr, qPrintable("no entry " + step));
        QVERIFY2(wanted->isEnabled(), qPrintable(step + " is grey"));
        const QPoint at = menu->actionGeometry(wanted).center();
        QTest::mouseMove(menu->windowHandle(), at);
        QTest::mouseClick(menu->windowHandle(), Qt::LeftButton, {}, at);
        popup = wanted->menu();
    }
}

} // namespace

Person::Person(app::MainWindow& window, QSize size)
    : m_window(window) {
    window.resize(size);
    window.show();
    window.activateWindow();
    const bool isThere = QTest::qWaitForWindowActive(&window);
    Q_ASSERT(isThere);
    Q_UNUSED(isThere)
}

QWindow* Person::keyboardWindow() const {
    if (const QWidget* popup = QApplication::activePopupWidget())
        return windowOf(*popup);
    if (const QWidget* dialog = QApplication::activeModalWidget())
        return windowOf(*dialog);
    return m_window.windowHandle();
}

/// A desktop gives the keyboard back to the window behind a popup; the offscreen one does not.
void Person::settle() const {
    QApplication::processEvents();
    if (QApplication::activePopupWidget() != nullptr || QApplication::activeModalWidget() != nullptr ||
        QApplication::activeWindow() == &m_window)
        return;
    m_window.activateWindow();
    const bool isActive = QTest::qWaitForWindowActive(&m_window);
    Q_UNUSED(isActive)
}

void Person::press(const QString& keys) {
    const QKeySequence sequence(keys);
    Q_ASSERT(sequence.count() == 1);
    const QKeyCombination key = sequence[0];
    QTest::keyClick(keyboardWindow(), key.key(), key.keyboardModifiers());
    settle();
}

void Person::type(const QString& text) {
    for (const QChar letter : text)
        QTest::keyClick(keyboardWindow(), letter.toLatin1());
    settle();
}

void Person::command(const QString& name) {
    press("Ctrl+Shift+P");
    type(name);
    press("Return");
}

void Person::when(std::function<bool()> isThere, std::function<void()> answer) {
    auto* timer = new QTimer(&m_window);
    timer->setInterval(5);
    QObject::connect(timer, &QTimer::timeout, timer,
                     [timer, isThere = std::move(isThere), answer = std::move(answer)] {
                         if (!isThere())
                             return;
                         timer->stop();
                         timer->deleteLater();
                         answer();
                     });
    timer->start();
}

void Person::whenAsked(std::function<void()> answer) {
    const auto hasKeyboard = [] {
        const QWidget* dialog = QApplication::activeModalWidget();
        const QWidget* focus = QApplication::focusWidget();
        return dialog != nullptr && focus != nullptr && dialog->isAncestorOf(focus);
    };
    when(hasKeyboard, std::move(answer));
}

void Person::click(const QWidget& widget, const QPoint& at, Qt::KeyboardModifiers modifiers) {
    QTest::mouseMove(windowOf(widget), inWindow(widget, at));
    QTest::mouseClick(windowOf(widget), Qt::LeftButton, modifiers, inWindow(widget, at));
    settle();
}

void Person::click(const QWidget& widget) {
    click(widget, widget.rect().center());
}

void Person::doubleClick(const QWidget& widget, const QPoint& at) {
    QTest::mouseMove(windowOf(widget), inWindow(widget, at));
    QTest::mouseDClick(windowOf(widget), Qt::LeftButton, {}, inWindow(widget, at));
    settle();
}

void Person::drag(const QWidget& widget, const QPoint& from, const QPoint& to,
                  Qt::KeyboardModifiers modifiers) {
    QWindow* window = windowOf(widget);
    QTest::mouseMove(window, inWindow(widget, from));
    QTest::mousePress(window, Qt::LeftButton, modifiers, inWindow(widget, from));
    constexpr int steps = 6;
    for (int i = 1; i <= steps; ++i)
        QTest::mouseMove(window, inWindow(widget, from + (to - from) * i / steps));
    QTest::mouseRelease(window, Qt::LeftButton, modifiers, inWindow(widget, to));
    settle();
}

void Person::takeHold(const QWidget& widget, const QPoint& from, const QPoint& to) {
    QWindow* window = windowOf(widget);
    QTest::mouseMove(window, inWindow(widget, from));
    QTest::mousePress(window, Qt::LeftButton, {}, inWindow(widget, from));
    constexpr int steps = 6;
    for (int i = 1; i <= steps; ++i)
        QTest::mouseMove(window, inWindow(widget, from + (to - from) * i / steps));
}

void Person::letGo(const QWidget& widget, const QPoint& at) {
    QTest::mouseRelease(windowOf(widget), Qt::LeftButton, {}, inWindow(widget, at));
    settle();
}

void Person::carry(const QString& className, const QPoint& target) {
    const auto [tree, index] = paletteClass(className);
    QVERIFY2(tree != nullptr, qPrintable("no class " + className));
    click(*tree->viewport(), tree->visualRect(index).center());
    QVERIFY(tree->dragEnabled() && tree->model()->flags(index).testFlag(Qt::ItemIsDragEnabled));
    // The offscreen platform carries nothing: these are the events that a desktop sends.
    const std::unique_ptr<QMimeData> data(tree->model()->mimeData({index}));
    QDragEnterEvent enter(target - QPoint(40, 40), Qt::CopyAction, data.get(), Qt::LeftButton, {});
    QApplication::sendEvent(&canvas(), &enter);
    QVERIFY2(enter.isAccepted(), "the canvas does not take it");
    QDragMoveEvent move(target, Qt::CopyAction, data.get(), Qt::LeftButton, {});
    QApplication::sendEvent(&canvas(), &move);
    QDropEvent drop(target, Qt::CopyAction, data.get(), Qt::LeftButton, {});
    QApplication::sendEvent(&canvas(), &drop);
    settle();
}

void Person::chooseInMenu(const QWidget& widget, const QPoint& at, const QStringList& way) {
    when([] { return QApplication::activePopupWidget() != nullptr; }, [way] { walkMenus(way); });
    QTest::mouseMove(windowOf(widget), inWindow(widget, at));
    QTest::mouseClick(windowOf(widget), Qt::RightButton, {}, inWindow(widget, at));
    settle();
}

const QAbstractButton* Person::button(const QString& text) const {
    for (const QAbstractButton* each : m_window.findChildren<QAbstractButton*>()) {
        if (each->isVisible() && each->text() == text)
            return each;
    }
    return nullptr;
}

views::CanvasView& Person::canvas() const {
    return m_window.graph().canvas();
}

QPoint Person::placeOf(const std::string& layer) const {
    const int node = canvas().model().find({layer, 0});
    Q_ASSERT(node >= 0);
    const QRectF place = canvas().geometry().placeOf[std::size_t(node)];
    return canvas().viewport().toView(place.center() - QPointF(place.width() / 4, 0)).toPoint();
}

QPoint Person::outPort(const std::string& layer, std::size_t port) const {
    const auto& geometry = canvas().geometry();
    const int node = canvas().model().find({layer, 0});
    const views::BoxShape& box = geometry.boxes[std::size_t(geometry.boxOf[std::size_t(node)])];
    return canvas().viewport().toView(box.outPorts.at(port)).toPoint();
}

QPoint Person::inPort(const std::string& layer, std::size_t port) const {
    const auto& geometry = canvas().geometry();
    const int node = canvas().model().find({layer, 0});
    const views::BoxShape& box = geometry.boxes[std::size_t(geometry.boxOf[std::size_t(node)])];
    return canvas().viewport().toView(box.inPorts.at(port)).toPoint();
}

QPoint Person::emptyGround() const {
    const QRect inside = canvas().rect().adjusted(30, 30, -30, -30);
    for (int y = inside.bottom(); y > inside.top(); y -= 12) {
        for (int x = inside.right(); x > inside.left(); x -= 12) {
            const QRectF around(QPointF(x - 40, y - 20), QSizeF(80, 40));
            bool isFree = true;
            for (const views::BoxShape& box : canvas().geometry().boxes)
                isFree = isFree && !canvas().viewport().toView(box.rect).intersects(around);
            if (isFree && canvas().childAt(x, y) == nullptr)
                return {x, y};
        }
    }
    return {};
}

void Person::add(const QString& className) {
    press("Tab");
    QVERIFY2(QApplication::activePopupWidget() != nullptr, "no list of layers");
    type(className);
    press("Return");
}

QWidget* Person::fieldOf(const std::string& id) const {
    views::PropertyRow* row = m_window.findChild<views::InspectorView*>()->form().row(id);
    return row == nullptr ? nullptr : row->editor();
}

void Person::setField(const std::string& id, const QString& text) {
    QWidget* field = fieldOf(id);
    QVERIFY2(field != nullptr && field->isVisible(), id.c_str());
    click(*field);
    press("Ctrl+A");
    type(text);
    press("Return");
}

void Person::setFieldByKeys(const std::string& id, const QString& text) {
    press("Return");
    constexpr int most = 12;
    for (int i = 0; i < most && fieldOf(id) != QApplication::focusWidget(); ++i)
        press("Tab");
    QVERIFY2(fieldOf(id) == QApplication::focusWidget(), id.c_str());
    press("Ctrl+A");
    type(text);
    press("Return");
    press("Escape");
    QVERIFY2(canvas().hasFocus(), "the keyboard is not on the canvas");
}

void Person::chooseField(const std::string& id, const QString& text) {
    auto* box = qobject_cast<QComboBox*>(fieldOf(id));
    QVERIFY2(box != nullptr && box->isVisible(), id.c_str());
    if (box->isEditable()) {
        click(*box->lineEdit());
        press("Ctrl+A");
        type(text);
        press("Return");
    } else {
        click(*box);
        press("Escape"); // the list; the arrows change it closed
        press("Home");
        for (int i = 0; i < box->count() && box->currentText() != text; ++i)
            press("Down");
    }
    QCOMPARE(box->currentText(), text);
}

namespace {

QAccessibleInterface* part(QAccessibleInterface& in, const QString& name) {
    for (int i = 0; i < in.childCount(); ++i) {
        QAccessibleInterface* child = in.child(i);
        if (child->text(QAccessible::Name) == name)
            return child;
        if (QAccessibleInterface* inner = part(*child, name))
            return inner;
    }
    return nullptr;
}

} // namespace

QString Person::gauge(const QString& name) const {
    QAccessibleInterface* gauges =
        QAccessible::queryAccessibleInterface(m_window.graph().findChild<views::GaugeStrip*>());
    QAccessibleInterface* found = gauges == nullptr ? nullptr : part(*gauges, name);
    return found == nullptr ? QString() : found->text(QAccessible::Value).simplified();
}

std::pair<QTreeView*, QModelIndex> Person::paletteClass(const QString& className) {
    for (QTreeView* tree : m_window.findChildren<QTreeView*>()) {
        if (tree->accessibleName() != "Layer classes")
            continue;
        click(*tree->parentWidget()->findChild<QLineEdit*>());
        press("Ctrl+A");
        type(className);
        const QAbstractItemModel& model = *tree->model();
        for (int shelf = 0; shelf < model.rowCount(); ++shelf) {
            const QModelIndex category = model.index(shelf, 0);
            for (int row = 0; row < model.rowCount(category); ++row) {
                const QModelIndex index = model.index(row, 0, category);
                if (index.data().toString() == className)
                    return {tree, index};
            }
        }
    }
    return {nullptr, {}};
}

bool Person::waitForFigures() const {
    return QTest::qWaitFor(
        [this] { return m_window.document().isAnalysisCurrent() && m_window.document().isEstimateCurrent(); },
        20000);
}

bool Person::waitForRun() const {
    return QTest::qWaitFor([this] { return !m_window.runs().isRunning(); }, 60000);
}

void Person::keep(const QString& name) const {
    const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
    if (folder.isEmpty())
        return;
    QTest::qWait(200);
    m_window.grab().save(folder + u'/' + name + QStringLiteral(".png"));
}

} // namespace tests
