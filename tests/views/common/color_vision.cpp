#include "tests/views/common/color_vision.h"

#include <algorithm>
#include <cmath>

namespace tests {

namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

constexpr Matrix identity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix protan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix tritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
/// sRGB to XYZ, D65.
constexpr Matrix toXyz{{{0.4124564, 0.3575761, 0.1804375},
                        {0.2126729, 0.7151522, 0.0721750},
                        {0.0193339, 0.1191920, 0.9503041}}};

Vector times(const Matrix& m, const Vector& v) {
    Vector result{};
    for (std::size_t i = 0; i < 3; ++i)
        result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return result;
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

Vector lab(const QColor& color, ColorVision vision) {
    const Matrix& matrix = vision == ColorVision::Protan   ? protan
                           : vision == ColorVision::Deutan ? deutan
                           : vision == ColorVision::Tritan ? tritan
                                                           : identity;
    Vector rgb = times(matrix, {linear(color.redF()), linear(color.greenF()), linear(color.blueF())});
    for (double& channel : rgb)
        channel = std::clamp(channel, 0.0, 1.0);
    Vector xyz = times(toXyz, rgb);
    const Vector white{0.95047, 1.0, 1.08883};
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = xyz[i] / white[i];
        xyz[i] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
    }
    return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

} // namespace

double distance(const QColor& a, const QColor& b, ColorVision vision) {
    const Vector x = lab(a, vision);
    const Vector y = lab(b, vision);
    return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

double worstDistance(const QColor& a, const QColor& b) {
    double worst = distance(a, b, ColorVision::Normal);
    for (const ColorVision vision : everyColorVision)
        worst = std::min(worst, distance(a, b, vision));
    return worst;
}

} // namespace tests
