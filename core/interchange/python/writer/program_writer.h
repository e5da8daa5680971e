#pragma once

#include "core/base/result.h"
#include "core/interchange/python/writer/text/python_edition.h"
#include "core/project/project.h"

#include <string>
#include <string_view>

namespace core {

/// Constants of a program: its datasets and the simulated machine as project files describe them, and the
/// flags of the environment.
inline constexpr std::string_view pythonDatasetConstant = "DATASET";
inline constexpr std::string_view pythonValidationConstant = "VALIDATION_DATASET";
inline constexpr std::string_view pythonSystemConstant = "SIMULATED_SYSTEM";
inline constexpr std::string_view pythonFlagsConstant = "TF_POPLAR_FLAGS";

/// A complete program that builds the project's model, stages, options, compile and fit. Errors: "python/api"
/// for what the edition cannot say and what would change a run, each with its place; "python/schedule".
[[nodiscard]] Result<std::string> writeProgramText(const Project& project, PythonApi api);

} // namespace core
