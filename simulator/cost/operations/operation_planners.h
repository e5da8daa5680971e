#pragma once

#include "simulator/cost/operations/plan_context.h"
#include "simulator/graph/operation_parts.h"

namespace simulator {

/// The plan of one kind of operation, which is its price.
using Planner = OperationPlan (*)(const PlanContext& context, const OperationAttributes& attributes);
/// The row of a kind whose `plan` says it; written at the end of its family's file in this folder.
template <class Kind, OperationPlan (*plan)(const PlanContext&, const Kind&)>
[[nodiscard]] constexpr PartRow<Planner> plannerRow() {
    return {kindIndex<Kind>(), [](const PlanContext& context, const OperationAttributes& attributes) {
                return plan(context, std::get<Kind>(attributes));
            }};
}
[[nodiscard]] const PartTable<Planner>& planners();

[[nodiscard]] std::span<const PartRow<Planner>> elementwisePlans();
[[nodiscard]] std::span<const PartRow<Planner>> embeddingPlans();
[[nodiscard]] std::span<const PartRow<Planner>> layoutPlans();
[[nodiscard]] std::span<const PartRow<Planner>> lossPlans();
[[nodiscard]] std::span<const PartRow<Planner>> matrixPlans();
[[nodiscard]] std::span<const PartRow<Planner>> normalizationPlans();
[[nodiscard]] std::span<const PartRow<Planner>> poolingPlans();
[[nodiscard]] std::span<const PartRow<Planner>> recurrentPlans();
[[nodiscard]] std::span<const PartRow<Planner>> reductionPlans();
[[nodiscard]] std::span<const PartRow<Planner>> transferPlans();
[[nodiscard]] std::span<const PartRow<Planner>> updatePlans();

} // namespace simulator
