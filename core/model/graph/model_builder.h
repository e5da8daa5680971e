#pragma once

#include "core/model/data_type.h"
#include "core/model/model_graph.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Builds a Functional model call by call, as one writes it with Keras' functional API. Classes must be known
/// to the catalogue; an empty name gets the one Keras would give.
class ModelBuilder {
public:
    explicit ModelBuilder(std::string name);

    /// A new InputLayer; `shape` without the batch axis.
    TensorRef input(std::string_view name, const std::vector<Dimension>& shape,
                    DataType type = DataType::Float32);
    /// A new layer and its first call; its first output. `attributes` as in Keras' config.
    TensorRef call(std::string_view className, std::string_view name, const Json& attributes,
                   const std::vector<TensorRef>& inputs, const Json& arguments = Json::object());
    /// A further call of a layer.
    TensorRef callAgain(std::string_view name, const std::vector<TensorRef>& inputs,
                        const Json& arguments = Json::object());
    /// A call of a nested model, made a layer at its first call; its first output.
    TensorRef callModel(std::string_view name, std::shared_ptr<const ModelGraph> model,
                        const std::vector<TensorRef>& inputs);

    /// The model with these outputs and the inputs in order of their making. Its invocations are layer by
    /// layer, so where layers are called again the references handed out before do not hold any more.
    [[nodiscard]] ModelGraph build(std::vector<TensorRef> outputs) &&;

    /// As built so far, without outputs.
    [[nodiscard]] const ModelGraph& draft() const { return m_graph; }

private:
    TensorRef invoke(LayerId layer, const std::vector<TensorRef>& inputs, const Json& arguments);

    ModelGraph m_graph;
};

/// A layer of `sequentialModel`.
struct SequentialEntry {
    std::string className;
    std::string name;
    Json attributes = Json::object();
};

/// A Sequential model of `entries` behind an InputLayer; `shape` without the batch axis.
[[nodiscard]] ModelGraph sequentialModel(std::string name, const std::vector<Dimension>& shape,
                                         const std::vector<SequentialEntry>& entries);

/// Brings the invocations into the order in which files list them (layer by layer, calls of a layer in their
/// order) and answers the new id of each old one.
std::vector<InvocationId> orderByLayer(ModelGraph& graph);

/// Makes the ids of layers, invocations and references equal positions again after `graph.invocations` lost
/// the ones marked, and counts calls anew. References to lost calls must be gone; layers without a call go
/// too.
void removeInvocations(ModelGraph& graph, const std::vector<bool>& isLost);

} // namespace core
