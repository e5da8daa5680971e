#pragma once

#include "simulator/compiler/planning/compile_options.h"
#include "simulator/cost/operations/plan_operation.h"
#include "simulator/graph/staged_graph.h"

#include <functional>
#include <vector>

namespace simulator {

/// Plans one operation that stands for several of the stage and phase of `like`. `tensors` is the list that
/// its ids index.
using CombinedPlanner = std::function<OperationPlan(const Operation& combined,
                                                    std::span<const Tensor> tensors, core::OperationId like)>;

/// Prices independent operations of one program as the programming system fuses them:
/// - `combine_matmuls`: matrix products with the same left or the same right operand become one product,
/// wider
///   or taller;
/// - `combine_embedding_lookups`: lookups in the same table become one lookup.
/// The first of them carries the plan of the whole, the others take no time, no temporaries and no code.
void combineOperations(std::vector<OperationPlan>& plans, const StagedGraph& staged,
                       const CombineOptions& options, const CombinedPlanner& planner);

/// Longest chain of operations of the same program that leads to each operation: operations of one program
/// and one depth do not depend on each other.
[[nodiscard]] std::vector<std::size_t> depthsInProgram(const StagedGraph& staged);

} // namespace simulator
