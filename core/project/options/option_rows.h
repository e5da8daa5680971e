#pragma once

#include "core/project/options/project_option.h"

#include <vector>

namespace core {

inline constexpr double mostInt32 = std::numeric_limits<std::int32_t>::max();

// The rows of the option table, in the order of forms. Only option_table.cpp reads them.

/// `pipeline`: the schedule and the accumulation of gradients.
[[nodiscard]] std::vector<ProjectOption> pipelineOptionRows();
/// `pipeline`: what is kept where, and what travels to the host.
[[nodiscard]] std::vector<ProjectOption> memoryOptionRows();
/// `pipeline`: what some of its stages do.
[[nodiscard]] std::vector<ProjectOption> stageChoiceRows();
[[nodiscard]] std::vector<ProjectOption> trainingOptionRows();
/// `system`, and `replicas`.
[[nodiscard]] std::vector<ProjectOption> systemOptionRows();

} // namespace core
