#include "simulator/calibration/calibration_bars.h"

#include <algorithm>
#include <array>
#include <optional>

namespace simulator {

namespace {

/// Limits of |error|; a missing one is not asked for.
struct Limits {
    std::string_view group;
    bool (*holds)(const CalibrationRow&);
    std::optional<double> median;
    std::optional<double> p90;
    std::optional<double> worst;
};

template <std::size_t size>
struct ClassName {
    char text[size]{};
    consteval ClassName(const char (&name)[size]) { std::ranges::copy(name, text); } // NOLINT
};

template <ClassName name>
bool isOf(const CalibrationRow& row) {
    return row.className == name.text;
}

constexpr std::array limits{
    Limits{"AMP vertex", isOf<"AMP vertex">, {}, {}, 0.03},
    Limits{"vendor model and program", isOf<"vendor model and program">, {}, {}, 0.05},
    Limits{"planned product", isOf<"planned product">, {}, {}, 0.15},
    Limits{"applications", isApplication, 0.07, 0.18, 0.25},
    Limits{"scaling", isOf<"scaling">, {}, {}, 0.12},
    Limits{"memory: variables and totals", isOf<"memory: variables and totals">, 0.03, {}, 0.10},
    Limits{"memory: code and state", isOf<"memory: code and state">, 0.30, {}, {}},
};

} // namespace

bool isApplication(const CalibrationRow& row) {
    return row.className.ends_with(" training");
}

std::vector<CalibrationBar> calibrationBars(const CalibrationReport& report) {
    std::vector<CalibrationBar> bars;
    for (const Limits& limit : limits) {
        std::vector<CalibrationRow> rows;
        std::ranges::copy_if(report.rows, std::back_inserter(rows),
                             [&](const CalibrationRow& row) { return !row.weak && limit.holds(row); });
        if (rows.empty())
            continue;
        const std::string name(limit.group);
        const CalibrationClass errors = summarize(name, rows);
        if (limit.median)
            bars.push_back({name + ", median", *limit.median, errors.medianError});
        if (limit.p90)
            bars.push_back({name + ", 90th percentile", *limit.p90, errors.p90Error});
        if (limit.worst)
            bars.push_back({name + ", worst", *limit.worst, errors.worstError});
    }
    return bars;
}

} // namespace simulator
