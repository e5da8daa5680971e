#pragma once

#include "core/base/json.h"
#include "core/interchange/keras/hdf5_weights.h"
#include "core/interchange/onnx/known_values.h"
#include "core/interchange/onnx/onnx_weights.h"
#include "core/model/onnx/onnx_layer.h"
#include "core/model/onnx/onnx_operator.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

struct OnnxImportOptions {
    /// Collect the values of weights, not only their shapes.
    bool keepsValues = false;
    /// Leave the batch axis open; else the extents of the file's inputs are taken as they are.
    bool opensBatch = true;
};

/// A graph on its way to layers: what the names of tensors stand for, and the layers so far. Makers (see
/// `OnnxMaker`) read nodes through it and add layers of Keras; a node without a maker, or whose layer refuses
/// its inputs, becomes an `OnnxNode` layer. Nodes that compute with constants alone leave no layer unless
/// something needs them as a tensor.
class OnnxImport {
public:
    OnnxImport(const OnnxModel& model, OnnxImportOptions options);

    /// Walks over the nodes; answers the model as Keras JSON.
    [[nodiscard]] Json document();
    [[nodiscard]] std::vector<StoredWeight> takeWeights() { return std::move(m_weights); }
    /// Layers whose shapes cannot be worked out.
    [[nodiscard]] std::size_t refusals() const { return m_refusals; }

    // What makers ask.

    [[nodiscard]] std::int64_t opset() const { return m_model.opset; }
    [[nodiscard]] bool keepsValues() const { return m_options.keepsValues; }
    [[nodiscard]] bool isTensor(const OnnxNode& node, std::size_t position) const;
    /// {layer, node, output} of an input that is a tensor.
    [[nodiscard]] const Json& tensor(const OnnxNode& node, std::size_t position = 0) const;
    /// −1 where it is not known.
    [[nodiscard]] std::int64_t rank(const OnnxNode& node, std::size_t position = 0) const;
    /// The input is a tensor of real numbers, or of unknown ones.
    [[nodiscard]] bool isReal(const OnnxNode& node, std::size_t position) const;
    /// An input that is the same in every run; null for others.
    [[nodiscard]] const OnnxTensor* constant(const OnnxNode& node, std::size_t position);
    /// A constant that the graph itself writes: training leaves it alone.
    [[nodiscard]] bool isLiteral(const OnnxNode& node, std::size_t position) const;
    /// The numbers of a short constant input, or of an attribute where the node has no such input.
    [[nodiscard]] std::optional<std::vector<std::int64_t>>
    integers(const OnnxNode& node, const char* attribute, std::size_t position);
    /// The same where numbers may depend on the batch; null where they are not known.
    [[nodiscard]] const KnownValue* known(const OnnxNode& node, std::size_t position);
    /// Every element is 0, or the input is left out.
    [[nodiscard]] bool isZero(const OnnxNode& node, std::size_t position);
    /// How many nodes and outputs of the graph read it.
    [[nodiscard]] int uses(const std::string& name) const;

    // What makers add.

    /// A layer called on tensors; answers its first output. Tensors among the keywords are called on as well.
    Json add(const std::string& name, std::string_view className, Json config,
             const std::vector<Json>& tensors, Json keywords = Json::object());
    /// A TensorFlow function.
    Json function(const OnnxNode& node, const std::string& name, const Json& tensor, Json keywords);
    /// An initializer as a tensor that training changes, named after it; it is placed next to `beside`, which
    /// it does not read.
    Json variable(const OnnxNode& node, std::size_t position, const Json& beside);
    /// The value of a layer's weight, arranged as Keras does by `make`.
    template <class Make>
    void keep(const Json& layer, std::string_view weight, Make make) {
        if (m_options.keepsValues)
            store(layer, weight, make());
    }
    void keep(const Json& layer, std::string_view weight, const OnnxTensor& value) {
        keep(layer, weight, [&] { return OnnxWeight(value); });
    }
    /// The configuration of the layer that was added last, where `tensor` is its output; else null.
    [[nodiscard]] Json* lastLayer(const Json& tensor);
    /// Output `output` of the node is this tensor.
    bool bind(const OnnxNode& node, Json tensor, std::size_t output = 0);
    /// Output 0 of the node is its input 0.
    bool alias(const OnnxNode& node);

private:
    /// What the name of a tensor stands for.
    struct Entry {
        enum class Kind : std::uint8_t { Unknown, Tensor, Constant, Static };
        Kind kind = Kind::Unknown;
        Json tensor;
        const OnnxTensor* constant = nullptr;
        bool isLiteral = false;
        /// Static: the node that computes it from constants and shapes.
        const OnnxNode* writer = nullptr;
    };
    /// Where everything stood before a node, for taking back what became of it.
    struct Mark {
        std::size_t layers = 0;
        std::size_t weights = 0;
        std::size_t names = 0;
        std::size_t refusals = 0;
    };

    [[nodiscard]] const Entry& entry(const std::string& name) const;
    [[nodiscard]] const Entry& input(const OnnxNode& node, std::size_t position) const;
    [[nodiscard]] std::optional<Shape> shapeOf(const std::string& name) const;
    [[nodiscard]] const TensorSpec* specOf(const Json& tensor) const;
    std::string fresh(const std::string& wanted);
    void addInput(const OnnxValue& value);
    void addNode(const OnnxNode& node);
    bool addStatic(const OnnxNode& node);
    bool addTwin(const OnnxNode& node);
    void addOperator(const OnnxNode& node);
    [[nodiscard]] OnnxOperand operandOf(const OnnxNode& node, std::size_t position, const OnnxOperator* row,
                                        std::vector<Json>& tensors);
    [[nodiscard]] OnnxOperand constantOperand(const OnnxTensor& value, bool isTrained) const;
    /// A tensor for whatever the name stands for; nothing for an unknown one.
    [[nodiscard]] std::optional<Json> materialized(const std::string& name);
    void describe(const std::string& layer, std::string_view className, const Json& config,
                  const std::vector<Json>& tensors, const Json& keywords);
    void store(const Json& layer, std::string_view weight, OnnxWeight value);
    [[nodiscard]] const OnnxTensor* folded(const std::string& name, const KnownValue& value);
    [[nodiscard]] Mark mark() const;
    void takeBack(const Mark& mark);

    const OnnxModel& m_model;
    const OnnxGraph& m_graph;
    OnnxImportOptions m_options;
    KnownValues m_known;
    std::vector<StoredWeight> m_weights;
    /// Constants that were worked out; entries point at them.
    std::deque<OnnxTensor> m_folded;
    std::map<std::string, const OnnxTensor*> m_foldedNames;
    std::map<std::string, Entry> m_entries;
    std::map<std::string, int> m_uses;
    std::set<std::string> m_names;
    std::vector<std::string> m_namesInOrder;
    /// Outputs of the layers so far; empty where they are not known.
    std::map<std::string, std::vector<TensorSpec>> m_outputs;
    Json m_layers = Json::array();
    Json m_inputs = Json::array();
    std::size_t m_refusals = 0;
    /// Nodes that wait for what they read.
    int m_depth = 0;
};

/// Makes layers of Keras for a node; false where Keras has none that computes the same.
using OnnxMaker = bool (*)(OnnxImport& onnx, const OnnxNode& node);
struct OnnxMakerRow {
    std::string_view operation;
    OnnxMaker make;
};

// Families, one file each. An operator: its maker and row in a family; a family: its line here and in the
// list of onnx_import.cpp.
[[nodiscard]] std::span<const OnnxMakerRow> convolutionMakers(); // convolution_makers.cpp
[[nodiscard]] std::span<const OnnxMakerRow> productMakers();     // product_makers.cpp
[[nodiscard]] std::span<const OnnxMakerRow> normalMakers();      // normalization_makers.cpp
[[nodiscard]] std::span<const OnnxMakerRow> activationMakers();  // activation_makers.cpp
[[nodiscard]] std::span<const OnnxMakerRow> arithmeticMakers();  // arithmetic_makers.cpp
[[nodiscard]] std::span<const OnnxMakerRow> movementMakers();    // movement_makers.cpp
[[nodiscard]] std::span<const OnnxMakerRow> recurrentMakers();   // recurrent_makers.cpp

/// Name of the layer that a node becomes.
[[nodiscard]] std::string onnxLabel(const OnnxNode& node);
/// Longer constants are not written into a project.
inline constexpr std::int64_t longestConstant = 4096;

} // namespace core
