#pragma once

#include "core/model/model_graph.h"
#include "core/plan/stage_assignment.h"

#include <cstddef>
#include <string>

namespace core {

/// The text of `print_pipeline_stage_assignment_summary`: the stage of every layer call. `width` 0 takes the
/// default, 60 for Sequential models and 89 for others. An empty assignment prints `None` throughout.
[[nodiscard]] std::string stageSummaryTable(const ModelGraph& model, const StageAssignment& assignment,
                                            std::size_t width = 0);

} // namespace core
