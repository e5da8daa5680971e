#pragma once

#include "core/model/typed_graph.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <functional>
#include <map>

namespace simulator {

/// What lowering a model needs beyond the context: the tensors of its inputs and of its layers' weights.
struct ModelLowering {
    const core::TypedGraph& model;
    /// By TensorRef of the model's inputs.
    std::map<core::TensorRef, core::TensorId> values;
    /// Weights of a layer, in its order; called once per layer, before its first call is lowered.
    std::function<std::vector<LoweredWeight>(const core::TypedLayer&)> weightsOf;
    /// Declared forward arithmetic of layers nobody knows, by path; such layers become Opaque operations.
    std::function<std::optional<std::int64_t>(const std::string& path)> opaqueFlops;
    /// For an inner model: everything belongs to this call of the outer one, names start with this.
    std::optional<GraphBuilder::Scope> outer;
};

/// Lowers every call of a model in post-order; fills `values` with the tensors of every call's outputs.
[[nodiscard]] core::Result<void> lowerModel(LoweringContext& context, ModelLowering& lowering);

} // namespace simulator
