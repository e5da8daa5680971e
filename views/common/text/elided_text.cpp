#include "views/common/text/elided_text.h"

#include "views/common/theme/hatch.h"

#include <QFontMetricsF>
#include <QHash>
#include <QStaticText>
#include <algorithm>

namespace views {

namespace {

/// Shaping a text takes longer than painting it, and timelines paint the same few labels in every frame.
template <class Value>
class TextCache {
public:
    template <class Make>
    const Value& value(const QString& text, const QFont& font, Make make) {
        const Key key{text, font.family(), font.pixelSize(), int(font.weight()), font.italic()};
        if (const auto found = m_values.constFind(key); found != m_values.constEnd())
            return *found;
        constexpr qsizetype most = 8192;
        if (m_values.size() >= most)
            m_values.clear();
        return *m_values.insert(key, make());
    }

private:
    struct Key {
        QString text;
        QString family;
        int size;
        int weight;
        bool isItalic;

        bool operator==(const Key&) const = default;
        friend size_t qHash(const Key& key, size_t seed) {
            return qHashMulti(seed, key.text, key.family, key.size, key.weight, key.isItalic);
        }
    };

    QHash<Key, Value> m_values;
};

constexpr qsizetype longestCached = 32;

QString elided(const QString& text, const QFont& font, double width, Qt::TextElideMode mode) {
    if (textWidth(text, font) <= width)
        return text;
    const QString shorter = QFontMetricsF(font).elidedText(text, mode, width);
    return shorter.size() <= 1 ? QString() : shorter;
}

} // namespace

QString elidedMiddle(const QString& text, const QFont& font, double width) {
    return elided(text, font, width, Qt::ElideMiddle);
}

QString elidedEnd(const QString& text, const QFont& font, double width) {
    return elided(text, font, width, Qt::ElideRight);
}

QString wholeFacts(const QString& text, const QFont& font, double width) {
    if (textWidth(text, font) <= width)
        return text;
    for (qsizetype end = text.size(); end > 0;) {
        end = std::max(text.lastIndexOf(QStringLiteral("; "), end - 1),
                       text.lastIndexOf(QStringLiteral(", "), end - 1));
        if (end > 0 && textWidth(text.left(end), font) <= width)
            return text.left(end);
    }
    return elidedEnd(text, font, width);
}

void paintElided(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text,
                 const QFont& font) {
    const QString shown = elidedMiddle(text, font, rect.width());
    // Without a word on it text begins at the left, as QPainter has it.
    if ((alignment & Qt::AlignHorizontal_Mask) == 0)
        alignment |= Qt::AlignLeft;
    if (shown.size() <= longestCached && alignment.testFlag(Qt::AlignVCenter) && !isVectorDevice(painter))
        return paintLabel(painter, rect, shown, font, alignment);
    painter.setFont(font);
    painter.drawText(rect, int(alignment) | Qt::TextSingleLine, shown);
}

double textWidth(const QString& text, const QFont& font) {
    const auto measure = [&] { return QFontMetricsF(font).horizontalAdvance(text); };
    if (text.size() > longestCached)
        return measure();
    thread_local TextCache<double> widths;
    return widths.value(text, font, measure);
}

void paintLabel(QPainter& painter, const QRectF& rect, const QString& label, const QFont& font,
                Qt::Alignment alignment) {
    thread_local TextCache<QStaticText> labels;
    const QStaticText& shaped = labels.value(label, font, [&] {
        QStaticText text(label);
        text.setTextFormat(Qt::PlainText);
        text.setPerformanceHint(QStaticText::AggressiveCaching);
        text.prepare({}, font);
        return text;
    });
    painter.setFont(font);
    const QSizeF size = shaped.size();
    QPointF at = rect.center() - QPointF(size.width() / 2, size.height() / 2);
    if (alignment.testFlag(Qt::AlignLeft))
        at.setX(rect.left());
    else if (alignment.testFlag(Qt::AlignRight))
        at.setX(rect.right() - size.width());
    painter.drawStaticText(at, shaped);
}

} // namespace views
