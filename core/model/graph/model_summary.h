#pragma once

#include "core/base/result.h"
#include "core/model/graph/infer_shapes.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace core {

/// What a table of layers shows of one layer.
struct LayerSummary {
    /// Place in the list it is in.
    std::size_t index = 0;
    std::string name;
    std::string className;
    /// Of the first call; the batch axis as the model says, usually free. Several for several outputs.
    std::vector<Shape> outputShapes;
    std::int64_t parameters = 0;
    std::int64_t trainableParameters = 0;
    /// Forward arithmetic of all calls for one sample; nothing where an extent is free.
    Dimension flops;
    /// Outputs of all calls for a whole micro-batch; nothing where an extent is free.
    Dimension activationBytes;
    /// Layers whose outputs the first call takes.
    std::vector<std::string> inbound;
    /// Calls of it in the flattened model; empty for a nested model.
    std::vector<InvocationId> invocations;
    /// Layers of a nested model. The row of the model itself repeats their sum.
    std::vector<LayerSummary> layers;
};

/// A call that a stage list assigns.
struct AssignableCall {
    /// "outer/inner".
    std::string layer;
    std::string className;
    std::uint32_t call = 0;
    std::vector<std::string> inbound;
};

/// The table of a model: a Functional model's InputLayers first, the others as the file lists them.
struct ModelSummary {
    std::string name;
    ModelKind kind = ModelKind::Functional;
    std::vector<LayerSummary> layers;
    /// Entries of the model's own layer list as Keras writes it.
    std::size_t layerCount = 0;
    /// Shared layers count once.
    std::int64_t parameters = 0;
    std::int64_t trainableParameters = 0;
    std::vector<Shape> outputShapes;
    /// In post-order, nested models opened: what `stages` of a project lists.
    std::vector<AssignableCall> assignable;
};

/// `microBatch` sizes the activations. Errors: those of `inferShapes`.
[[nodiscard]] Result<ModelSummary> summarize(const ModelGraph& model, std::int64_t microBatch,
                                             InferenceOptions options = {});

/// The summary as `ipu-workbench/summary` has it, without schema and version. `stages` gives the stage of
/// each assignable call; empty where the model is not pipelined (then every "stage" is null).
[[nodiscard]] Json toJson(const ModelSummary& summary, std::span<const std::int64_t> stages = {});

/// [null, 28, 28, 1].
[[nodiscard]] Json toJson(const Shape& shape);

} // namespace core
