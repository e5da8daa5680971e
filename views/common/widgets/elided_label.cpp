#include "views/common/widgets/elided_label.h"

#include "views/common/text/elided_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace views {

ElidedLabel::ElidedLabel(QWidget* parent)
    : QLabel(parent) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent)
    : ElidedLabel(parent) {
    setText(text);
}

QSize ElidedLabel::minimumSizeHint() const {
    return {20, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()));
    paintElided(painter, contentsRect(), alignment() | Qt::AlignVCenter, text(), font());
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && textWidth(text(), font()) > width()) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
        return true;
    }
    return QLabel::event(event);
}

} // namespace views
