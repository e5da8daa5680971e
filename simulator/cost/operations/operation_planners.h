#pragma once

#include "simulator/cost/operations/plan_context.h"

namespace simulator {

/// The plan of one kind of operation, chosen by `planOperation` through std::visit; defined by family in this
/// folder.
#define DECLARE_PLANNER(Kind)                                                                                \
    [[nodiscard]] OperationPlan plan(const PlanContext& context, const Kind& operation);
OPERATION_KINDS(DECLARE_PLANNER)
#undef DECLARE_PLANNER

} // namespace simulator
