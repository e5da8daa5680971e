#pragma once

#include "core/base/result.h"
#include "core/model/model_graph.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace core {

// Edits of a model: pure functions that answer the changed model or why it cannot be ("edit/…", the layer as
// its place, and the next legal value as a hint). New layers and calls are at the end of their vectors, ids
// equal positions again afterwards. A Sequential model stays one as long as it is a chain; an edit that makes
// it branch makes it Functional. What nobody reads is an output of the model, until `setOutputs` says
// otherwise: the last layer of a drawing, and what is last once the layers behind it are gone. What an edit
// does to shapes is not its concern: inference says.

/// A layer to be made. An empty name gets the one Keras would give.
struct NewLayer {
    std::string className;
    std::string name;
    Json attributes = Json::object();
    /// Of a class that the catalogue does not know: the project declares its shape and cost.
    bool isOpaque = false;
};

/// One input of one call.
struct InputSlot {
    InvocationId invocation;
    std::size_t input = 0;

    bool operator==(const InputSlot&) const = default;
};

/// Adds a layer fed with `inputs` (none leaves it loose: it gives no output of the model until it is fed).
/// Where it takes an output of the model that nothing else takes, its own output becomes the model's instead.
[[nodiscard]] Result<ModelGraph> addLayer(const ModelGraph& graph, const NewLayer& layer,
                                          const std::vector<TensorRef>& inputs);
/// Adds an InputLayer; `layer.attributes` holds its batch_input_shape.
[[nodiscard]] Result<ModelGraph> addInput(const ModelGraph& graph, const NewLayer& layer);
/// Adds a further call of a layer, which then shares its weights between its calls.
[[nodiscard]] Result<ModelGraph> addCall(const ModelGraph& graph, LayerId layer,
                                         const std::vector<TensorRef>& inputs);

enum class Reconnect : bool { No, Yes };
/// Removes layers with all their calls. `Reconnect::Yes` feeds their users with what fed them (their first
/// input); otherwise the users lose an input.
[[nodiscard]] Result<ModelGraph> removeLayers(const ModelGraph& graph, const std::vector<LayerId>& layers,
                                              Reconnect reconnect);

[[nodiscard]] Result<ModelGraph> renameLayer(const ModelGraph& graph, LayerId layer, const std::string& name);
/// Sets an attribute; null puts Keras' default back. "name" renames, "trainable" freezes nested models too.
[[nodiscard]] Result<ModelGraph> setAttribute(const ModelGraph& graph, LayerId layer,
                                              const std::string& attribute, const Json& value);
/// Makes the layer one of another class; attributes that both classes have stay.
[[nodiscard]] Result<ModelGraph> replaceClass(const ModelGraph& graph, LayerId layer,
                                              const std::string& className);

/// Feeds `slot` with `source`: replaces what fed it, or adds an input when `slot.input` is one past the last.
[[nodiscard]] Result<ModelGraph> connect(const ModelGraph& graph, TensorRef source, InputSlot slot);
[[nodiscard]] Result<ModelGraph> disconnect(const ModelGraph& graph, InputSlot slot);
/// Splices a new layer into the edge that ends at `slot`.
[[nodiscard]] Result<ModelGraph> insertOnEdge(const ModelGraph& graph, InputSlot slot, const NewLayer& layer);
/// Chooses the model's outputs.
[[nodiscard]] Result<ModelGraph> setOutputs(const ModelGraph& graph, const std::vector<TensorRef>& outputs);
/// The first output of each call that an input leads to and that nobody reads: what a drawing gives.
[[nodiscard]] std::vector<TensorRef> unreadTensors(const ModelGraph& graph);

enum class IncomingEdges : bool { Drop, Keep };
/// Copies layers, with the edges among them, under new names. Every call of a copied layer is copied.
[[nodiscard]] Result<ModelGraph> duplicateLayers(const ModelGraph& graph, const std::vector<LayerId>& layers,
                                                 IncomingEdges incoming);

/// Makes one nested model of layers (with all their calls). They must not enclose a layer outside: then the
/// nested model would depend on itself.
[[nodiscard]] Result<ModelGraph> nestLayers(const ModelGraph& graph, const std::vector<LayerId>& layers,
                                            const std::string& name);
/// Puts the layers of a nested model in its place; where the model is called several times its layers are.
[[nodiscard]] Result<ModelGraph> expandModel(const ModelGraph& graph, LayerId layer);
/// Puts copies of a piece with one input and one output behind it until it is `times` times in a row.
[[nodiscard]] Result<ModelGraph> repeatLayers(const ModelGraph& graph, const std::vector<LayerId>& layers,
                                              std::size_t times);

/// The same model as a Functional one.
[[nodiscard]] ModelGraph toFunctional(ModelGraph graph);

/// For every assignable call of `after` (nested models opened, post-order) the place of the same call (layer
/// path and call number) among those of `before`; nothing where it is new. Carries stages over an edit. Empty
/// when either model is not sound.
[[nodiscard]] std::vector<std::optional<std::size_t>> matchAssignable(const ModelGraph& before,
                                                                      const ModelGraph& after);

} // namespace core
