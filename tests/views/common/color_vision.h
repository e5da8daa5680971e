#pragma once

#include <QColor>
#include <array>

namespace tests {

/// Kinds of colour vision. Simulated after Machado, Oliveira and Fernandes (2009), severity 1.0, on linear
/// RGB.
enum class ColorVision { Normal, Protan, Deutan, Tritan };
inline constexpr std::array<ColorVision, 4> everyColorVision{ColorVision::Normal, ColorVision::Protan,
                                                             ColorVision::Deutan, ColorVision::Tritan};

/// Distance in CIELAB (CIE 1976, D65) between two colours as a person with this vision sees them.
[[nodiscard]] double distance(const QColor& a, const QColor& b, ColorVision vision);

/// The smallest distance over every kind of vision.
[[nodiscard]] double worstDistance(const QColor& a, const QColor& b);

} // namespace tests
