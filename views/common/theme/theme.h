#pragma once

#include "core/base/phase.h"
#include "core/plan/plan_estimate.h"
#include "core/profile/records/memory_category.h"
#include "core/profile/records/time_records.h"

#include <QColor>
#include <QFont>
#include <QString>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>

namespace views {

enum class ThemeKind : std::uint8_t { Light, Dark, HighContrast };

/// What a colour is for. Painting asks by role; the values are in theme_table.cpp and nowhere else.
enum class Role : std::uint8_t {
    Window, ///< menu bar, gaps between regions
    Panel,  ///< docks and bars
    Panel2, ///< headers and footers
    Canvas, ///< whatever is painted
    Raised, ///< nodes, buttons, menus
    Field,  ///< inputs
    RowAlt, ///< every other table row
    Hover,  ///< surface under the mouse
    Border,
    BorderStrong,
    CanvasDot,
    Hatch,
    Text,
    Text2, ///< labels
    Text3, ///< units and hints
    Disabled,
    Accent, ///< lines and rings
    AccentFill,
    AccentFillHover,
    OnAccent,
    AccentSoft, ///< selected row
    AccentText, ///< links
    Error,
    ErrorSoft,
    Warning,
    WarningFill,
    WarningSoft,
    Success,
    SuccessSoft,
    Info,
    InfoSoft,
    Limit,
    OnFill, ///< text on activities and categories
    Shadow,
    ToolTip,
    ToolTipText,
    ToolTipText2,
};
inline constexpr std::size_t roleCount = 37;

/// What the colour of a piece of time says: what an IPU does in it. Work of a program, `core::Phase`, and
/// what moves data.
enum class Activity : std::uint8_t {
    Forward,
    Backward,
    Recompute,
    WeightUpdate,
    Exchange,
    Copy,
    Sync,
    Host,
    WeightGradient,
    RemoteMemory
};
inline constexpr std::size_t activityCount = 10;

enum class HatchPattern : std::uint8_t { None, Slash, Backslash, Dots, Cross, Vertical, Horizontal };

inline constexpr std::size_t stageColorCount = 12;

/// Every colour, font and size of the program, by meaning. A cheap value; painters take it by reference.
///
/// Sizes are in device-independent pixels for a body font of 12 px; `px` scales them with the body font.
class Theme {
public:
    /// `scale` is the height of the body font / 12 px.
    explicit Theme(ThemeKind kind = ThemeKind::Light, double scale = 1.0, bool forceHatches = false);

    [[nodiscard]] ThemeKind kind() const { return m_kind; }
    [[nodiscard]] bool isDark() const { return m_kind != ThemeKind::Light; }
    /// Hatches on every stage and activity, not only where the palette needs them.
    [[nodiscard]] bool forcesHatches() const { return m_forceHatches; }
    [[nodiscard]] double scale() const { return m_scale; }
    [[nodiscard]] double px(double size) const { return size * m_scale; }
    [[nodiscard]] int ipx(double size) const;
    /// Width of frames: 1 px, 2 px in high contrast.
    [[nodiscard]] double frameWidth() const { return m_kind == ThemeKind::HighContrast ? 2.0 : 1.0; }

    [[nodiscard]] QColor color(Role role) const { return m_colors[static_cast<std::size_t>(role)]; }

    /// Stripe and chip of a stage; the palette repeats after 12 stages, so the number always goes with it.
    [[nodiscard]] QColor stage(std::size_t stage) const;
    /// Text on `stage`: white or OnFill, whichever contrasts more.
    [[nodiscard]] QColor onStage(std::size_t stage) const;
    /// Background of a stage's column or lane.
    [[nodiscard]] QColor stageLane(std::size_t stage) const;
    /// Light fill of a stage on panels.
    [[nodiscard]] QColor stageTint(std::size_t stage) const;
    [[nodiscard]] HatchPattern stageHatch(std::size_t stage) const;
    [[nodiscard]] static QString stageColorName(std::size_t stage);

    [[nodiscard]] QColor activity(Activity activity) const {
        return m_activities[static_cast<std::size_t>(activity)];
    }
    [[nodiscard]] QColor activityOutline(Activity activity) const;
    /// Fill of a span that is not of interest at the moment.
    [[nodiscard]] QColor activityMuted(Activity activity) const;
    [[nodiscard]] HatchPattern activityHatch(Activity activity) const;

    [[nodiscard]] QColor category(core::MemoryCategory category) const {
        return m_categories[static_cast<std::size_t>(category)];
    }

    /// Fill and hatch of an idle gap; the cause of none is drawn with `idleFill` / Role::Hatch.
    [[nodiscard]] QColor idleFill() const;
    [[nodiscard]] QColor idleFill(core::IdleCause cause) const;
    [[nodiscard]] QColor idleHatch(core::IdleCause cause) const;
    [[nodiscard]] static HatchPattern idlePattern(core::IdleCause cause);

    /// Colour of a share of a tile's memory, 0 (empty) … 1 (the limit) and beyond.
    [[nodiscard]] QColor tileHeat(double share) const;

    /// System sans (Inter where installed), `size` in px before scaling.
    [[nodiscard]] QFont font(double size = 12, int weight = QFont::Normal) const;
    /// Numbers. By convention 1 px smaller than the text beside it.
    [[nodiscard]] QFont mono(double size = 11, int weight = QFont::Normal) const;

private:
    [[nodiscard]] QColor idleBase(core::IdleCause cause) const;

    ThemeKind m_kind;
    double m_scale;
    bool m_forceHatches;
    std::array<QColor, roleCount> m_colors;
    std::array<QColor, stageColorCount> m_stages;
    std::array<QColor, activityCount> m_activities;
    std::array<QColor, core::memoryCategoryCount> m_categories;
};

/// A colour that is known by its meaning and looked up in the theme in which it is painted.
using ThemeColour = std::function<QColor(const Theme&)>;

/// "light", "dark", "high-contrast".
[[nodiscard]] QString themeName(ThemeKind kind);

/// The work of a phase.
[[nodiscard]] Activity activityOf(core::Phase phase);
/// The activity whose colour a span of the profile has; nothing for idle spans.
[[nodiscard]] std::optional<Activity> activityOf(core::SpanKind kind);

/// Name of an activity for legends.
[[nodiscard]] QString activityName(Activity activity);

} // namespace views
