#include "views/graph/painting/box_frame.h"

#include "views/common/theme/control_painters.h"

#include <QPainter>
#include <QPixmapCache>
#include <array>
#include <cmath>
#include <cstring>

namespace views {

namespace {

constexpr double shadowOffset = 1.5;

QPointF atWholePixel(const QPointF& point, double ratio) {
    return {std::round(point.x() * ratio) / ratio, std::round(point.y() * ratio) / ratio};
}

} // namespace

QRectF BoxFrame::outline() const {
    return rect.adjusted(-1, -1, 1, shadowOffset + 1);
}

QString BoxFrame::key(double scale, double ratio) const {
    const double pixels = scale * ratio;
    const std::array<double, 4> sizes{rect.width() * pixels, rect.height() * pixels, radius * pixels,
                                      borderWidth * pixels};
    const std::array<quint32, 5> colors{fill.rgba(), border.rgba(), shadow.isValid() ? shadow.rgba() : 0,
                                        stripe.isValid() ? stripe.rgba() : 0, stripe.isValid() ? 1U : 0U};
    // The bytes themselves: writing numbers out takes as long as painting the picture.
    std::array<char16_t, 1 + (sizeof sizes + sizeof colors) / sizeof(char16_t)> bytes{u'b'};
    std::memcpy(&bytes[1], sizes.data(), sizeof sizes);
    std::memcpy(&bytes[1 + sizeof sizes / sizeof(char16_t)], colors.data(), sizeof colors);
    return QString(reinterpret_cast<const QChar*>(bytes.data()), qsizetype(bytes.size()));
}

void BoxFrame::paintShapes(QPainter& painter) const {
    if (shadow.isValid()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(shadow);
        painter.drawRoundedRect(rect.translated(0, shadowOffset), radius, radius);
    }
    paintCard(painter, rect, radius, fill, border, borderWidth);
    if (!stripe.isValid())
        return;
    painter.save();
    painter.setClipRect(QRectF(rect.left(), rect.top(), stripeWidth, rect.height()), Qt::IntersectClip);
    painter.setPen(Qt::NoPen);
    painter.setBrush(stripe);
    painter.drawRoundedRect(rect, radius, radius);
    painter.restore();
}

void BoxFrame::paint(QPainter& painter) const {
    const QTransform world = painter.worldTransform();
    const bool isOnScreen = painter.device()->devType() == QInternal::Widget &&
                            world.type() <= QTransform::TxScale && world.m11() == world.m22();
    if (!isOnScreen) {
        paintShapes(painter);
        return;
    }
    const double scale = world.m11();
    const double ratio = painter.device()->devicePixelRatioF();
    const QRectF whole = outline();
    const QString name = key(scale, ratio);
    QPixmap picture;
    if (!QPixmapCache::find(name, &picture)) {
        const QSizeF pixels = whole.size() * scale * ratio;
        picture = QPixmap(int(std::ceil(pixels.width())), int(std::ceil(pixels.height())));
        picture.setDevicePixelRatio(ratio);
        picture.fill(Qt::transparent);
        QPainter shapes(&picture);
        shapes.setRenderHint(QPainter::Antialiasing);
        shapes.scale(scale, scale);
        shapes.translate(-whole.topLeft());
        paintShapes(shapes);
        shapes.end();
        QPixmapCache::insert(name, picture);
    }
    painter.setWorldMatrixEnabled(false);
    painter.drawPixmap(atWholePixel(world.map(whole.topLeft()), ratio), picture);
    painter.setWorldMatrixEnabled(true);
}

} // namespace views
