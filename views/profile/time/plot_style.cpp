#include "views/profile/time/plot_style.h"

#include <QPainter>
#include <QPicture>
#include <qcustomplot.h>

namespace views {

void styleAxisRect(QCPAxisRect& rect, const Theme& theme) {
    for (QCPAxis* axis : rect.axes()) {
        const bool isVertical = axis->orientation() == Qt::Vertical;
        axis->setTickLabelFont(theme.mono(10));
        axis->setTickLabelColor(theme.color(Role::Text3));
        axis->setLabelFont(theme.font(10));
        axis->setLabelColor(theme.color(Role::Text3));
        // A pen without colour: recorded pictures draw dots with no pen at all.
        const QPen unseen(QColor(Qt::transparent));
        axis->setBasePen(isVertical ? unseen : QPen(theme.color(Role::BorderStrong), 1));
        axis->setTickPen(isVertical ? unseen : QPen(theme.color(Role::BorderStrong), 1));
        axis->setSubTickPen(Qt::NoPen);
        axis->setSubTicks(false);
        axis->setTickLengthIn(0);
        axis->setTickLengthOut(isVertical ? 0 : 3);
        axis->setTickLabelPadding(4);
        axis->grid()->setPen(isVertical ? QPen(theme.color(Role::Border), 1) : QPen(Qt::NoPen));
        axis->grid()->setZeroLinePen(axis->grid()->pen());
        // Axes of further rectangles come without.
        axis->grid()->setVisible(isVertical);
        axis->grid()->setSubGridVisible(false);
        axis->grid()->setAntialiased(false);
        axis->setAntialiased(false);
    }
    rect.setBackground(QBrush(Qt::NoBrush));
}

void stylePlot(QCustomPlot& plot, const Theme& theme) {
    plot.setBackground(QBrush(theme.color(Role::Canvas)));
    plot.setLocale(QLocale::c()); // pictures are the same wherever they are drawn
    plot.setNotAntialiasedElements(QCP::aeAll);
    plot.setAntialiasedElements(QCP::aePlottables | QCP::aeItems | QCP::aeScatters);
    plot.setNoAntialiasingOnDrag(false);
    for (QCPAxisRect* rect : plot.axisRects())
        styleAxisRect(*rect, theme);
}

void setTicks(QCPAxis& axis, const std::vector<std::pair<double, QString>>& ticks) {
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (const auto& [place, text] : ticks)
        ticker->addTick(place, text);
    axis.setTicker(ticker);
}

void paintPlot(QPainter& painter, const QRectF& rect, QCustomPlot& plot) {
    // QCustomPlot draws with a painter of its own, so what it draws is recorded and played.
    QPicture picture;
    QCPPainter recorder(&picture);
    recorder.setMode(QCPPainter::pmVectorized);
    plot.toPainter(&recorder, static_cast<int>(rect.width()), static_cast<int>(rect.height()));
    recorder.end();
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.translate(rect.topLeft());
    // A picture is played at the resolution it was recorded at; ours is the painter's.
    const double factorX = static_cast<double>(painter.device()->logicalDpiX()) / picture.logicalDpiX();
    const double factorY = static_cast<double>(painter.device()->logicalDpiY()) / picture.logicalDpiY();
    painter.scale(1 / factorX, 1 / factorY);
    painter.drawPicture(QPointF(0, 0), picture);
    painter.restore();
}

} // namespace views
