#pragma once

#include "core/base/result.h"
#include "core/project/project.h"
#include "core/project/validated_project.h"
#include "simulator/calibration/calibration_case.h"

namespace simulator {

/// The project that an application or memory case describes: its template with its arguments, split over
/// stages, or its `model` as Keras writes it, on one IPU; with the batch, precision and optimizer of the
/// measurement. Keys that only people can use (notes) are left out. Errors: those of the template or the
/// model; "calibration/no-prediction" where the case names neither.
[[nodiscard]] core::Result<core::Project> calibrationProject(const CalibrationCase& item);

/// Figures of the target that a case overrides: its `figures`, and its clock and tiles where it states them.
[[nodiscard]] core::Json figuresOf(const CalibrationCase& item);

/// Validated for training where the project has an optimizer, else for prediction.
[[nodiscard]] core::Result<core::ValidatedProject> validatedForCalibration(const core::Project& project);

/// The project with another number of micro-batches per weight update.
[[nodiscard]] core::Project withMicroBatches(core::Project project, std::int64_t microBatches);

} // namespace simulator
