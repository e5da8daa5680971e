#include "views/common/color_mix.h"

#include <algorithm>
#include <cmath>

namespace views {

namespace {

int mixChannel(int a, int b, double t) {
    return static_cast<int>(std::lround(a * (1 - t) + b * t));
}

double linear(double channel) {
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

} // namespace

QColor mix(const QColor& a, const QColor& b, double t) {
    return {mixChannel(a.red(), b.red(), t), mixChannel(a.green(), b.green(), t),
            mixChannel(a.blue(), b.blue(), t)};
}

QColor withAlpha(QColor color, double alpha) {
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

double relativeLuminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double la = relativeLuminance(a);
    const double lb = relativeLuminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace views
