#pragma once

#include "core/base/ids.h"
#include "core/base/json.h"
#include "core/base/shared_list.h"
#include "core/model/shape.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace core {

struct ModelGraph;

/// A layer as in Keras: it owns weights and may be called more than once.
struct Layer {
    LayerId id;
    std::string name;
    /// Keras' class name, for example "Dense"; the layer catalogue knows what it means, or it is opaque.
    std::string className;
    /// Keras' `config` of the layer, unknown attributes included, so that it can be written back.
    Json config;
    /// Keras' other keys of the layer entry that carry no meaning here ("module", "registered_name", …);
    /// written back.
    Json extra;
    bool trainable = true;
    /// An InputLayer that Keras puts in front of a Sequential model by itself: it is not written, not listed
    /// and not counted, and takes its shape from the first layer.
    bool isImplicit = false;
    /// The inner model of a nested model, or of a TimeDistributed around one; null for every other layer. A
    /// wrapped layer (Bidirectional, TimeDistributed) is not a nested model: it stays in `config`.
    std::shared_ptr<const ModelGraph> model;

    /// A call of it is a call of an inner model whose layers are assigned to stages one by one.
    [[nodiscard]] bool isNestedModel() const;

    bool operator==(const Layer&) const;
};

/// One output of one invocation.
struct TensorRef {
    InvocationId invocation;
    std::uint32_t output = 0;

    auto operator<=>(const TensorRef&) const = default;
};

/// One call of a layer. Stages are assigned to invocations.
struct LayerInvocation {
    InvocationId id;
    LayerId layer;
    /// 0 for the first call of the layer, 1 for the second, …
    std::uint32_t call = 0;
    std::vector<TensorRef> inputs;
    /// Keras' keyword arguments of the call (for example {"training": false, "axis": 1}); empty object when
    /// there are none. A tensor among them is also one of `inputs` and is here as {"$input": index}.
    /// Positional arguments that are more than the inputs in a row are kept under "$args" in the same form.
    Json arguments = Json::object();

    bool operator==(const LayerInvocation&) const = default;
};

enum class ModelKind : std::uint8_t { Sequential, Functional };

/// The two ways in which Keras editions write calls and input shapes.
enum class KerasDialect : std::uint8_t { Keras2, Keras3 };

/// A Keras model as a graph of layer invocations. An immutable value in use: edits make a new one.
///
/// Invariants (kept by the reader and the edits, checked by `checkStructure`): ids equal positions; layer
/// names are unique; every input refers to an existing output; invocations are free of cycles. `invocations`
/// goes layer by layer, as files list them; `postOrder` gives the order in which Keras runs them.
struct ModelGraph {
    std::string name;
    ModelKind kind = ModelKind::Functional;
    KerasDialect dialect = KerasDialect::Keras2;
    /// Shared with the models that edits made of this one, and with those it was made of.
    SharedList<Layer> layers;
    std::vector<LayerInvocation> invocations;
    std::vector<TensorRef> inputs;
    std::vector<TensorRef> outputs;
    /// Keras' keys beside the structure ("keras_version", "backend", …), written back; those of the model's
    /// config under "config".
    Json extra = Json::object();

    [[nodiscard]] const Layer& layer(LayerId id) const { return layers[id.index()]; }
    [[nodiscard]] const Layer& layer(InvocationId id) const { return layer(invocation(id).layer); }
    [[nodiscard]] const LayerInvocation& invocation(InvocationId id) const { return invocations[id.index()]; }
    [[nodiscard]] std::optional<LayerId> findLayer(std::string_view name) const;

    bool operator==(const ModelGraph&) const = default;
};

/// False when the model's own config says so: then nothing in it is trained.
[[nodiscard]] bool isTrainable(const ModelGraph& graph);

/// "Sequential" or "Functional".
[[nodiscard]] std::string_view toString(ModelKind kind);

/// Invocations in the order in which Keras runs them: by decreasing depth (distance from the outputs),
/// insertion order within a depth; InputLayer invocations included. Source: Keras' `_map_graph_network`, as
/// the stage assignment of the IPU extensions uses it. Calls that lead to no output (Keras would not have
/// them) are treated as if they were further outputs. Nested models are one call each.
[[nodiscard]] std::vector<InvocationId> postOrder(const ModelGraph& graph);

/// `postOrder` without the calls of InputLayer: what a stage list assigns.
[[nodiscard]] std::vector<InvocationId> assignableInvocations(const ModelGraph& graph);

} // namespace core
