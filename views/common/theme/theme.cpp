#include "views/common/theme/theme.h"

#include "views/common/theme/color_mix.h"
#include "views/common/theme/theme_table.h"

#include <QFontDatabase>
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace views {

namespace {

QColor fromValue(std::uint32_t value) {
    return (value >> 24) == 0 ? QColor::fromRgb(QRgb(value | 0xFF000000U)) : QColor::fromRgba(QRgb(value));
}

std::uint32_t pick(ThemeKind kind, std::uint32_t light, std::uint32_t dark, std::uint32_t highContrast) {
    switch (kind) {
    case ThemeKind::Light:
        return light;
    case ThemeKind::Dark:
        return dark;
    case ThemeKind::HighContrast:
        return highContrast;
    }
    return light;
}

/// The first installed family of `wanted`; the list ends with one that every Debian desktop has.
QString installedFamily(const QStringList& wanted) {
    const QStringList families = QFontDatabase::families();
    for (const QString& family : wanted) {
        if (families.contains(family))
            return family;
    }
    return wanted.back();
}

QString uiFamily() {
    static const QString family = installedFamily({"Inter", "Noto Sans", "DejaVu Sans"});
    return family;
}

QString monoFamily() {
    static const QString family = installedFamily({"JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono"});
    return family;
}

/// Painters ask for the same few fonts for every label; lanes are painted on several threads, and each keeps
/// its own.
QFont sharedFont(bool isMono, int size, int weight) {
    thread_local std::map<std::tuple<bool, int, int>, QFont> fonts;
    const auto [place, isNew] = fonts.try_emplace({isMono, size, weight});
    if (isNew) {
        QFont font(isMono ? monoFamily() : uiFamily());
        font.setPixelSize(size);
        font.setWeight(static_cast<QFont::Weight>(weight));
        if (isMono)
            font.setStyleHint(QFont::Monospace);
        place->second = font;
    }
    return place->second;
}

} // namespace

Theme::Theme(ThemeKind kind, double scale, bool forceHatches)
    : m_kind(kind)
    , m_scale(scale)
    , m_forceHatches(forceHatches || kind == ThemeKind::HighContrast) {
    for (const RoleColors& row : roleTable())
        m_colors[static_cast<std::size_t>(row.role)] =
            fromValue(pick(kind, row.light, row.dark, row.highContrast));
    for (std::size_t i = 0; i < stageColorCount; ++i)
        m_stages[i] =
            fromValue(pick(kind, stageTable()[i].light, stageTable()[i].dark, stageTable()[i].dark));
    for (const ActivityColors& row : activityTable())
        m_activities[static_cast<std::size_t>(row.activity)] =
            fromValue(pick(kind, row.light, row.dark, row.dark));
    for (const CategoryColors& row : categoryTable())
        m_categories[static_cast<std::size_t>(row.category)] =
            fromValue(pick(kind, row.light, row.dark, row.dark));
}

int Theme::ipx(double size) const {
    return std::max(1, static_cast<int>(std::lround(px(size))));
}

QColor Theme::stage(std::size_t stage) const {
    return m_stages[stage % stageColorCount];
}

QColor Theme::onStage(std::size_t stage) const {
    const QColor fill = this->stage(stage);
    const QColor dark = color(Role::OnFill);
    const QColor white(Qt::white);
    return contrastRatio(fill, white) >= contrastRatio(fill, dark) ? white : dark;
}

QColor Theme::stageLane(std::size_t stage) const {
    return mix(color(Role::Canvas), this->stage(stage), isDark() ? 0.055 : 0.045);
}

QColor Theme::stageTint(std::size_t stage) const {
    return mix(color(Role::Panel), this->stage(stage), isDark() ? 0.20 : 0.13);
}

HatchPattern Theme::stageHatch(std::size_t stage) const {
    const HatchPattern own = stageTable()[stage % stageColorCount].hatch;
    if (own != HatchPattern::None || !m_forceHatches)
        return own;
    // The six plain stages borrow the patterns of the hatched six; with the number they stay apart.
    return stageTable()[stage % stageColorCount + 6].hatch;
}

QString Theme::stageColorName(std::size_t stage) {
    return QString::fromUtf8(stageTable()[stage % stageColorCount].name);
}

QColor Theme::activityOutline(Activity activity) const {
    return mix(this->activity(activity), Qt::black, isDark() ? 0.28 : 0.30);
}

QColor Theme::activityMuted(Activity activity) const {
    return mix(color(Role::Canvas), this->activity(activity), isDark() ? 0.48 : 0.62);
}

HatchPattern Theme::activityHatch(Activity activity) const {
    if (activity == Activity::Recompute)
        return HatchPattern::Slash;
    if (!m_forceHatches)
        return HatchPattern::None;
    switch (activity) {
    case Activity::Backward:
        return HatchPattern::Backslash;
    case Activity::WeightUpdate:
        return HatchPattern::Dots;
    case Activity::Exchange:
        return HatchPattern::Horizontal;
    case Activity::Copy:
        return HatchPattern::Cross;
    case Activity::Host:
        return HatchPattern::Vertical;
    case Activity::RemoteMemory:
        return HatchPattern::Backslash;
    default:
        return HatchPattern::None;
    }
}

QColor Theme::idleFill() const {
    return mix(color(Role::Canvas), color(Role::Hatch), 0.22);
}

QColor Theme::idleBase(core::IdleCause cause) const {
    switch (cause) {
    case core::IdleCause::WarmUp:
        return activity(Activity::Forward);
    case core::IdleCause::Drain:
        return activity(Activity::Backward);
    case core::IdleCause::Imbalance:
        return color(Role::Error);
    case core::IdleCause::Transfer:
        return activity(Activity::Copy);
    case core::IdleCause::Offload:
        return activity(Activity::RemoteMemory);
    case core::IdleCause::Host:
        return activity(Activity::Host);
    case core::IdleCause::AllReduce:
    case core::IdleCause::Serial:
        return activity(Activity::Sync);
    }
    return color(Role::Hatch);
}

QColor Theme::idleFill(core::IdleCause cause) const {
    return mix(color(Role::Canvas), idleBase(cause), isDark() ? 0.16 : 0.13);
}

QColor Theme::idleHatch(core::IdleCause cause) const {
    return mix(color(Role::Panel), idleBase(cause), 0.55);
}

HatchPattern Theme::idlePattern(core::IdleCause cause) {
    switch (cause) {
    case core::IdleCause::Drain:
        return HatchPattern::Backslash;
    case core::IdleCause::Transfer:
        return HatchPattern::Horizontal;
    case core::IdleCause::Offload:
        return HatchPattern::Vertical;
    default:
        return HatchPattern::Slash;
    }
}

QColor Theme::tileHeat(double share) const {
    const std::array<std::pair<double, QColor>, 5> stops{{
        {0.0, color(Role::Hover)},
        {0.72, category(core::MemoryCategory::Weights)},
        {0.86, category(core::MemoryCategory::OptimizerState)},
        {0.93, category(core::MemoryCategory::Activations)},
        {1.0, color(Role::Error)},
    }};
    if (share <= 0)
        return stops.front().second;
    // A light load is seen, too.
    constexpr double least = 0.3;
    share = std::max(share, least + share * (1 - least / stops[1].first));
    for (std::size_t i = 1; i < stops.size(); ++i) {
        if (share <= stops[i].first) {
            const double t = (share - stops[i - 1].first) / (stops[i].first - stops[i - 1].first);
            return mix(stops[i - 1].second, stops[i].second, t);
        }
    }
    return stops.back().second;
}

QFont Theme::font(double size, int weight) const {
    return sharedFont(false, ipx(size), weight);
}

QFont Theme::mono(double size, int weight) const {
    return sharedFont(true, ipx(size), weight);
}

QString themeName(ThemeKind kind) {
    switch (kind) {
    case ThemeKind::Light:
        return QStringLiteral("light");
    case ThemeKind::Dark:
        return QStringLiteral("dark");
    case ThemeKind::HighContrast:
        return QStringLiteral("high-contrast");
    }
    return {};
}

Activity activityOf(core::Phase phase) {
    switch (phase) {
    case core::Phase::Forward:
        break;
    case core::Phase::Backward:
        return Activity::Backward;
    case core::Phase::Recompute:
        return Activity::Recompute;
    case core::Phase::WeightUpdate:
        return Activity::WeightUpdate;
    case core::Phase::WeightGradient:
        return Activity::WeightGradient;
    }
    return Activity::Forward;
}

std::optional<Activity> activityOf(core::SpanKind kind) {
    switch (kind) {
    case core::SpanKind::Forward:
        return Activity::Forward;
    case core::SpanKind::Backward:
        return Activity::Backward;
    case core::SpanKind::Recompute:
        return Activity::Recompute;
    case core::SpanKind::WeightUpdate:
        return Activity::WeightUpdate;
    case core::SpanKind::WeightGradient:
        return Activity::WeightGradient;
    case core::SpanKind::Exchange:
        return Activity::Exchange;
    case core::SpanKind::InterIpuCopy:
    case core::SpanKind::AllReduce:
        return Activity::Copy;
    case core::SpanKind::RemoteMemory:
        return Activity::RemoteMemory;
    case core::SpanKind::Sync:
        return Activity::Sync;
    case core::SpanKind::Infeed:
    case core::SpanKind::Outfeed:
        return Activity::Host;
    case core::SpanKind::Idle:
        return std::nullopt;
    }
    return std::nullopt;
}

QString activityName(Activity activity) {
    return QString::fromUtf8(activityTable()[static_cast<std::size_t>(activity)].name);
}

} // namespace views
