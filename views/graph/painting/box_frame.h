#pragma once

#include "views/common/theme/theme.h"

#include <QColor>
#include <QRectF>

class QPainter;

namespace views {

/// What is drawn behind the text of a box on the canvas: its shadow, its card and the stripe of its stage. In
/// the canvas' units.
struct BoxFrame {
    QRectF rect;
    double radius = 0;
    double borderWidth = 1;
    double stripeWidth = 0;
    QColor fill;
    QColor border;
    /// Invalid: none, as with the stripe.
    QColor shadow = {};
    QColor stripe = {};

    /// Paints it. On a widget as a picture that frames of the same look share, at a whole pixel: most boxes
    /// look alike, and rounded corners are what costs.
    void paint(QPainter& painter) const;

private:
    void paintShapes(QPainter& painter) const;
    [[nodiscard]] QRectF outline() const;
    [[nodiscard]] QString key(double scale, double ratio) const;
};

} // namespace views
