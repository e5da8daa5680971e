#pragma once

#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/shape_rules.h"

#include <string>
#include <vector>

namespace core {

/// What tells the recurrent cells apart.
struct CellKind {
    std::string name;
    /// Weight matrices side by side in one kernel.
    std::int64_t gates = 1;
    /// State tensors carried from step to step.
    std::size_t states = 1;
};

/// One step of a cell: its weights, the widths of its states and output, and the arithmetic for one sample.
struct CellFacts {
    std::vector<WeightSpec> weights;
    std::vector<std::int64_t> states;
    std::int64_t outputs = 0;
    Count flopsPerStep = 0;
};

/// Facts of the cell whose attributes `call` holds, fed with `features` numbers a step.
[[nodiscard]] CellFacts describeCell(const LayerCall& call, const CellKind& kind, std::int64_t features);

/// Outputs of a layer that runs a cell along [batch, time, features]: the last output or all of them, then
/// the final states when `return_state`.
[[nodiscard]] RuleResult<CallFacts> runCell(const LayerCall& call, const CellFacts& cell);

/// units, activations, weight objects, dropout: shared by a cell and its layer.
[[nodiscard]] Attributes cellAttributes(const CellKind& kind);
/// return_sequences, go_backwards, …: shared by all layers that run a cell.
[[nodiscard]] Attributes sequenceAttributes();

[[nodiscard]] const CellKind& simpleCell();
[[nodiscard]] const CellKind& gatedCell();
[[nodiscard]] const CellKind& longShortTermCell();

} // namespace core
