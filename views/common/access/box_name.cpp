#include "views/common/access/box_name.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>

namespace views {

namespace {

/// Beside its box wherever that is put: labels are looked for among its siblings.
class HeardLabel final : public QLabel {
public:
    explicit HeardLabel(QComboBox& box)
        : QLabel(box.parentWidget())
        , m_box(box) {
        setBuddy(&box);
        hide();
        box.installEventFilter(this);
        connect(&box, &QObject::destroyed, this, &QObject::deleteLater);
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == &m_box && event->type() == QEvent::ParentChange)
            setParent(m_box.parentWidget());
        return QLabel::eventFilter(watched, event);
    }

private:
    QComboBox& m_box;
};

} // namespace

void nameBox(QComboBox& box, const QString& name) {
    constexpr const char* key = "heardLabel";
    box.setAccessibleName(name);
    auto* label = qobject_cast<QLabel*>(box.property(key).value<QObject*>());
    if (label == nullptr) {
        label = new HeardLabel(box);
        box.setProperty(key, QVariant::fromValue<QObject*>(label));
    }
    label->setText(name);
}

} // namespace views
