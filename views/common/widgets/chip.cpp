#include "views/common/widgets/chip.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/hatch.h"
#include "views/common/theme/icons.h"

#include <QPainterPath>

namespace views {

namespace {

struct ChipColors {
    Role line;
    Role fill;
};

ChipColors colorsOf(ChipTone tone) {
    switch (tone) {
    case ChipTone::Neutral:
        return {Role::Text2, Role::Panel};
    case ChipTone::Accent:
        return {Role::AccentText, Role::AccentSoft};
    case ChipTone::Success:
        return {Role::Success, Role::SuccessSoft};
    case ChipTone::Warning:
        return {Role::Warning, Role::WarningSoft};
    case ChipTone::Error:
        return {Role::Error, Role::ErrorSoft};
    case ChipTone::Info:
        return {Role::Info, Role::InfoSoft};
    }
    return {Role::Text2, Role::Panel};
}

} // namespace

double chipWidth(const QString& text, const Theme& theme, bool hasIcon, bool isRemovable) {
    return textWidth(text, theme.font(11)) + theme.px(14) + (hasIcon ? theme.px(15) : 0) +
           (isRemovable ? theme.px(14) : 0);
}

void paintChip(QPainter& painter, const QRectF& rect, const QString& text, ChipTone tone, const Theme& theme,
               const QString& iconName, bool isRemovable) {
    const ChipColors roles = colorsOf(tone);
    const QColor line = theme.color(roles.line);
    const QColor border = tone == ChipTone::Neutral ? theme.color(Role::BorderStrong)
                                                    : mix(theme.color(roles.fill), line, 0.45);
    painter.save();
    paintCard(painter, rect, rect.height() / 2, theme.color(roles.fill), border, theme.frameWidth());
    QRectF inside = rect.adjusted(theme.px(7), 0, -theme.px(7), 0);
    const double side = theme.px(12);
    if (!iconName.isEmpty()) {
        paintIcon(painter, QRectF(inside.left() - 1, rect.center().y() - side / 2, side, side), iconName,
                  line);
        inside.setLeft(inside.left() + theme.px(15));
    }
    if (isRemovable) {
        const double cross = theme.px(9);
        paintIcon(painter, QRectF(inside.right() - cross + 2, rect.center().y() - cross / 2, cross, cross),
                  QStringLiteral("close"), line);
        inside.setRight(inside.right() - theme.px(12));
    }
    painter.setPen(tone == ChipTone::Neutral ? theme.color(Role::Text) : line);
    paintElided(painter, inside.adjusted(0, 0, 1, 0), Qt::AlignLeft | Qt::AlignVCenter, text, theme.font(11));
    painter.restore();
}

double stageChipSide(const Theme& theme) {
    return theme.px(16);
}

void paintStageChip(QPainter& painter, const QRectF& rect, std::size_t stage, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor fill = theme.stage(stage);
    QPainterPath shape;
    shape.addRoundedRect(rect, theme.px(4), theme.px(4));
    painter.fillPath(shape, fill);
    const HatchPattern pattern = theme.stageHatch(stage);
    if (pattern != HatchPattern::None) {
        painter.setClipPath(shape, Qt::IntersectClip);
        fillHatch(painter, rect, pattern, hatchOn(fill, theme));
        painter.setClipping(false);
    }
    const QString number = QString::number(stage);
    const QFont font = theme.mono(number.size() > 2 ? 8 : number.size() > 1 ? 9 : 10, QFont::DemiBold);
    if (pattern != HatchPattern::None) {
        // The number is drawn on a plain patch, or the hatch would run through it.
        const double width = textWidth(number, font) + theme.px(3);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(QRectF(rect.center().x() - width / 2, rect.top() + rect.height() * 0.16,
                                       width, rect.height() * 0.68),
                                2, 2);
    }
    painter.setFont(font);
    painter.setPen(theme.onStage(stage));
    painter.drawText(rect, Qt::AlignCenter, number);
    painter.restore();
}

QPixmap stageChipPixmap(std::size_t stage, const Theme& theme, double devicePixelRatio) {
    const double side = stageChipSide(theme);
    QPixmap pixmap(QSizeF(side * devicePixelRatio, side * devicePixelRatio).toSize());
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintStageChip(painter, QRectF(0, 0, side, side), stage, theme);
    return pixmap;
}

void paintSwatch(QPainter& painter, const QRectF& rect, const QColor& color, HatchPattern pattern,
                 const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath shape;
    shape.addRoundedRect(rect, theme.px(2.5), theme.px(2.5));
    painter.fillPath(shape, color);
    if (pattern != HatchPattern::None) {
        painter.setClipPath(shape, Qt::IntersectClip);
        fillHatch(painter, rect, pattern, hatchOn(color, theme));
    }
    painter.restore();
}

double paintKeyCap(QPainter& painter, const QRectF& rect, const QString& keys, const Theme& theme) {
    if (keys.isEmpty())
        return 0;
    painter.save();
    const QFont font = theme.mono(10);
    const double width = textWidth(keys, font) + theme.px(10);
    const double height = theme.px(18);
    const QRectF cap(rect.right() - width, rect.center().y() - height / 2, width, height);
    paintCard(painter, cap, theme.px(4), theme.color(Role::Panel2), theme.color(Role::Border));
    painter.setFont(font);
    painter.setPen(theme.color(Role::Text2));
    painter.drawText(cap, Qt::AlignCenter, keys);
    painter.restore();
    return width;
}

} // namespace views
