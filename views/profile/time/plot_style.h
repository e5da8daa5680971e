#pragma once

#include "views/common/theme/theme.h"

#include <QRectF>

class QCPAxis;
class QCPAxisRect;
class QCustomPlot;
class QPainter;

namespace views {

/// The look of all plots: no outer box, faint horizontal grid, muted mono numbers, no marks on the y axis, no
/// legend (legends are in the view bar), antialiasing for curves only.
void stylePlot(QCustomPlot& plot, const Theme& theme);
void styleAxisRect(QCPAxisRect& rect, const Theme& theme);

/// Marks of an axis at these places with these texts.
void setTicks(QCPAxis& axis, const std::vector<std::pair<double, QString>>& ticks);

/// Draws the plot into a rectangle of any painter: pictures for files keep its lines as lines.
void paintPlot(QPainter& painter, const QRectF& rect, QCustomPlot& plot);

} // namespace views
