#include "views/graph/canvas/canvas_footer.h"

#include "views/common/text/number_text.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace views {

CanvasFooter::CanvasFooter(CanvasCamera& camera, QWidget* parent)
    : QWidget(parent)
    , m_legend(new GaugeLegend(this)) {
    const Theme& theme = themeOf(this);
    setFixedHeight(theme.ipx(26));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 1, theme.ipx(4), 1);
    layout->setSpacing(0);
    layout->addWidget(m_legend, 1);
    m_fold = addButton(QStringLiteral("chevron"), tr("Fold the gauges"));
    m_fold->setCheckable(true);
    connect(m_fold, &QToolButton::toggled, this, [this](bool isFolded) {
        m_fold->setIcon(icon(m_fold, isFolded ? QStringLiteral("chevron-right") : QStringLiteral("chevron")));
        m_fold->setToolTip(isFolded ? tr("Show the gauges") : tr("Fold the gauges"));
        m_fold->setAccessibleName(m_fold->toolTip());
        emit foldToggled(isFolded);
    });
    constexpr double step = 1.25;
    connect(addButton(QStringLiteral("minus"), tr("Zoom out")), &QToolButton::clicked, &camera,
            [&camera] { camera.zoomBy(1 / step); });
    m_zoom = addButton({}, tr("Zoom to 100 %"));
    m_zoom->setFont(theme.mono(11));
    m_zoom->setFixedWidth(theme.ipx(54));
    connect(m_zoom, &QToolButton::clicked, &camera, [&camera] { camera.resetZoom(); });
    connect(addButton(QStringLiteral("plus"), tr("Zoom in")), &QToolButton::clicked, &camera,
            [&camera] { camera.zoomBy(step); });
    connect(addButton(QStringLiteral("fit"), tr("Show all (Home)")), &QToolButton::clicked, &camera,
            [&camera] { camera.fitAll(); });
    m_map = addButton(QStringLiteral("map"), tr("Overview, while the drawing is larger than the view"));
    m_map->setCheckable(true);
    m_map->setChecked(true);
    connect(m_map, &QToolButton::toggled, this, &CanvasFooter::mapToggled);
    showZoom(1);
}

QToolButton* CanvasFooter::addButton(const QString& iconName, const QString& tip) {
    auto* button = new QToolButton(this);
    button->setProperty("small", true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setFocusPolicy(Qt::TabFocus);
    if (!iconName.isEmpty()) {
        button->setIcon(icon(button, iconName));
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    }
    layout()->addWidget(button);
    return button;
}

void CanvasFooter::showZoom(double zoom) {
    constexpr double small = 0.01;
    m_zoom->setText(percentText(zoom, zoom < small ? 2 : 0));
}

bool CanvasFooter::wantsMap() const {
    return m_map->isChecked();
}

} // namespace views
