#pragma once

#include "simulator/cost/convolution_plan.h"
#include "simulator/cost/operations/plan_context.h"

namespace simulator {

/// Partials of a product of `type` operands under the context's options: float16 only for float16 operands.
[[nodiscard]] int partialBytes(const PlanContext& context, core::DataType type);

/// The cheapest plan of `problem` under the context's tiles and memory bound.
[[nodiscard]] ConvolutionPlan searchPlan(const PlanContext& context, const ConvolutionProblem& problem);

/// Adds `times` runs of a plan to a tally: cycles, supersteps, temporary memory.
void addPlan(PlanTally& tally, const ConvolutionPlan& plan, double times = 1);

/// Multiply-adds of a problem, as floating-point operations.
[[nodiscard]] double flopsOf(const ConvolutionProblem& problem);

} // namespace simulator
