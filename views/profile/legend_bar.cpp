#include "views/profile/legend_bar.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <algorithm>
#include <array>
#include <numeric>

namespace views {

namespace {

double entryWidth(const LegendEntry& entry, const Theme& theme) {
    return theme.px(12 + 5 + 12) + textWidth(entry.name, theme.font(11));
}

QString moreText(std::size_t hidden) {
    return QStringLiteral("+%1").arg(hidden);
}

double moreWidth(std::size_t hidden, const Theme& theme) {
    return textWidth(moreText(hidden), theme.font(11, QFont::DemiBold)) + theme.px(8);
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
        return activity > Activity::WeightUpdate && activity != Activity::Copy &&
               activity != Activity::RemoteMemory;
    });
    // Nothing works while it is waited for.
    LegendEntry& remote = *std::ranges::find(entries, int(Activity::RemoteMemory), &LegendEntry::id);
    remote.colour = theme.idleFill(core::IdleCause::Offload);
    remote.pattern = Theme::idlePattern(core::IdleCause::Offload);
    entries.push_back({-1, QStringLiteral("Idle"), theme.idleFill(), HatchPattern::Slash});
    return entries;
}

std::vector<LegendEntry> categoryLegend(const Theme& theme, const std::set<core::MemoryCategory>& shown,
                                        const std::vector<core::Bytes>& bytes) {
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < core::memoryCategoryCount; ++i) {
        const auto category = static_cast<core::MemoryCategory>(i);
        if (shown.empty() || shown.contains(category))
            entries.push_back({static_cast<int>(i), categoryName(category), theme.category(category),
                               HatchPattern::None,
                               i < bytes.size() ? static_cast<double>(bytes[i].value()) : 0});
    }
    return entries;
}

double legendWidth(const std::vector<LegendEntry>& entries, const Theme& theme) {
    double width = 0;
    for (const LegendEntry& entry : entries)
        width += entryWidth(entry, theme);
    return width;
}

std::vector<std::size_t> shownEntries(const std::vector<LegendEntry>& entries, double width,
                                      const Theme& theme) {
    std::vector<std::size_t> shown(entries.size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    // The last entry needs no space behind it.
    double taken = legendWidth(entries, theme) - theme.px(12);
    while (!shown.empty()) {
        const std::size_t hidden = entries.size() - shown.size();
        if (taken + (hidden == 0 ? 0 : theme.px(12) + moreWidth(hidden, theme)) <= width + 1)
            break;
        const auto least = std::ranges::min_element(shown.rbegin(), shown.rend(), {},
                                                    [&](std::size_t i) { return entries[i].weight; });
        taken -= entryWidth(entries[*least], theme);
        shown.erase(std::next(least).base());
    }
    return shown;
}

void paintLegend(QPainter& painter, const QRectF& rect, const std::vector<LegendEntry>& entries,
                 const std::set<int>& muted, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    double x = rect.left();
    const double side = theme.px(11);
    const std::vector<std::size_t> shown = shownEntries(entries, rect.width(), theme);
    for (const std::size_t i : shown) {
        const LegendEntry& entry = entries[i];
        const double width = entryWidth(entry, theme);
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
    if (const std::size_t hidden = entries.size() - shown.size(); hidden > 0) {
        painter.setPen(theme.color(Role::Text2));
        painter.setFont(theme.font(11, QFont::DemiBold));
        painter.drawText(QRectF(x, rect.top(), moreWidth(hidden, theme), rect.height()), Qt::AlignVCenter,
                         moreText(hidden));
    }
    painter.restore();
}

LegendBar::LegendBar(const QString& accessibleName, QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setToolTip(tr("Click to isolate, Ctrl+click to add; the rest is in the menu at the end"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void LegendBar::setEntries(std::function<std::vector<LegendEntry>(const Theme&)> entriesOf) {
    m_entriesOf = std::move(entriesOf);
    m_entries = m_entriesOf(themeOf(this));
    updateGeometry();
    update();
}

void LegendBar::setIsolating(bool isIsolating) {
    m_isIsolating = isIsolating;
    setCursor(isIsolating ? Qt::PointingHandCursor : Qt::ArrowCursor);
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
    if (!hasFocus() || m_focused > shown().size())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    paintFocusRing(painter, placeOf(m_focused).adjusted(0, 3, -theme.px(8), -3), 3, theme);
}

std::vector<std::size_t> LegendBar::shown() const {
    return shownEntries(m_entries, width(), themeOf(this));
}

QRectF LegendBar::placeOf(std::size_t place) const {
    const Theme& theme = themeOf(this);
    const std::vector<std::size_t> shown = this->shown();
    double x = 0;
    for (std::size_t i = 0; i < std::min(place, shown.size()); ++i)
        x += entryWidth(m_entries[shown[i]], theme);
    const double width = place < shown.size() ? entryWidth(m_entries[shown[place]], theme)
                                              : moreWidth(m_entries.size() - shown.size(), theme);
    return {x, 0, width, double(height())};
}

QStringList LegendBar::namesInMenu() const {
    const std::vector<std::size_t> shown = this->shown();
    QStringList names;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (std::ranges::find(shown, i) == shown.end())
            names.append(m_entries[i].name);
    return names;
}

/// The entries without room, each with its colour.
void LegendBar::openMenu() {
    const Theme& theme = themeOf(this);
    const std::vector<std::size_t> shown = this->shown();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (std::ranges::find(shown, i) != shown.end())
            continue;
        const LegendEntry& entry = m_entries[i];
        QPixmap swatch(QSize(theme.ipx(14), theme.ipx(14)) * devicePixelRatioF());
        swatch.setDevicePixelRatio(devicePixelRatioF());
        swatch.fill(Qt::transparent);
        QPainter painter(&swatch);
        paintSwatch(painter, QRectF(1, 1, theme.px(12), theme.px(12)), entry.colour, entry.pattern, theme);
        painter.end();
        QAction* action = menu->addAction(QIcon(swatch), entry.name);
        action->setIconVisibleInMenu(true);
        connect(action, &QAction::triggered, this, [this, id = entry.id] { toggle(id, false); });
    }
    menu->popup(mapToGlobal(placeOf(shown.size()).bottomLeft().toPoint()));
}

void LegendBar::mousePressEvent(QMouseEvent* event) {
    const std::vector<std::size_t> shown = this->shown();
    for (std::size_t i = 0; i < shown.size(); ++i)
        if (placeOf(i).contains(event->position()))
            return toggle(m_entries[shown[i]].id, event->modifiers().testFlag(Qt::ControlModifier));
    if (shown.size() < m_entries.size() && placeOf(shown.size()).contains(event->position()))
        openMenu();
}

void LegendBar::keyPressEvent(QKeyEvent* event) {
    if (m_entries.empty())
        return;
    const std::vector<std::size_t> shown = this->shown();
    const std::size_t last = shown.size() == m_entries.size() ? shown.size() - 1 : shown.size();
    const bool isChosen = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return;
    m_focused = std::min(m_focused, last);
    if (event->key() == Qt::Key_Right)
        m_focused = std::min(m_focused + 1, last);
    else if (event->key() == Qt::Key_Left)
        m_focused = m_focused == 0 ? 0 : m_focused - 1;
    else if (isChosen && m_focused == shown.size())
        openMenu();
    else if (isChosen)
        toggle(m_entries[shown[m_focused]].id, event->modifiers().testFlag(Qt::ControlModifier));
    else
        return QWidget::keyPressEvent(event);
    update();
}

void LegendBar::toggle(int id, bool adds) {
    if (!m_isIsolating)
        return;
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
