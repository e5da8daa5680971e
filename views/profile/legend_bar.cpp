#include "views/profile/legend_bar.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <array>

namespace views {

namespace {

double entryWidth(const LegendEntry& entry, const Theme& theme) {
    return theme.px(12 + 5 + 12) + textWidth(entry.name, theme.font(11));
}

} // namespace

QString categoryName(core::MemoryCategory category) {
    static const std::array<const char*, core::memoryCategoryCount> names{
        "Vertex code", "Vertex state",    "Exchange code",   "Control code", "Constants",
        "Stack",       "Weights",         "Optimizer state", "Accumulators", "Stash (FIFO)",
        "Host I/O",    "Message buffers", "Activations",     "Temporary"};
    return QString::fromLatin1(names[static_cast<std::size_t>(category)]);
}

std::vector<LegendEntry> activityLegend(const Theme& theme) {
    static const std::array<const char*, activityCount> names{
        "Forward",  "Backward", "Recompute", "Update",          "Exchange",
        "IPU copy", "Sync",     "Host",      "Weight gradient", "Remote memory"};
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < activityCount; ++i) {
        const auto activity = static_cast<Activity>(i);
        entries.push_back({static_cast<int>(i), QString::fromLatin1(names[i]), theme.activity(activity),
                           theme.activityHatch(activity)});
    }
    return entries;
}

std::vector<LegendEntry> smallActivityLegend(const Theme& theme) {
    std::vector<LegendEntry> entries = activityLegend(theme);
    std::erase_if(entries, [](const LegendEntry& entry) {
        const auto activity = static_cast<Activity>(entry.id);
        return activity > Activity::WeightUpdate && activity != Activity::Copy;
    });
    entries.push_back({-1, QStringLiteral("Idle"), theme.idleFill(), HatchPattern::Slash});
    return entries;
}

std::vector<LegendEntry> categoryLegend(const Theme& theme, const std::set<core::MemoryCategory>& shown) {
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < core::memoryCategoryCount; ++i) {
        const auto category = static_cast<core::MemoryCategory>(i);
        if (shown.empty() || shown.contains(category))
            entries.push_back(
                {static_cast<int>(i), categoryName(category), theme.category(category), HatchPattern::None});
    }
    return entries;
}

double legendWidth(const std::vector<LegendEntry>& entries, const Theme& theme) {
    double width = 0;
    for (const LegendEntry& entry : entries)
        width += entryWidth(entry, theme);
    return width;
}

void paintLegend(QPainter& painter, const QRectF& rect, const std::vector<LegendEntry>& entries,
                 const std::set<int>& muted, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    double x = rect.left();
    const double side = theme.px(11);
    for (const LegendEntry& entry : entries) {
        const double width = entryWidth(entry, theme);
        if (x + width - theme.px(12) > rect.right() + 1)
            break;
        const bool isMuted = muted.contains(entry.id);
        const QColor colour = isMuted ? mix(theme.color(Role::Panel), entry.colour, 0.25) : entry.colour;
        paintSwatch(painter, QRectF(x, rect.center().y() - side / 2, side, side), colour, entry.pattern,
                    theme);
        painter.setPen(theme.color(isMuted ? Role::Disabled : Role::Text2));
        painter.setFont(theme.font(11));
        painter.drawText(QRectF(x + side + theme.px(5), rect.top(), width, rect.height()), Qt::AlignVCenter,
                         entry.name);
        x += width;
    }
    painter.restore();
}

LegendBar::LegendBar(const QString& accessibleName, QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setToolTip(tr("Click to isolate, Ctrl+click to add"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void LegendBar::setEntries(std::function<std::vector<LegendEntry>(const Theme&)> entriesOf) {
    m_entriesOf = std::move(entriesOf);
    m_entries = m_entriesOf(themeOf(this));
    updateGeometry();
    update();
}

void LegendBar::setIsolated(std::set<int> isolated) {
    m_isolated = std::move(isolated);
    update();
}

QSize LegendBar::sizeHint() const {
    const Theme& theme = themeOf(this);
    return {static_cast<int>(legendWidth(m_entries, theme)) + 2, theme.ipx(22)};
}

QSize LegendBar::minimumSizeHint() const {
    return {0, themeOf(this).ipx(22)};
}

void LegendBar::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    std::set<int> muted;
    for (const LegendEntry& entry : m_entries) {
        if (!m_isolated.empty() && !m_isolated.contains(entry.id))
            muted.insert(entry.id);
    }
    paintLegend(painter, rect(), m_entries, muted, theme);
    if (!hasFocus() || m_focused >= m_entries.size())
        return;
    double x = 0;
    for (std::size_t i = 0; i < m_focused; ++i)
        x += entryWidth(m_entries[i], theme);
    painter.setRenderHint(QPainter::Antialiasing);
    paintFocusRing(painter, QRectF(x, 3, entryWidth(m_entries[m_focused], theme) - theme.px(8), height() - 6),
                   3, theme);
}

void LegendBar::mousePressEvent(QMouseEvent* event) {
    double x = 0;
    for (const LegendEntry& entry : m_entries) {
        const double width = entryWidth(entry, themeOf(this));
        if (event->position().x() >= x && event->position().x() < x + width)
            return toggle(entry.id, event->modifiers().testFlag(Qt::ControlModifier));
        x += width;
    }
}

void LegendBar::keyPressEvent(QKeyEvent* event) {
    if (m_entries.empty())
        return;
    if (event->key() == Qt::Key_Right)
        m_focused = std::min(m_focused + 1, m_entries.size() - 1);
    else if (event->key() == Qt::Key_Left)
        m_focused = m_focused == 0 ? 0 : m_focused - 1;
    else if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return)
        toggle(m_entries[m_focused].id, event->modifiers().testFlag(Qt::ControlModifier));
    else
        return QWidget::keyPressEvent(event);
    update();
}

void LegendBar::toggle(int id, bool adds) {
    const std::set<int> only{id};
    if (adds) {
        if (m_isolated.erase(id) == 0)
            m_isolated.insert(id);
    } else {
        m_isolated = m_isolated == only ? std::set<int>() : only;
    }
    update();
    emit isolatedChanged(m_isolated);
}

void LegendBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_entriesOf)
        setEntries(m_entriesOf);
}

} // namespace views
