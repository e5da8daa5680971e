#pragma once

#include <QAccessible>
#include <QObject>
#include <QRect>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

namespace views {

// Widgets that paint what one works with have no child widgets that assistive tools could find. They tell
// them here what there is, and Qt's interface (`QAccessible`) is made of it.

/// A painted thing: a name of its own, which it keeps while it is there, and the thing that holds it.
struct PartPlace {
    QString id;
    /// Place in the list; −1: the widget itself.
    int parent = -1;
};

/// What is told of a painted thing.
struct PartFacts {
    QAccessible::Role role = QAccessible::ListItem;
    QString name;
    /// What it shows now: of a gauge "12.4 µs".
    QString value;
    QString description;
    /// In the coordinates of the widget; may lie outside of what is in view.
    QRectF rect;
    QAccessible::State state;
    struct Number {
        double value = 0;
        double least = 0;
        double most = 0;
        double step = 0;
    };
    /// Of what has an amount.
    std::optional<Number> number;
    /// What can be done to it, the usual thing first: names of `QAccessibleActionInterface` or own ones, as
    /// people read them.
    QStringList actions;
};

/// The painted things of one widget. It emits `changed` when there are others, or other words about them.
class PaintedParts : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// All of them in reading order, a thing before those that it holds.
    [[nodiscard]] virtual std::vector<PartPlace> places() = 0;
    /// Of the thing at a place of the list that was answered last.
    [[nodiscard]] virtual PartFacts facts(int place) const = 0;
    /// The same as in `facts`, without the words.
    [[nodiscard]] virtual QRectF rect(int place) const { return facts(place).rect; }
    /// One of its `actions`.
    virtual void act(int place, const QString& action) = 0;
    /// Of a thing with a number that can be changed.
    virtual void setNumber(int, double) {}
    /// Place of the thing that has the keyboard while the widget has it; −1 for none.
    [[nodiscard]] virtual int focused() const { return -1; }

signals:
    void changed();
    void focusMoved();
};

/// The interface of a widget with painted things: for the factory that `QAccessible::installFactory` takes.
[[nodiscard]] QAccessibleInterface* makePaintedAccessible(QWidget& widget, QAccessible::Role role,
                                                          std::unique_ptr<PaintedParts> parts);

} // namespace views
