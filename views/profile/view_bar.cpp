#include "views/profile/view_bar.h"

#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

namespace views {

ViewBar::ViewBar(QWidget* parent)
    : QFrame(parent)
    , m_layout(new QHBoxLayout(this)) {
    const Theme& theme = themeOf(this);
    setProperty("surface", "panel");
    setProperty("line", "bottom");
    setFixedHeight(theme.ipx(36));
    m_layout->setContentsMargins(theme.ipx(8), 0, theme.ipx(8), 0);
    m_layout->setSpacing(theme.ipx(8));
}

void ViewBar::add(QWidget* widget, int stretch) {
    m_layout->addWidget(widget, stretch, Qt::AlignVCenter);
}

void ViewBar::addLabel(const QString& text) {
    auto* label = new QLabel(text, this);
    label->setProperty("role", "text2");
    m_labels.push_back(label);
    m_layout->addSpacing(themeOf(this).ipx(4));
    m_layout->addWidget(label, 0, Qt::AlignVCenter);
}

void ViewBar::addStretch() {
    m_layout->addStretch(1);
}

QToolButton* ViewBar::addButton(const QString& iconName, const QString& toolTip) {
    auto* button = new QToolButton(this);
    button->setIcon(icon(this, iconName));
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    button->setProperty("small", true);
    add(button);
    return button;
}

void ViewBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    constexpr int wideFrom = 1400;
    const bool isWide = width() >= themeOf(this).ipx(wideFrom);
    for (QLabel* label : m_labels)
        label->setVisible(isWide);
}

FilterChips::FilterChips(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    hide();
}

void FilterChips::setChips(std::vector<Chip> chips) {
    m_chips = std::move(chips);
    QStringList names;
    for (const Chip& chip : m_chips)
        names.append(chip.text);
    setAccessibleName(tr("Filters: ") + names.join(QStringLiteral(", ")));
    setVisible(!m_chips.empty());
    updateGeometry();
    update();
}

double FilterChips::widthOf(const Chip& chip) const {
    return chipWidth(chip.text, themeOf(this), !chip.icon.isEmpty(), true);
}

QSize FilterChips::sizeHint() const {
    double width = 0;
    for (const Chip& chip : m_chips)
        width += widthOf(chip) + themeOf(this).px(6);
    return {static_cast<int>(width), themeOf(this).ipx(20)};
}

void FilterChips::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    double x = 0;
    for (const Chip& chip : m_chips) {
        const double width = widthOf(chip);
        paintChip(painter, QRectF(x, theme.px(1), width, theme.px(18)), chip.text, ChipTone::Accent, theme,
                  chip.icon, true);
        x += width + theme.px(6);
    }
}

void FilterChips::mousePressEvent(QMouseEvent* event) {
    double x = 0;
    for (const Chip& chip : m_chips) {
        const double width = widthOf(chip);
        if (event->position().x() >= x && event->position().x() < x + width)
            return emit removed(chip.id);
        x += width + themeOf(this).px(6);
    }
}

} // namespace views
