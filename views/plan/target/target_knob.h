#pragma once

#include "core/project/project.h"

#include <QString>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace views {

/// A figure of a project's target, as whoever knows targets gives it.
struct TargetFigureValue {
    /// As target files name it: "clock_hz".
    std::string key;
    /// Of the target by itself, and in this project.
    double own = 0;
    double value = 0;
    /// What a project may set.
    double low = 0;
    double high = 0;
    bool isWhole = false;
    /// Where the target's own value comes from.
    std::string source;
};

/// The figures of a project's target; nothing where the target cannot be read. `folder`: what relative paths
/// of the project start from.
using TargetFigureSource =
    std::function<std::vector<TargetFigureValue>(const core::Project&, const std::filesystem::path& folder)>;

/// A figure that is tried with a slider, between its own value divided and multiplied by `reach`.
struct TargetKnob {
    TargetFigureValue figure;
    QString label;
    /// What one of the unit is worth, and with how many decimals it is written.
    QString unit;
    double perUnit = 1;
    int decimals = 0;
    double reach = 2;
    /// Values are multiples of it, but for the target's own.
    double grain = 1;
};

/// The ends of a slider; 0 is the target's own value.
inline constexpr int knobEnd = 100;

/// Clock, tiles, memory of a tile, links, host: those of `figures` that one tries.
[[nodiscard]] std::vector<TargetKnob> targetKnobs(const std::vector<TargetFigureValue>& figures);
/// Equal steps are equal ratios.
[[nodiscard]] double knobValue(const TargetKnob& knob, int position);
[[nodiscard]] int knobPosition(const TargetKnob& knob, double value);
/// "1.33 GHz".
[[nodiscard]] QString knobText(const TargetKnob& knob, double value);
/// The project with the figure set; with the target's own value it sets none.
[[nodiscard]] core::Project withTargetFigure(core::Project project, const TargetKnob& knob, double value);
/// The project with none of these figures set.
[[nodiscard]] core::Project withOwnTarget(core::Project project, const std::vector<TargetKnob>& knobs);

} // namespace views
