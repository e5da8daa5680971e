#pragma once

#include "views/common/theme/theme.h"

#include <QRectF>

class QPainter;

namespace views {

/// How a control looks at the moment.
struct ControlState {
    bool enabled = true;
    bool hovered = false;
    bool pressed = false;
    bool focused = false;
    bool checked = false;
    /// Neither on nor off.
    bool mixed = false;
    bool error = false;
};

/// What a button is for; the dynamic property "kind" of a QPushButton or QToolButton holds the name.
enum class ButtonKind : std::uint8_t { Default, Primary, Quiet, Danger, DangerFill, Segment };
[[nodiscard]] ButtonKind buttonKindFromName(const QString& name);

void paintButtonPanel(QPainter& painter, const QRectF& rect, ButtonKind kind, const ControlState& state,
                      const Theme& theme);
/// Text and icon colour on that panel.
[[nodiscard]] QColor buttonTextColor(ButtonKind kind, const ControlState& state, const Theme& theme);

/// Frame and fill of a line edit, combo box or spin box.
void paintField(QPainter& painter, const QRectF& rect, const ControlState& state, const Theme& theme);
void paintCheckIndicator(QPainter& painter, const QRectF& rect, const ControlState& state,
                         const Theme& theme);
void paintRadioIndicator(QPainter& painter, const QRectF& rect, const ControlState& state,
                         const Theme& theme);

/// The 2 px ring that says where the keyboard is, around `rect`.
void paintFocusRing(QPainter& painter, const QRectF& rect, double radius, const Theme& theme);

/// A crisp rounded frame: fill, then a border of the theme's frame width inside `rect`.
void paintCard(QPainter& painter, const QRectF& rect, double radius, const QColor& fill, const QColor& border,
               double borderWidth = 1.0);

} // namespace views
