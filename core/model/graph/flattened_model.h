#pragma once

#include "core/base/result.h"
#include "core/model/model_graph.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace core {

/// A layer of a model whose nested models are opened.
struct FlattenedLayer {
    /// Points into the model that was flattened.
    const Layer* layer = nullptr;
    /// "outer/inner".
    std::string path;
    /// False when the layer or an enclosing model says so.
    bool trainable = true;
    /// The layer catalogue knows its class.
    bool isKnown = false;
};

/// A call of such a layer.
struct FlattenedInvocation {
    LayerId layer;
    std::uint32_t call = 0;
    std::vector<TensorRef> inputs;
    /// Points into the model that was flattened.
    const Json* arguments = nullptr;
    /// The call of the outermost model that this one is, or is part of.
    InvocationId drawn;
};

/// What became of a call when its model was flattened.
struct FlattenedPlace {
    /// An own call of the flattened model …
    InvocationId invocation;
    /// … or, for a nested model and for an InputLayer of one, tensors of other calls.
    std::vector<TensorRef> aliases;

    [[nodiscard]] TensorRef resolve(std::uint32_t output) const {
        return invocation.isValid() ? TensorRef{invocation, output} : aliases[output];
    }
};

/// Structure of a model with nested models opened, in post-order: the calls of an inner model are in place
/// of its call. The InputLayers of inner models are replaced by what is fed to them. It refers to the model
/// it was made from, which must outlive it.
struct FlattenedModel {
    std::vector<FlattenedLayer> layers;
    std::vector<FlattenedInvocation> invocations;
    std::vector<TensorRef> inputs;
    std::vector<TensorRef> outputs;
    /// What the first call of an inner model feeds to each of its InputLayers, by path.
    std::map<std::string, TensorRef> fedInputs;
    /// Of each call of the outermost model.
    std::vector<FlattenedPlace> drawn;
    /// See `assignable`.
    std::vector<InvocationId> assignableCalls;

    /// Calls that a stage list assigns: all but those of InputLayers. Ids index `invocations`.
    [[nodiscard]] const std::vector<InvocationId>& assignable() const { return assignableCalls; }
};

/// Errors: those of `checkStructure`; "model/not-connected"; "model/too-large" when nested models multiply to
/// more than 2^18 calls.
[[nodiscard]] Result<FlattenedModel> flattenModel(const ModelGraph& model, std::string_view file = {});

} // namespace core
