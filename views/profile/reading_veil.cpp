#include "views/profile/reading_veil.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/widget_theme.h"

#include <QEvent>
#include <QPainter>

namespace views {

namespace {

/// Until then nothing is dimmed, so that quick answers do not flicker.
constexpr int patienceMilliseconds = 150;

} // namespace

ReadingVeil::ReadingVeil(QWidget* view)
    : QWidget(view) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMilliseconds);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        setGeometry(parentWidget()->rect());
        raise();
        show();
    });
    view->installEventFilter(this);
}

void ReadingVeil::setReading(bool isReading) {
    if (isReading) {
        if (!isVisible() && !m_patience.isActive())
            m_patience.start();
        return;
    }
    m_patience.stop();
    hide();
}

bool ReadingVeil::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

void ReadingVeil::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), withAlpha(theme.color(Role::Canvas), 0.55));
    const QString text = tr("Reading the run…");
    const QFont font = theme.font(12);
    QRectF pill(0, 0, textWidth(text, font) + theme.px(28), theme.px(28));
    pill.moveCenter(QPointF(width() / 2.0, theme.px(32)));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(Role::BorderStrong), 1));
    painter.setBrush(theme.color(Role::Raised));
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
    painter.setFont(font);
    painter.setPen(theme.color(Role::Text));
    painter.drawText(pill, Qt::AlignCenter, text);
}

} // namespace views
