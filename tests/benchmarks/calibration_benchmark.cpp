/// Holds the predictions against the published rows: the table of errors, the bars, and what the errors are
/// when the fitted figures come from the other model families alone. Fails where a bar is not kept.
///
/// calibration_benchmark [--no-fit]

#include "simulator/calibration/calibration_bars.h"
#include "simulator/calibration/calibration_fit.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

using namespace simulator;

namespace {

/// Median error of the application rows with the fitted figures from the other families.
constexpr double leftOutMedian = 0.11;

void printClasses(const CalibrationReport& report) {
    fmt::print("{:42} {:>5} {:>8} {:>8} {:>8}\n", "class", "rows", "median", "p90", "worst");
    for (const CalibrationClass& row : report.classes)
        fmt::print("{:42} {:>5} {:>6.1f} % {:>6.1f} % {:>6.1f} %\n", row.name, row.rows,
                   100 * row.medianError, 100 * row.p90Error, 100 * row.worstError);
}

bool printBar(const CalibrationBar& bar) {
    fmt::print("{:5} {:45} {:>6.2f} % of {:>4.0f} %\n", bar.isKept() ? "ok" : "BROKEN", bar.name,
               100 * bar.value, 100 * bar.limit);
    return bar.isKept();
}

void printPoint(const FitPoint& point) {
    const core::Json figures = figuresAt(point);
    for (const auto& [key, value] : figures.items())
        fmt::print("  {} {:g}", key, value.get<double>());
    fmt::print("\n");
}

/// Whether the bar of the left-out families is kept.
bool printFit(const CalibrationFit& fit) {
    fmt::print("\nfitted on all rows (mean error {:.1f} %):", 100 * fit.meanError);
    printPoint(fit.point);
    std::vector<CalibrationRow> all;
    for (const LeftOutFamily& family : fit.leftOut) {
        const CalibrationClass errors = summarize(family.family, family.rows);
        fmt::print("without {:13} {:>2} rows: median {:>4.1f} %, worst {:>4.1f} %:", family.family,
                   errors.rows, 100 * errors.medianError, 100 * errors.worstError);
        printPoint(family.point);
        all.insert(all.end(), family.rows.begin(), family.rows.end());
    }
    const CalibrationClass errors = summarize("left out", all);
    fmt::print("rows of families left out: median {:.1f} %, 90th percentile {:.1f} %, worst {:.1f} %\n",
               100 * errors.medianError, 100 * errors.p90Error, 100 * errors.worstError);
    return printBar({"applications, families left out, median", leftOutMedian, errors.medianError});
}

} // namespace

int main(int argc, char** argv) {
    const bool fits = argc < 2 || std::string_view(argv[1]) != "--no-fit";
    const auto report = calibrate(publishedCases());
    if (!report) {
        fmt::print("{}\n", report.error().front().message);
        return 2;
    }
    printClasses(*report);
    fmt::print("\n");
    bool isKept = true;
    for (const CalibrationBar& bar : calibrationBars(*report))
        isKept = printBar(bar) && isKept;
    if (fits) {
        const auto fit = fitFigures(publishedCases());
        isKept = fit && printFit(*fit) && isKept;
    }
    return isKept ? 0 : 1;
}
