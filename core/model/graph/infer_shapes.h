#pragma once

#include "core/base/result.h"
#include "core/model/layer_definition.h"
#include "core/model/opaque_layer.h"
#include "core/model/typed_graph.h"

#include <cstdint>
#include <optional>
#include <span>

namespace core {

struct InferenceOptions {
    /// Extent of the batch axis of every input; nothing keeps what the model says (usually free).
    std::optional<std::int64_t> batchSize;
    /// Declared shapes and costs of layers the catalogue does not know.
    OpaqueLayers opaqueLayers;
    /// Precision of the run; layers that name a type of their own keep it.
    PrecisionPolicy precision;
    /// Refuse tensors with a free extent: a run needs every one.
    bool requiresKnownShapes = false;
    /// Names the source in diagnostics.
    std::string file;

    bool operator==(const InferenceOptions&) const = default;
};

/// A model with whatever is known of its shapes. Where a layer refuses its inputs, its outputs and those of
/// everything after it are missing (`outputs` empty) and `findings` says why.
struct InferredModel {
    TypedGraph graph;
    /// Outputs of each call of the model as it is drawn (nested models closed), by InvocationId; empty where
    /// unknown.
    std::vector<std::vector<TensorSpec>> drawnOutputs;
    Diagnostics findings;
};

/// Opens nested models and works out every tensor's shape and type, every layer's weights and every call's
/// arithmetic. Diagnostics carry the layer's path as their place.
[[nodiscard]] InferredModel inferKnownShapes(const ModelGraph& model, const InferenceOptions& options = {});

/// The same for a caller that needs all of it.
/// Errors: "model/…" of the structure, "layer/shape", "layer/attribute", "layer/not-connected",
/// "layer/too-large", "model/free-shape".
[[nodiscard]] Result<TypedGraph> inferShapes(const ModelGraph& model, const InferenceOptions& options = {});

/// A whole model as one call: outputs and all weights (names prefixed by the layer's path), for wrappers.
[[nodiscard]] RuleResult<CallFacts> describeModel(const ModelGraph& model, std::span<const TensorSpec> inputs,
                                                  const PrecisionPolicy& precision);

} // namespace core
