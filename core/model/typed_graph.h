#pragma once

#include "core/model/model_graph.h"

#include <memory>
#include <string>
#include <vector>

namespace core {

/// A weight of a layer, in Keras' order.
struct WeightSpec {
    /// Keras' name within the layer ("kernel", "bias", "gamma", …).
    std::string name;
    Shape shape;
    DataType type = DataType::Float32;
    bool trainable = true;
    /// Keras initializer as {"class_name": …, "config": …}.
    Json initializer;
    /// What an optimizer of the layer keeps beside its weights: no parameter of the model.
    bool isSlot = false;

    bool operator==(const WeightSpec&) const = default;
};

/// A call of a layer in a flattened model, everything about it known.
struct TypedInvocation {
    InvocationId id;
    /// The layer it calls: index into `TypedGraph::layers`. Calls of one layer share it, so they share its
    /// weights.
    LayerId layer;
    std::uint32_t call = 0;
    std::vector<TensorRef> inputs;
    std::vector<TensorSpec> outputs;
    Json arguments = Json::object();
    /// The call of the drawn model that this one is, or is part of when that calls a nested model.
    InvocationId drawn;
    /// Arithmetic of the forward pass over the whole batch; nothing where an extent is free.
    Dimension flops;
};

/// A layer of a flattened model.
struct TypedLayer {
    LayerId id;
    /// Path through the nested models: "outer/inner"; plain name at the top.
    std::string path;
    std::string className;
    Json config;
    /// False when the layer or an enclosing model says so.
    bool trainable = true;
    std::vector<WeightSpec> weights;
    /// The inner model of a wrapper (TimeDistributed around a model); null for every other layer.
    std::shared_ptr<const ModelGraph> model;
};

/// A model with nested models opened, in post-order, with the shape and type of every tensor. In a validated
/// project the batch axis holds the micro-batch size and every extent is known. Calls of the InputLayers of
/// nested models are not in it: what is fed to them goes straight to their users.
struct TypedGraph {
    std::string name;
    ModelKind kind = ModelKind::Functional;
    std::vector<TypedLayer> layers;
    /// In post-order; ids equal positions. InputLayer calls included.
    std::vector<TypedInvocation> invocations;
    std::vector<TensorRef> inputs;
    std::vector<TensorRef> outputs;

    [[nodiscard]] const TypedLayer& layer(LayerId id) const { return layers[id.index()]; }
    [[nodiscard]] const TypedInvocation& invocation(InvocationId id) const { return invocations[id.index()]; }
    [[nodiscard]] const TypedLayer& layerOf(InvocationId id) const { return layer(invocation(id).layer); }
    [[nodiscard]] const TensorSpec& spec(TensorRef ref) const {
        return invocation(ref.invocation).outputs[ref.output];
    }
};

} // namespace core
