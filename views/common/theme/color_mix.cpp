#include "views/common/theme/color_mix.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace views {

namespace {

int mixChannel(int a, int b, double t) {
    return static_cast<int>(std::lround(a * (1 - t) + b * t));
}

/// Light of a channel, 0 … 255: asked for every span of every frame.
double linear(int channel) {
    static const auto table = [] {
        std::array<double, 256> lights{};
        for (std::size_t i = 0; i < lights.size(); ++i) {
            const double share = double(i) / 255;
            lights[i] = share <= 0.03928 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
        }
        return lights;
    }();
    return table[static_cast<std::size_t>(channel)];
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
    return 0.2126 * linear(color.red()) + 0.7152 * linear(color.green()) + 0.0722 * linear(color.blue());
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double la = relativeLuminance(a);
    const double lb = relativeLuminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace views
