#pragma once

#include "simulator/calibration/calibration.h"

namespace simulator {

/// How far predictions may be from measurements.
struct CalibrationBar {
    std::string name;
    double limit = 0;
    double value = 0;

    [[nodiscard]] bool isKept() const { return value <= limit; }
};

/// The bars of every group of rows the report has; weak rows do not count.
[[nodiscard]] std::vector<CalibrationBar> calibrationBars(const CalibrationReport& report);

/// Whether a row is a training or inference run of a whole model.
[[nodiscard]] bool isApplication(const CalibrationRow& row);

} // namespace simulator
