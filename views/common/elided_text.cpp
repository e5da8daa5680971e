#include "views/common/elided_text.h"

#include <QFontMetricsF>

namespace views {

namespace {

QString elided(const QString& text, const QFont& font, double width, Qt::TextElideMode mode) {
    const QFontMetricsF metrics(font);
    if (metrics.horizontalAdvance(text) <= width)
        return text;
    const QString shorter = metrics.elidedText(text, mode, width);
    return shorter.size() <= 1 ? QString() : shorter;
}

} // namespace

QString elidedMiddle(const QString& text, const QFont& font, double width) {
    return elided(text, font, width, Qt::ElideMiddle);
}

QString elidedEnd(const QString& text, const QFont& font, double width) {
    return elided(text, font, width, Qt::ElideRight);
}

void paintElided(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text,
                 const QFont& font) {
    painter.setFont(font);
    painter.drawText(rect, int(alignment) | Qt::TextSingleLine, elidedMiddle(text, font, rect.width()));
}

double textWidth(const QString& text, const QFont& font) {
    return QFontMetricsF(font).horizontalAdvance(text);
}

} // namespace views
