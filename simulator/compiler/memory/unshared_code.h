#pragma once

#include "simulator/cost/operation_plan.h"
#include "simulator/graph/training_graph.h"

#include <cstdint>

namespace simulator {

/// Bytes of code and state that an operation has on each tile it uses.
struct OperationCode {
    std::int64_t exchange = 0;
    std::int64_t state = 0;
    std::int64_t control = 0;
};

/// The code of an operation that shares none with equal ones (`optimizations.enable_graph_outlining` off):
/// that of the same operation compiled alone, never less than its part of a whole model, which `plan` has.
/// Control code is a call and a piece of each superstep of `plan`; exchange code and vertex state go by the
/// kind of the operation. Source: Poplar compilations of single operations of BERT-Large and of convolution
/// passes.
[[nodiscard]] OperationCode unsharedCode(const TrainingGraph& graph, core::OperationId operation,
                                         const OperationPlan& plan);

} // namespace simulator
