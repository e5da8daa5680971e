#include "views/profile/time/band_painter.h"

#include "views/common/text/elided_text.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/color_mix.h"

namespace views {

namespace {

QColor bandColour(core::ScheduleBand band, const Theme& theme) {
    const double strength = theme.isDark() ? 0.42 : 0.30;
    const auto tint = [&](Activity activity) {
        return mix(theme.color(Role::Canvas), theme.activity(activity), strength);
    };
    switch (band) {
    case core::ScheduleBand::RampUp:
        return tint(Activity::Forward);
    case core::ScheduleBand::RampDown:
        return tint(Activity::Backward);
    case core::ScheduleBand::Update:
        return tint(Activity::WeightUpdate);
    case core::ScheduleBand::Main:
    case core::ScheduleBand::Whole:
        break;
    }
    return mix(theme.color(Role::Canvas), theme.color(Role::Hatch), 0.45);
}

} // namespace

void paintBand(QPainter& painter, const QRectF& rect, core::ScheduleBand band, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(bandColour(band, theme));
    painter.drawRoundedRect(rect, 2, 2);
    const QFont font = theme.font(10, QFont::Medium);
    const QString name = toQString(core::toString(band));
    if (textWidth(name, font) + theme.px(8) >= rect.width())
        return;
    painter.setFont(font);
    painter.setPen(theme.color(Role::Text));
    painter.drawText(rect, Qt::AlignCenter, name);
}

} // namespace views
