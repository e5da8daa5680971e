#include "views/plan/target/target_knob.h"

#include "views/common/text/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>

namespace views {

namespace {

/// How a figure is shown and how far it is tried.
struct KnobRow {
    std::string_view key;
    const char* label;
    const char* unit;
    double perUnit;
    int decimals;
    double reach;
    double grain;
};

constexpr std::array knobRows{
    KnobRow{"clock_hz", QT_TRANSLATE_NOOP("views::TargetStrip", "Clock"), "GHz", 1e9, 2, 2, 1e7},
    KnobRow{"tiles", QT_TRANSLATE_NOOP("views::TargetStrip", "Tiles"), "", 1, 0, 2, 1},
    KnobRow{"memory_per_tile_bytes", QT_TRANSLATE_NOOP("views::TargetStrip", "Memory of a tile"), "KiB", 1024,
            0, 2, 1024},
    KnobRow{"link_bytes_per_second", QT_TRANSLATE_NOOP("views::TargetStrip", "IPU-Link"), "GB/s", 1e9, 1, 4,
            1e8},
    KnobRow{"host_bytes_per_second", QT_TRANSLATE_NOOP("views::TargetStrip", "Host link"), "GB/s", 1e9, 1, 4,
            1e8},
};

} // namespace

std::vector<TargetKnob> targetKnobs(const std::vector<TargetFigureValue>& figures) {
    std::vector<TargetKnob> knobs;
    for (const KnobRow& row : knobRows) {
        const auto figure = std::ranges::find(figures, row.key, &TargetFigureValue::key);
        if (figure != figures.end() && figure->own > 0)
            knobs.push_back({*figure, QCoreApplication::translate("views::TargetStrip", row.label),
                             QString::fromLatin1(row.unit), row.perUnit, row.decimals, row.reach, row.grain});
    }
    return knobs;
}

double knobValue(const TargetKnob& knob, int position) {
    if (position == 0)
        return knob.figure.own;
    const double wanted = knob.figure.own * std::pow(knob.reach, double(position) / knobEnd);
    return std::clamp(std::round(wanted / knob.grain) * knob.grain, knob.figure.low, knob.figure.high);
}

int knobPosition(const TargetKnob& knob, double value) {
    if (!(value > 0))
        return -knobEnd;
    const double steps = knobEnd * std::log(value / knob.figure.own) / std::log(knob.reach);
    return int(std::lround(std::clamp(steps, -double(knobEnd), double(knobEnd))));
}

QString knobText(const TargetKnob& knob, double value) {
    return NumberText{fixedText(value / knob.perUnit, knob.decimals), knob.unit}.joined();
}

core::Project withTargetFigure(core::Project project, const TargetKnob& knob, double value) {
    if (value == knob.figure.own)
        project.system.other.erase(knob.figure.key);
    else if (knob.figure.isWhole)
        project.system.other[knob.figure.key] = std::int64_t(std::llround(value));
    else
        project.system.other[knob.figure.key] = value;
    return project;
}

core::Project withOwnTarget(core::Project project, const std::vector<TargetKnob>& knobs) {
    for (const TargetKnob& knob : knobs)
        project.system.other.erase(knob.figure.key);
    return project;
}

} // namespace views
