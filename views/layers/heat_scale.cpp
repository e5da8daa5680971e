#include "views/layers/heat_scale.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/profile/tables/table_panel.h"

#include <QLinearGradient>
#include <QPainter>

namespace views {

HeatScale::HeatScale(QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(tr("Scale of the heat"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    hide();
}

void HeatScale::setLargest(const QString& largest) {
    if (largest == m_largest)
        return;
    m_largest = largest;
    setVisible(!largest.isEmpty());
    setAccessibleDescription(tr("0 to %1").arg(largest));
    updateGeometry();
    update();
}

QSize HeatScale::sizeHint() const {
    const Theme& theme = themeOf(this);
    const QFont font = theme.mono(10);
    return {
        int(theme.px(72) + textWidth(QStringLiteral("0"), font) + textWidth(m_largest, font) + theme.px(12)),
        theme.ipx(22)};
}

void HeatScale::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    const QFont font = theme.mono(10);
    painter.setFont(font);
    painter.setPen(theme.color(Role::Text2));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("0"));
    painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, m_largest);
    const double left = textWidth(QStringLiteral("0"), font) + theme.px(5);
    const QRectF bar(left, height() / 2.0 - theme.px(5), theme.px(68), theme.px(10));
    QLinearGradient ramp(bar.topLeft(), bar.topRight());
    for (const double share : {0.0, 0.5, 1.0})
        ramp.setColorAt(share, tableHeatColor(theme, share));
    painter.fillRect(bar, ramp);
}

} // namespace views
