#include "views/common/theme/control_painters.h"

#include "views/common/theme/color_mix.h"
#include "views/common/theme/icons.h"

#include <QPainter>
#include <array>

namespace views {

namespace {

struct ButtonColors {
    QColor fill;
    QColor border;
    QColor text;
};

ButtonColors primaryColors(const ControlState& state, const Theme& theme, Role fillRole, Role textRole) {
    QColor fill = theme.color(fillRole);
    if (state.hovered)
        fill = fillRole == Role::AccentFill ? theme.color(Role::AccentFillHover) : mix(fill, Qt::black, 0.12);
    if (state.pressed)
        fill = mix(fill, Qt::black, 0.14);
    return {fill, fill, theme.color(textRole)};
}

ButtonColors plainColors(const ControlState& state, const Theme& theme, const QColor& fill,
                         const QColor& border, const QColor& text) {
    QColor surface = state.hovered ? theme.color(Role::Hover) : fill;
    if (state.pressed)
        surface = mix(theme.color(Role::Hover), theme.color(Role::Border), 0.6);
    return {surface, border, text};
}

ButtonColors buttonColors(ButtonKind kind, const ControlState& state, const Theme& theme) {
    const QColor clear(Qt::transparent);
    ButtonColors colors;
    switch (kind) {
    case ButtonKind::Primary:
        colors = primaryColors(state, theme, Role::AccentFill, Role::OnAccent);
        break;
    case ButtonKind::DangerFill:
        colors = primaryColors(state, theme, Role::Error, theme.isDark() ? Role::OnFill : Role::OnAccent);
        break;
    case ButtonKind::Quiet:
        colors = plainColors(state, theme, clear, clear, theme.color(Role::Text2));
        break;
    case ButtonKind::Danger:
        colors = plainColors(state, theme, theme.color(Role::Raised), theme.color(Role::Error),
                             theme.color(Role::Error));
        break;
    case ButtonKind::Segment:
        colors = plainColors(state, theme, clear, clear, theme.color(Role::Text2));
        break;
    case ButtonKind::Default:
        colors = plainColors(state, theme, theme.color(Role::Raised), theme.color(Role::BorderStrong),
                             theme.color(Role::Text));
        break;
    }
    if (state.checked && kind == ButtonKind::Segment)
        colors = {theme.color(Role::Raised), theme.color(Role::BorderStrong), theme.color(Role::Text)};
    else if (state.checked)
        colors = {theme.color(Role::AccentSoft), theme.color(Role::Accent), theme.color(Role::AccentText)};
    if (!state.enabled) {
        const bool filled = kind == ButtonKind::Primary || kind == ButtonKind::DangerFill;
        colors.text = theme.color(Role::Disabled);
        if (filled)
            colors.fill = colors.border = theme.color(Role::Hover);
    }
    return colors;
}

} // namespace

ButtonKind buttonKindFromName(const QString& name) {
    static const std::array<std::pair<QLatin1String, ButtonKind>, 5> names{{
        {QLatin1String("primary"), ButtonKind::Primary},
        {QLatin1String("quiet"), ButtonKind::Quiet},
        {QLatin1String("danger"), ButtonKind::Danger},
        {QLatin1String("danger-fill"), ButtonKind::DangerFill},
        {QLatin1String("segment"), ButtonKind::Segment},
    }};
    for (const auto& [text, kind] : names) {
        if (name == text)
            return kind;
    }
    return ButtonKind::Default;
}

void paintCard(QPainter& painter, const QRectF& rect, double radius, const QColor& fill, const QColor& border,
               double borderWidth) {
    const double inset = borderWidth / 2;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill.alpha() == 0 ? QBrush(Qt::NoBrush) : QBrush(fill));
    painter.setPen(border.alpha() == 0 ? QPen(Qt::NoPen) : QPen(border, borderWidth));
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius);
}

void paintButtonPanel(QPainter& painter, const QRectF& rect, ButtonKind kind, const ControlState& state,
                      const Theme& theme) {
    const ButtonColors colors = buttonColors(kind, state, theme);
    painter.save();
    paintCard(painter, rect, theme.px(kind == ButtonKind::Segment ? 5 : 6), colors.fill, colors.border,
              theme.frameWidth());
    if (state.focused && state.enabled)
        paintFocusRing(painter, rect, theme.px(6), theme);
    painter.restore();
}

QColor buttonTextColor(ButtonKind kind, const ControlState& state, const Theme& theme) {
    return buttonColors(kind, state, theme).text;
}

void paintField(QPainter& painter, const QRectF& rect, const ControlState& state, const Theme& theme) {
    painter.save();
    QColor border = theme.color(state.hovered && state.enabled ? Role::Text3 : Role::BorderStrong);
    double width = theme.frameWidth();
    if (state.error || state.focused) {
        border = theme.color(state.error ? Role::Error : Role::Accent);
        width = 2;
    }
    const QColor fill = theme.color(state.enabled ? Role::Field : Role::Panel2);
    paintCard(painter, rect, theme.px(6), fill, state.enabled ? border : theme.color(Role::Border), width);
    painter.restore();
}

void paintCheckIndicator(QPainter& painter, const QRectF& rect, const ControlState& state,
                         const Theme& theme) {
    painter.save();
    const bool on = state.checked || state.mixed;
    QColor fill = on ? theme.color(Role::AccentFill) : theme.color(Role::Field);
    QColor border = on ? fill : theme.color(state.hovered ? Role::Text3 : Role::BorderStrong);
    QColor mark = theme.color(Role::OnAccent);
    if (!state.enabled) {
        fill = theme.color(Role::Panel2);
        border = theme.color(Role::Border);
        mark = theme.color(Role::Disabled);
    }
    paintCard(painter, rect, theme.px(4), fill, border, on && state.enabled ? 1.0 : theme.frameWidth());
    if (on)
        paintIcon(painter, rect.adjusted(1.5, 1.5, -1.5, -1.5),
                  state.mixed ? QStringLiteral("minus") : QStringLiteral("check"), mark);
    if (state.focused)
        paintFocusRing(painter, rect, theme.px(4), theme);
    painter.restore();
}

void paintRadioIndicator(QPainter& painter, const QRectF& rect, const ControlState& state,
                         const Theme& theme) {
    painter.save();
    const double side = std::min(rect.width(), rect.height());
    const QRectF circle(rect.center().x() - side / 2, rect.center().y() - side / 2, side, side);
    const bool on = state.checked;
    QColor fill = theme.color(on ? Role::AccentFill : Role::Field);
    QColor border = on ? fill : theme.color(state.hovered ? Role::Text3 : Role::BorderStrong);
    if (!state.enabled) {
        fill = theme.color(Role::Panel2);
        border = theme.color(Role::Border);
    }
    paintCard(painter, circle, side / 2, fill, border, theme.frameWidth());
    if (on) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(state.enabled ? Role::OnAccent : Role::Disabled));
        painter.drawEllipse(circle.center(), side * 0.2, side * 0.2);
    }
    if (state.focused)
        paintFocusRing(painter, circle, side / 2, theme);
    painter.restore();
}

void paintFocusRing(QPainter& painter, const QRectF& rect, double radius, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.color(Role::Panel), 1));
    painter.drawRoundedRect(rect.adjusted(2.5, 2.5, -2.5, -2.5), radius - 2, radius - 2);
    painter.setPen(QPen(theme.color(Role::Accent), 2));
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius);
    painter.restore();
}

} // namespace views
