#include "simulator/compiler/staging/split_backward.h"

#include <algorithm>
#include <ranges>

namespace simulator {

StagedGraph splitBackward(StagedGraph staged, const TensorUses& uses) {
    std::vector<Operation>& operations = staged.graph.operations;
    const auto mayWait = [&](const Operation& operation) {
        return std::ranges::all_of(operation.outputs, [&](core::TensorId output) {
            return std::ranges::all_of(uses.readers(output), [&](core::OperationId id) {
                const Operation& reader = operations[id.index()];
                // An accumulator is its own operand.
                return id == operation.id || reader.phase == Phase::WeightUpdate ||
                       (reader.phase == Phase::WeightGradient &&
                        staged.stageOf(id) == staged.stageOf(operation.id));
            });
        });
    };
    // Readers follow what they read: from the last to the first, each sees what became of its readers.
    for (Operation& operation : std::views::reverse(operations))
        if (operation.phase == Phase::Backward && operation.isWeightGradient && mayWait(operation))
            operation.phase = Phase::WeightGradient;
    return staged;
}

} // namespace simulator
