#pragma once

#include "core/base/result.h"
#include "core/model/model_graph.h"

#include <cstddef>
#include <string>
#include <vector>

namespace core {

/// Equal pieces of a model in a row. Each has one tensor in and one out, and feeds the next; all may read
/// further tensors beside it, the same ones each (a mask, what an encoder gives). No layer of them is called
/// anywhere else.
struct RepeatedLayers {
    /// Copy by copy the layers in the order in which they run. The layers at one place of all copies are
    /// equal but for their names.
    std::vector<std::vector<LayerId>> copies;
    /// What each copy gives.
    std::vector<TensorRef> outputs;
    /// What the last copy reads that the one before it gives.
    TensorRef input;

    [[nodiscard]] std::size_t times() const { return copies.size(); }
};

/// Every longest run of equal pieces with three layers or more, in the order in which they run. Where a run
/// could begin at several places (A B A B A), it begins where the names of a piece have most in common.
[[nodiscard]] std::vector<RepeatedLayers> findRepeats(const ModelGraph& graph);

/// What the names of a piece have in common, without its number: "encoder" of "encoder_3_norm" and
/// "encoder_3_add"; the class of its first layer where they have nothing in common.
[[nodiscard]] std::string repeatTitle(const ModelGraph& graph, const RepeatedLayers& run);

/// The run with `times` copies: new ones behind the last, or without the last ones. Names go on counting
/// where those of the last two copies differ by one number ("block_11_norm", "block_12_norm"). Errors:
/// "edit/times" outside of 1 … 1000.
[[nodiscard]] Result<ModelGraph> withRepeatCount(const ModelGraph& graph, const RepeatedLayers& run,
                                                 std::size_t times);

} // namespace core
