#include "views/common/access/painted_parts.h"

#include <QAccessibleWidget>
#include <QHash>
#include <QTimer>
#include <algorithm>

namespace views {

namespace {

class PartAccessible;

/// The widget as the root of its painted things. Their interfaces are made when somebody asks for them, keep
/// their identity over edits, and go when what they are about is gone.
class PaintedAccessible final : public QAccessibleWidget {
public:
    PaintedAccessible(QWidget& widget, QAccessible::Role role, std::unique_ptr<PaintedParts> parts)
        : QAccessibleWidget(&widget, role, widget.accessibleName())
        , m_parts(std::move(parts)) {
        QObject::connect(m_parts.get(), &PaintedParts::changed, m_parts.get(), [this] { noteChange(); });
        QObject::connect(m_parts.get(), &PaintedParts::focusMoved, m_parts.get(), [this] { noteFocus(); });
    }
    ~PaintedAccessible() override {
        m_parts.reset();
        for (const QAccessible::Id id : std::as_const(m_children))
            QAccessible::deleteAccessibleInterface(id);
    }

    PaintedParts& parts() { return *m_parts; }
    QWidget& surface() const { return *widget(); }

    /// Place of a thing by its own name; −1: it is gone.
    int placeOf(const QString& id) {
        refresh();
        return m_indices.value(id, -1);
    }
    /// Places of what a thing holds (−1: of what is in the widget).
    const std::vector<int>& childrenOf(int place) {
        refresh();
        return m_childrenOf[std::size_t(place + 1)];
    }
    int parentOf(int place) const { return m_places[std::size_t(place)].parent; }
    QAccessibleInterface* at(int place);

    QAccessible::State state() const override {
        QAccessible::State state = QAccessibleWidget::state();
        state.multiSelectable = true;
        state.focusable = true;
        return state;
    }
    int childCount() const override { return int(self().childrenOf(-1).size()); }
    QAccessibleInterface* child(int index) const override {
        const std::vector<int>& children = self().childrenOf(-1);
        return index >= 0 && index < int(children.size()) ? self().at(children[std::size_t(index)]) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override {
        const QPointF at = surface().mapFromGlobal(QPoint(x, y));
        if (!QRectF(surface().rect()).contains(at))
            return nullptr;
        self().refresh();
        // What is held by another thing lies upon it and comes later.
        for (int place = int(m_places.size()) - 1; place >= 0; --place) {
            if (m_parts->rect(place).contains(at))
                return self().at(place);
        }
        return nullptr;
    }
    QAccessibleInterface* focusChild() const override {
        if (!surface().hasFocus())
            return nullptr;
        self().refresh();
        const int place = m_parts->focused();
        return place >= 0 ? self().at(place) : QAccessible::queryAccessibleInterface(&surface());
    }

private:
    PaintedAccessible& self() const { return const_cast<PaintedAccessible&>(*this); }

    void refresh() {
        if (!m_isStale)
            return;
        m_isStale = false;
        m_places = m_parts->places();
        m_indices.clear();
        m_childrenOf.assign(m_places.size() + 1, {});
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            m_indices.insert(m_places[i].id, int(i));
            m_childrenOf[std::size_t(m_places[i].parent + 1)].push_back(int(i));
        }
    }
    void noteChange() {
        const bool wasStale = std::exchange(m_isStale, true);
        if (wasStale)
            return;
        // Who acts on a thing may be in the middle of a call of its interface.
        QTimer::singleShot(0, m_parts.get(), [this] {
            dropGone();
            if (QAccessible::isActive()) {
                QAccessibleEvent event(&surface(), QAccessible::ObjectReorder);
                QAccessible::updateAccessibility(&event);
            }
        });
    }
    void noteFocus() {
        if (!QAccessible::isActive() || !surface().hasFocus())
            return;
        QAccessibleInterface* focused = focusChild();
        if (focused == nullptr)
            return;
        QAccessibleEvent event(focused, QAccessible::Focus);
        QAccessible::updateAccessibility(&event);
    }
    void dropGone() {
        refresh();
        for (auto child = m_children.begin(); child != m_children.end();) {
            if (m_indices.contains(child.key())) {
                ++child;
                continue;
            }
            QAccessible::deleteAccessibleInterface(child.value());
            child = m_children.erase(child);
        }
    }

    std::unique_ptr<PaintedParts> m_parts;
    bool m_isStale = true;
    std::vector<PartPlace> m_places;
    QHash<QString, int> m_indices;
    /// By place + 1; the first are those of the widget.
    std::vector<std::vector<int>> m_childrenOf{{}};
    QHash<QString, QAccessible::Id> m_children;
};

/// One painted thing.
class PartAccessible final : public QAccessibleInterface,
                             public QAccessibleActionInterface,
                             public QAccessibleValueInterface {
public:
    PartAccessible(PaintedAccessible& owner, QString id)
        : m_owner(owner)
        , m_id(std::move(id)) {}

    bool isValid() const override { return place() >= 0; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_owner.window(); }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (int i = 0; i < childCount(); ++i) {
            if (child(i)->rect().contains(x, y))
                return child(i);
        }
        return nullptr;
    }
    QAccessibleInterface* parent() const override {
        const int at = place();
        const int holder = at < 0 ? -1 : m_owner.parentOf(at);
        return holder < 0 ? QAccessible::queryAccessibleInterface(&m_owner.surface()) : m_owner.at(holder);
    }
    QAccessibleInterface* child(int index) const override {
        const std::vector<int> children = held();
        return index >= 0 && index < int(children.size()) ? m_owner.at(children[std::size_t(index)])
                                                          : nullptr;
    }
    int childCount() const override { return int(held().size()); }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (int i = 0; i < childCount(); ++i) {
            if (this->child(i) == child)
                return i;
        }
        return -1;
    }
    QString text(QAccessible::Text which) const override {
        const PartFacts now = facts();
        switch (which) {
        case QAccessible::Name:
            return now.name;
        case QAccessible::Value:
            return now.value;
        case QAccessible::Description:
            return now.description;
        default:
            return {};
        }
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        const int at = place();
        const QRect inside = at < 0 ? QRect() : m_owner.parts().rect(at).toAlignedRect();
        return {m_owner.surface().mapToGlobal(inside.topLeft()), inside.size()};
    }
    QAccessible::Role role() const override { return facts().role; }
    QAccessible::State state() const override {
        const PartFacts now = facts();
        QAccessible::State state = now.state;
        state.invalid = place() < 0;
        state.invisible = state.invisible || !m_owner.surface().isVisible();
        state.offscreen = !QRectF(m_owner.surface().rect()).intersects(now.rect);
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::ActionInterface)
            return static_cast<QAccessibleActionInterface*>(this);
        if (type == QAccessible::ValueInterface && facts().number)
            return static_cast<QAccessibleValueInterface*>(this);
        return nullptr;
    }

    QStringList actionNames() const override { return facts().actions; }
    void doAction(const QString& name) override {
        if (const int at = place(); at >= 0 && facts().actions.contains(name))
            m_owner.parts().act(at, name);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

    QVariant currentValue() const override { return number().value; }
    void setCurrentValue(const QVariant& value) override {
        if (const int at = place(); at >= 0)
            m_owner.parts().setNumber(at, value.toDouble());
    }
    QVariant maximumValue() const override { return number().most; }
    QVariant minimumValue() const override { return number().least; }
    QVariant minimumStepSize() const override { return number().step; }

private:
    int place() const { return m_owner.placeOf(m_id); }
    std::vector<int> held() const {
        const int at = place();
        return at < 0 ? std::vector<int>() : m_owner.childrenOf(at);
    }
    PartFacts facts() const {
        const int at = place();
        return at < 0 ? PartFacts() : m_owner.parts().facts(at);
    }
    PartFacts::Number number() const { return facts().number.value_or(PartFacts::Number()); }

    PaintedAccessible& m_owner;
    QString m_id;
};

QAccessibleInterface* PaintedAccessible::at(int place) {
    const QString& id = m_places[std::size_t(place)].id;
    if (const auto known = m_children.constFind(id); known != m_children.constEnd())
        return QAccessible::accessibleInterface(*known);
    auto* part = new PartAccessible(*this, id);
    m_children.insert(id, QAccessible::registerAccessibleInterface(part));
    return part;
}

int PaintedAccessible::indexOfChild(const QAccessibleInterface* child) const {
    for (int i = 0; i < childCount(); ++i) {
        if (this->child(i) == child)
            return i;
    }
    return -1;
}

} // namespace

QAccessibleInterface* makePaintedAccessible(QWidget& widget, QAccessible::Role role,
                                            std::unique_ptr<PaintedParts> parts) {
    return new PaintedAccessible(widget, role, std::move(parts));
}

} // namespace views
