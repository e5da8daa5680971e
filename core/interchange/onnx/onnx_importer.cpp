#include "core/interchange/onnx/onnx_importer.h"

#include "core/interchange/keras/keras_json.h"
#include "core/interchange/onnx/onnx_file.h"
#include "core/interchange/onnx/onnx_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <set>

namespace core {

namespace {

/// Longer constants are not written into a project.
constexpr std::int64_t longestConstant = 4096;

/// What the name of a tensor stands for.
struct Entry {
    enum class Kind : std::uint8_t { Unknown, Tensor, Constant, Static };
    Kind kind = Kind::Unknown;
    /// Of a tensor: {layer, node, output}.
    Json history;
    const OnnxTensor* constant = nullptr;
    /// Static: extents worked out from shapes; 0 stands for the first extent of the tensor they came from, −1
    /// for one that is not known. Empty: nothing is known.
    std::vector<std::int64_t> extents;
    std::int64_t rank = -1;
    /// Static: every element is 0.
    bool isZero = false;
    /// Constant: written into the graph, so that training leaves it alone.
    bool isLiteral = false;
};

Json numbersJson(const OnnxTensor& tensor) {
    const std::vector<double> numbers = numbersOf(tensor);
    std::size_t next = 0;
    const bool isWhole = tensor.type != OnnxType::Float && tensor.type != OnnxType::Double &&
                         tensor.type != OnnxType::Float16 && tensor.type != OnnxType::BFloat16;
    const auto build = [&](const auto& self, std::size_t axis) -> Json {
        if (axis == tensor.extents.size()) {
            const double number = next < numbers.size() ? numbers[next++] : 0;
            return isWhole ? Json(static_cast<std::int64_t>(number)) : Json(number);
        }
        Json list = Json::array();
        for (std::int64_t i = 0; i < tensor.extents[axis]; ++i)
            list.push_back(self(self, axis + 1));
        return list;
    };
    return build(build, 0);
}

class Importer {
public:
    Importer(const OnnxModel& model, bool keepsValues)
        : m_model(model)
        , m_graph(model.graph)
        , m_keepsValues(keepsValues) {}

    std::vector<StoredWeight> takeWeights() { return std::move(m_weights); }

    Json document() {
        for (const OnnxTensor& tensor : m_graph.initializers)
            m_entries[tensor.name] = constantEntry(tensor);
        for (const OnnxValue* value : m_graph.fedInputs())
            addInput(*value);
        for (const OnnxNode& node : m_graph.nodes) {
            for (const std::string& input : node.inputs)
                ++m_uses[input];
        }
        for (const OnnxNode& node : m_graph.nodes)
            addNode(node);
        Json outputs = Json::array();
        for (const OnnxValue& value : m_graph.outputs) {
            if (isTensor(value.name))
                outputs.push_back(m_entries[value.name].history);
        }
        return {{"class_name", "Functional"},
                {"config",
                 {{"name", m_graph.name.empty() ? "onnx" : m_graph.name},
                  {"layers", std::move(m_layers)},
                  {"input_layers", std::move(m_inputs)},
                  {"output_layers", std::move(outputs)}}}};
    }

private:
    using Method = bool (Importer::*)(const OnnxNode&);

    static Entry constantEntry(const OnnxTensor& tensor) {
        Entry entry;
        entry.kind = Entry::Kind::Constant;
        entry.constant = &tensor;
        entry.rank = static_cast<std::int64_t>(tensor.extents.size());
        return entry;
    }

    const Entry& entry(const std::string& name) {
        static const Entry unknown;
        const auto found = m_entries.find(name);
        return found == m_entries.end() ? unknown : found->second;
    }
    const Entry& input(const OnnxNode& node, std::size_t position) {
        static const Entry unknown;
        return node.hasInput(position) ? entry(node.inputs[position]) : unknown;
    }
    bool isTensor(const std::string& name) { return entry(name).kind == Entry::Kind::Tensor; }
    bool isTensor(const OnnxNode& node, std::size_t position) {
        return input(node, position).kind == Entry::Kind::Tensor;
    }
    const OnnxTensor* constant(const OnnxNode& node, std::size_t position) {
        const Entry& found = input(node, position);
        return found.kind == Entry::Kind::Constant ? found.constant : nullptr;
    }
    /// The numbers of a short constant input, or of an attribute.
    std::optional<std::vector<std::int64_t>> integers(const OnnxNode& node, const char* attribute,
                                                      std::size_t position) {
        if (!node.hasInput(position))
            return node.integers(attribute);
        const OnnxTensor* tensor = constant(node, position);
        if (tensor == nullptr || tensor->elements() > longestConstant)
            return std::nullopt;
        std::vector<std::int64_t> list;
        for (const double number : numbersOf(*tensor))
            list.push_back(static_cast<std::int64_t>(std::clamp(number, -9e15, 9e15)));
        return list;
    }

    std::string fresh(const std::string& wanted) {
        std::string name;
        for (const char c : wanted)
            name += c == '/' || c == ':' ? '_' : c;
        while (name.starts_with('_') && name.size() > 1)
            name.erase(0, 1);
        std::string unique = name;
        for (int i = 1; !m_names.insert(unique).second; ++i)
            unique = fmt::format("{}_{}", name, i);
        return unique;
    }

    // ---- layers -----------------------------------------------------------------------------------------

    void addInput(const OnnxValue& value) {
        Json shape = Json::array();
        if (value.shape) {
            for (const Dimension& extent : value.shape->dimensions)
                shape.push_back(extent ? Json(*extent) : Json());
        }
        if (shape.empty())
            shape.push_back(nullptr);
        const bool isReal = value.type == OnnxType::Float || value.type == OnnxType::Double ||
                            value.type == OnnxType::Float16 || value.type == OnnxType::Undefined;
        Entry made;
        made.kind = Entry::Kind::Tensor;
        made.rank = static_cast<std::int64_t>(shape.size());
        const std::string name = fresh(value.name);
        m_layers.push_back({{"class_name", "InputLayer"},
                            {"config",
                             {{"batch_input_shape", std::move(shape)},
                              {"dtype", isReal                         ? "float32"
                                        : value.type == OnnxType::Bool ? "bool"
                                                                       : "int32"},
                              {"name", name}}},
                            {"name", name},
                            {"inbound_nodes", Json::array()}});
        made.history = {name, 0, 0};
        m_inputs.push_back(made.history);
        m_entries[value.name] = std::move(made);
    }

    /// A layer called on tensors; answers its first output.
    Json add(const std::string& name, const char* className, Json config, const std::vector<Json>& tensors,
             Json keywords = Json::object()) {
        const std::string unique = fresh(name);
        Json whole{{"name", unique}};
        whole.update(config);
        Json node = Json::array();
        for (const Json& tensor : tensors) {
            Json entry = tensor;
            entry.push_back(keywords);
            node.push_back(std::move(entry));
        }
        m_layers.push_back({{"class_name", className},
                            {"config", std::move(whole)},
                            {"name", unique},
                            {"inbound_nodes", Json::array({std::move(node)})}});
        return {unique, 0, 0};
    }
    /// The value of a layer's weight; `make` arranges it as Keras does.
    template <class Make>
    void keep(const Json& layer, const char* weight, Make make) {
        if (!m_keepsValues)
            return;
        OnnxWeight value = make();
        const auto name = layer.at(0).get<std::string>();
        m_weights.push_back({name, name + "/" + weight, std::move(value.extents), std::move(value.values)});
    }
    void keep(const Json& layer, const char* weight, const OnnxTensor& value) {
        keep(layer, weight, [&] { return OnnxWeight(value); });
    }
    /// An initializer as a tensor that training changes; it stands next to `beside`, which it does not read.
    Json variable(const std::string& name, const OnnxTensor& tensor, const Json& beside) {
        Json made = add(name, "Variable", {{"shape", tensor.extents}, {"trainable", !entry(name).isLiteral}},
                        {beside});
        keep(made, "value", tensor);
        return made;
    }
    static bool isFloating(const OnnxTensor& tensor) {
        return tensor.type == OnnxType::Float || tensor.type == OnnxType::Double ||
               tensor.type == OnnxType::Float16 || tensor.type == OnnxType::BFloat16;
    }
    Json function(const OnnxNode& node, const char* name, const Json& tensor, Json keywords) {
        return add(labelOf(node), "TFOpLambda",
                   {{"trainable", true}, {"dtype", "float32"}, {"function", name}}, {tensor},
                   std::move(keywords));
    }
    static std::string labelOf(const OnnxNode& node) {
        return node.name.empty() ? node.operation : node.name;
    }
    bool bind(const OnnxNode& node, Json history, std::int64_t rank = -1, std::size_t output = 0) {
        if (!node.hasOutput(output))
            return true;
        Entry made;
        made.kind = Entry::Kind::Tensor;
        made.history = std::move(history);
        made.rank = rank >= 0 ? rank : input(node, 0).rank;
        m_entries[node.outputs[output]] = std::move(made);
        return true;
    }

    void addNode(const OnnxNode& node) {
        if (addStatic(node))
            return;
        const auto row = node.domain.empty() ? methods().find(node.operation) : methods().end();
        if (row != methods().end() && (this->*row->second)(node))
            return;
        addOpaque(node);
    }

    /// Operations on shapes and constants leave no layer.
    bool addStatic(const OnnxNode& node) {
        if (node.outputs.empty())
            return true;
        Entry made;
        made.kind = Entry::Kind::Static;
        if (node.operation == "Constant") {
            const OnnxAttribute* value = node.attribute("value");
            if (value != nullptr && value->tensor)
                made = constantEntry(*value->tensor);
            made.isLiteral = true;
        } else if (node.operation == "Shape" && isTensor(node, 0)) {
            const std::int64_t rank = input(node, 0).rank;
            made.extents.assign(static_cast<std::size_t>(std::max<std::int64_t>(rank, 0)), -1);
            if (!made.extents.empty())
                made.extents[0] = 0;
        } else {
            bool isStatic = !node.inputs.empty();
            for (const std::string& name : node.inputs)
                isStatic = isStatic && (name.empty() || entry(name).kind == Entry::Kind::Static ||
                                        entry(name).kind == Entry::Kind::Constant);
            if (!isStatic)
                return false;
            if (node.operation == "Identity") { // a weight under another name
                m_entries[node.outputs[0]] = input(node, 0);
                return true;
            }
            if (fold(node))
                return true;
            made.extents = staticExtents(node);
            made.isZero = isZero(node);
        }
        for (const std::string& output : node.outputs)
            m_entries[output] = made;
        return true;
    }

    /// A weight that is only laid out differently is a weight still.
    bool fold(const OnnxNode& node) {
        const OnnxTensor* tensor = constant(node, 0);
        if (tensor == nullptr || !isFloating(*tensor) || tensor->isExternal || tensor->extents.size() < 2)
            return false;
        std::vector<std::size_t> order;
        if (node.operation == "Transpose") {
            for (const std::int64_t axis : node.integers("perm"))
                order.push_back(static_cast<std::size_t>(axis));
            for (std::size_t axis = tensor->extents.size(); order.size() < tensor->extents.size();)
                order.push_back(--axis);
            if (order.size() != tensor->extents.size())
                return false;
            std::vector<std::size_t> sorted = order;
            std::ranges::sort(sorted);
            for (std::size_t axis = 0; axis < sorted.size(); ++axis) {
                if (sorted[axis] != axis)
                    return false;
            }
        } else {
            return false;
        }
        const OnnxWeight weight = OnnxWeight(*tensor).transposed(order);
        OnnxTensor folded;
        folded.name = node.outputs[0];
        folded.type = OnnxType::Float;
        folded.extents = weight.extents;
        folded.data.assign(reinterpret_cast<const char*>(weight.values.data()),
                           weight.values.size() * sizeof(float));
        m_folded.push_back(std::move(folded));
        m_entries[node.outputs[0]] = constantEntry(m_folded.back());
        return true;
    }

    bool isZero(const OnnxNode& node) {
        const auto isZeroEntry = [](const Entry& from) {
            return from.isZero || (from.constant != nullptr && from.constant->elements() <= longestConstant &&
                                   std::ranges::all_of(numbersOf(*from.constant),
                                                       [](double number) { return number == 0; }));
        };
        if (node.operation == "ConstantOfShape") {
            const OnnxAttribute* value = node.attribute("value");
            if (value == nullptr || !value->tensor)
                return true;
            const std::vector<double> numbers = numbersOf(*value->tensor);
            return numbers.empty() || numbers.front() == 0;
        }
        if (node.operation == "Concat")
            return std::ranges::all_of(node.inputs,
                                       [&](const std::string& name) { return isZeroEntry(entry(name)); });
        static const std::set<std::string, std::less<>> movements{
            "Expand", "Tile", "Slice", "Reshape", "Transpose", "Unsqueeze", "Squeeze", "Cast", "Identity"};
        return movements.contains(node.operation) && isZeroEntry(input(node, 0));
    }

    std::vector<std::int64_t> listOf(const Entry& from) {
        if (from.kind == Entry::Kind::Static)
            return from.extents;
        std::vector<std::int64_t> list;
        if (from.constant != nullptr && from.constant->elements() <= longestConstant) {
            for (const double number : numbersOf(*from.constant))
                list.push_back(static_cast<std::int64_t>(std::clamp(number, -9e15, 9e15)));
        }
        return list;
    }
    std::vector<std::int64_t> staticExtents(const OnnxNode& node) {
        if (node.operation == "Concat") {
            std::vector<std::int64_t> joined;
            for (const std::string& name : node.inputs) {
                const std::vector<std::int64_t> part = listOf(entry(name));
                joined.insert(joined.end(), part.begin(), part.end());
            }
            return joined;
        }
        const std::vector<std::int64_t> first = listOf(input(node, 0));
        if (node.operation == "Gather") {
            std::vector<std::int64_t> picked;
            for (const std::int64_t index : listOf(input(node, 1))) {
                const auto count = static_cast<std::int64_t>(first.size());
                const std::int64_t place = index < 0 ? index + count : index;
                picked.push_back(place >= 0 && place < count ? first[static_cast<std::size_t>(place)] : -1);
            }
            return picked;
        }
        for (const char* same : {"Unsqueeze", "Squeeze", "Cast", "Identity"}) {
            if (node.operation == same)
                return first;
        }
        return {};
    }

    void addOpaque(const OnnxNode& node) {
        Json config = Json::object();
        for (const auto& [name, value] : node.attributes) {
            if (value.kind == OnnxAttribute::Kind::Integer)
                config[name] = value.integer;
            else if (value.kind == OnnxAttribute::Kind::Number)
                config[name] = value.number;
            else if (value.kind == OnnxAttribute::Kind::Text)
                config[name] = value.text;
            else if (value.kind == OnnxAttribute::Kind::Integers)
                config[name] = value.integers;
        }
        std::vector<Json> tensors;
        for (const std::string& name : node.inputs) {
            if (isTensor(name))
                tensors.push_back(entry(name).history);
        }
        if (tensors.empty())
            return;
        const std::string className = "Onnx" + node.operation;
        const Json made = add(labelOf(node), className.c_str(), std::move(config), tensors);
        for (std::size_t i = 0; i < node.outputs.size(); ++i)
            bind(node, made, -1, i);
    }

    // ---- convolutions and pools -------------------------------------------------------------------------

    /// The tensor padded where the node asks for it; `same` when Keras' own padding does.
    bool padded(const OnnxNode& node, std::size_t size, double value, Json& tensor, std::string& mode) {
        const std::string automatic = node.text("auto_pad", "NOTSET");
        mode = automatic == "SAME_UPPER" ? "same" : "valid";
        if (automatic == "SAME_LOWER")
            return false;
        const std::vector<std::int64_t> pads = node.integers("pads");
        const bool pads0 = std::ranges::all_of(pads, [](std::int64_t pad) { return pad == 0; });
        if (automatic != "NOTSET" || pads0)
            return true;
        if (pads.size() != 2 * size)
            return false;
        Json amounts = Json::array({Json::array({0, 0}), Json::array({0, 0})});
        for (std::size_t i = 0; i < size; ++i)
            amounts.push_back(Json::array({pads[i], pads[size + i]}));
        tensor = add(labelOf(node) + "_pad", "TFOpLambda",
                     {{"trainable", true}, {"dtype", "float32"}, {"function", "pad"}}, {tensor},
                     {{"paddings", std::move(amounts)}, {"constant_values", value}});
        return true;
    }

    static Json orOnes(std::vector<std::int64_t> list, std::size_t size) {
        if (list.size() != size)
            list.assign(size, 1);
        return list;
    }

    bool convolution(const OnnxNode& node) {
        const OnnxTensor* weights = constant(node, 1);
        if (weights == nullptr || weights->extents.size() < 3 || weights->extents.size() > 5 ||
            !isTensor(node, 0))
            return false;
        const std::size_t size = weights->extents.size() - 2;
        const bool isTransposed = node.operation == "ConvTranspose";
        const std::int64_t groups = node.integer("group", 1);
        const bool hasShape =
            !node.integers("output_shape").empty() || !node.integers("output_padding").empty();
        const std::vector<std::int64_t> pads = node.integers("pads");
        const OnnxTensor* bias = constant(node, 2);
        if ((isTransposed && (groups != 1 || hasShape ||
                              std::ranges::any_of(pads, [](std::int64_t pad) { return pad != 0; }))) ||
            (node.hasInput(2) && bias == nullptr))
            return false;
        Json tensor = input(node, 0).history;
        std::string mode;
        if (!padded(node, size, 0.0, tensor, mode))
            return false;
        Json config{
            {"filters", weights->extents[isTransposed ? 1 : 0]},
            {"kernel_size", std::vector<std::int64_t>(weights->extents.begin() + 2, weights->extents.end())},
            {"strides", orOnes(node.integers("strides"), size)},
            {"padding", mode},
            {"data_format", "channels_first"},
            {"dilation_rate", orOnes(node.integers("dilations"), size)},
            {"use_bias", node.hasInput(2)}};
        if (!isTransposed)
            config["groups"] = groups;
        const std::string className = fmt::format("Conv{}D{}", size, isTransposed ? "Transpose" : "");
        const Json made = add(labelOf(node), className.c_str(), std::move(config), {tensor});
        keep(made, "kernel", [&] { return convolutionKernel(*weights); });
        if (bias != nullptr)
            keep(made, "bias", *bias);
        return bind(node, made, static_cast<std::int64_t>(size) + 2);
    }

    bool pool(const OnnxNode& node) {
        const std::vector<std::int64_t> kernel = node.integers("kernel_shape");
        const bool isMaximum = node.operation == "MaxPool";
        const std::vector<std::int64_t> dilations = node.integers("dilations");
        const bool isDilated =
            std::ranges::any_of(dilations, [](std::int64_t dilation) { return dilation != 1; });
        if (!isTensor(node, 0) || kernel.empty() || kernel.size() > 3 || isDilated || node.hasOutput(1) ||
            node.integer("ceil_mode", 0) != 0)
            return false;
        const std::vector<std::int64_t> pads = node.integers("pads");
        const bool hasPads = std::ranges::any_of(pads, [](std::int64_t pad) { return pad != 0; });
        if (!isMaximum && hasPads && node.integer("count_include_pad", 0) == 0)
            return false;
        Json tensor = input(node, 0).history;
        std::string mode;
        constexpr double lowest = -3.4e38;
        if (!padded(node, kernel.size(), isMaximum ? lowest : 0.0, tensor, mode))
            return false;
        const std::string className =
            fmt::format("{}Pooling{}D", isMaximum ? "Max" : "Average", kernel.size());
        return bind(node, add(labelOf(node), className.c_str(),
                              {{"pool_size", kernel},
                               {"strides", orOnes(node.integers("strides"), kernel.size())},
                               {"padding", mode},
                               {"data_format", "channels_first"}},
                              {tensor}));
    }

    bool globalPool(const OnnxNode& node) {
        const std::int64_t rank = input(node, 0).rank;
        if (!isTensor(node, 0) || rank < 3 || rank > 5)
            return false;
        const std::string className = fmt::format(
            "Global{}Pooling{}D", node.operation == "GlobalMaxPool" ? "Max" : "Average", rank - 2);
        return bind(node,
                    add(labelOf(node), className.c_str(),
                        {{"data_format", "channels_first"}, {"keepdims", true}}, {input(node, 0).history}));
    }

    // ---- products, norms, activations -------------------------------------------------------------------

    bool dense(const OnnxNode& node) {
        const OnnxTensor* weights = constant(node, 1);
        const bool isGemm = node.operation == "Gemm";
        if (!isTensor(node, 0))
            return false;
        if (weights == nullptr || weights->extents.size() != 2) {
            const bool isWeight = weights != nullptr && isFloating(*weights) && weights->extents.size() > 2;
            if (isGemm || (!isTensor(node, 1) && !isWeight))
                return false;
            const Json& first = input(node, 0).history;
            Json other = isWeight ? variable(node.inputs[1], *weights, first) : input(node, 1).history;
            return bind(node, function(node, "linalg.matmul", first, {{"b", std::move(other)}}),
                        std::max(input(node, 0).rank, input(node, 1).rank));
        }
        const OnnxTensor* bias = constant(node, 2);
        const bool hasBias = isGemm && node.hasInput(2);
        if (isGemm && (node.integer("transA", 0) != 0 || (hasBias && bias == nullptr)))
            return false;
        const bool isTransposed = isGemm && node.integer("transB", 0) != 0;
        const std::int64_t units = weights->extents[isTransposed ? 0 : 1];
        if (hasBias && bias->elements() != units && bias->elements() != 1)
            return false;
        const Json made =
            add(labelOf(node), "Dense", {{"units", units}, {"activation", "linear"}, {"use_bias", hasBias}},
                {input(node, 0).history});
        keep(made, "kernel", [&] {
            constexpr std::array<std::size_t, 2> swapped{1, 0};
            const OnnxWeight kernel =
                isTransposed ? OnnxWeight(*weights).transposed(swapped) : OnnxWeight(*weights);
            return kernel.scaled(isGemm ? node.number("alpha", 1) : 1);
        });
        if (hasBias)
            keep(made, "bias", [&] {
                OnnxWeight vector = OnnxWeight(*bias).scaled(node.number("beta", 1)).reshaped({units});
                if (vector.values.size() == 1)
                    vector.values.assign(static_cast<std::size_t>(units), vector.values.front());
                return vector;
            });
        return bind(node, made);
    }

    bool batchNormalization(const OnnxNode& node) {
        if (!isTensor(node, 0) || node.integer("training_mode", 0) != 0)
            return false;
        constexpr std::array names{"gamma", "beta", "moving_mean", "moving_variance"};
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (constant(node, i + 1) == nullptr)
                return false;
        }
        const Json made = add(labelOf(node), "BatchNormalization",
                              {{"axis", 1},
                               {"momentum", node.number("momentum", 0.9)},
                               {"epsilon", node.number("epsilon", 1e-5)}},
                              {input(node, 0).history});
        for (std::size_t i = 0; i < names.size(); ++i)
            keep(made, names[i], *constant(node, i + 1));
        return bind(node, made);
    }

    /// Scale and shift of a normalization: inputs 1 and 2.
    bool bindScaled(const OnnxNode& node, const char* className, Json config) {
        const OnnxTensor* shift = constant(node, 2);
        config["epsilon"] = node.number("epsilon", 1e-5);
        config["center"] = shift != nullptr;
        const Json made = add(labelOf(node), className, std::move(config), {input(node, 0).history});
        keep(made, "gamma", *constant(node, 1));
        if (shift != nullptr)
            keep(made, "beta", *shift);
        return bind(node, made);
    }

    bool layerNormalization(const OnnxNode& node) {
        const OnnxTensor* scale = constant(node, 1);
        const std::int64_t axis = node.integer("axis", -1);
        const std::int64_t rank = input(node, 0).rank;
        if (!isTensor(node, 0) || scale == nullptr || node.hasOutput(1) ||
            (node.hasInput(2) && constant(node, 2) == nullptr))
            return false;
        // The scale has the extents of the normalized axes.
        const auto count = static_cast<std::int64_t>(scale->extents.size());
        if (axis < 0 ? count != -axis : (rank >= 0 && count != rank - axis))
            return false;
        Json axes = Json::array();
        for (std::size_t i = scale->extents.size(); i > 0; --i)
            axes.push_back(-static_cast<std::int64_t>(i));
        return bindScaled(node, "LayerNormalization", {{"axis", axes}});
    }

    bool channelNormalization(const OnnxNode& node) {
        const OnnxTensor* scale = constant(node, 1);
        if (!isTensor(node, 0) || scale == nullptr || constant(node, 2) == nullptr)
            return false;
        if (node.operation == "InstanceNormalization")
            return bindScaled(node, "InstanceNormalization", {{"channels_axis", 1}});
        // Before operator set 21 the scale was one of each group, which Keras has no weight for.
        if (m_model.opset < 21 && scale->elements() != 1)
            return false;
        return bindScaled(node, "GroupNormalization",
                          {{"groups", node.integer("num_groups", 1)},
                           {"channels_axis", 1},
                           {"strided_channel_grouping", false}});
    }

    /// PyTorch and Keras give one slope per channel, or one for all.
    bool parametricRelu(const OnnxNode& node) {
        const OnnxTensor* slope = constant(node, 1);
        const std::int64_t rank = input(node, 0).rank;
        if (!isTensor(node, 0) || slope == nullptr || rank < 2 || slope->extents.empty() ||
            static_cast<std::int64_t>(slope->extents.size()) > rank)
            return false;
        std::vector<std::int64_t> extents = slope->extents;
        if (static_cast<std::int64_t>(extents.size()) == rank) {
            if (extents.front() != 1)
                return false;
            extents.erase(extents.begin());
        }
        extents.insert(extents.begin(), static_cast<std::size_t>(rank - 1) - extents.size(), 1);
        Json shared = Json::array();
        for (std::size_t i = 0; i < extents.size(); ++i) {
            if (extents[i] == 1)
                shared.push_back(i + 1);
        }
        const Json made =
            add(labelOf(node), "PReLU", {{"shared_axes", std::move(shared)}}, {input(node, 0).history});
        keep(made, "alpha", [&] { return OnnxWeight(*slope).reshaped(extents); });
        return bind(node, made);
    }

    bool activation(const OnnxNode& node) {
        static const std::map<std::string, const char*, std::less<>> names{
            {"Relu", "relu"},         {"Sigmoid", "sigmoid"},         {"Tanh", "tanh"},
            {"Softplus", "softplus"}, {"Softsign", "softsign"},       {"Gelu", "gelu"},
            {"Mish", "mish"},         {"HardSwish", "hard_swish"},    {"Selu", "selu"},
            {"Exp", "exponential"},   {"HardSigmoid", "hard_sigmoid"}};
        if (!isTensor(node, 0))
            return false;
        const Json& x = input(node, 0).history;
        std::string name = names.at(node.operation);
        if (node.operation == "Gelu" && node.text("approximate", "none") == "tanh")
            name = "gelu_tanh";
        constexpr double oneSixth = 1.0 / 6;
        const double slope = node.number("alpha", 0.2);
        const double offset = node.number("beta", 0.5);
        if (node.operation == "HardSigmoid" && (slope != 0.2 || offset != 0.5)) {
            const bool isSixth = std::abs(slope - oneSixth) < 1e-6;
            const Json scaled = function(node, "math.multiply", x, {{"y", isSixth ? oneSixth : slope}});
            const Json moved = function(node, "__operators__.add", scaled, {{"y", offset}});
            return bind(node, function(node, "clip_by_value", moved,
                                       {{"clip_value_min", 0.0}, {"clip_value_max", 1.0}}));
        }
        constexpr double seluAlpha = 1.67326319217681884765625;
        constexpr double seluGamma = 1.05070102214813232421875;
        if (node.operation == "Selu" && (std::abs(node.number("alpha", seluAlpha) - seluAlpha) > 1e-4 ||
                                         std::abs(node.number("gamma", seluGamma) - seluGamma) > 1e-4))
            return false;
        return bind(node, add(labelOf(node), "Activation", {{"activation", name}}, {x}));
    }

    bool slopedActivation(const OnnxNode& node) {
        if (!isTensor(node, 0))
            return false;
        if (node.operation == "Elu")
            return bind(node, add(labelOf(node), "ELU", {{"alpha", node.number("alpha", 1)}},
                                  {input(node, 0).history}));
        return bind(node, add(labelOf(node), "LeakyReLU", {{"alpha", node.number("alpha", 0.01)}},
                              {input(node, 0).history}));
    }

    bool softmax(const OnnxNode& node) {
        if (!isTensor(node, 0))
            return false;
        const std::int64_t axis = node.integer("axis", m_model.opset < 13 ? 1 : -1);
        const std::int64_t rank = input(node, 0).rank;
        // Until operator set 13 it took everything from the axis on as one.
        if (m_model.opset < 13 && axis != -1 && axis != rank - 1)
            return false;
        if (node.operation == "LogSoftmax")
            return bind(node, function(node, "nn.log_softmax", input(node, 0).history, {{"axis", axis}}));
        return bind(node, add(labelOf(node), "Softmax", {{"axis", axis}}, {input(node, 0).history}));
    }

    bool dropout(const OnnxNode& node) {
        if (!isTensor(node, 0) || (node.hasOutput(1) && m_uses[node.outputs[1]] > 0))
            return false;
        double rate = node.number("ratio", 0.5);
        if (const OnnxTensor* given = constant(node, 1); given != nullptr && given->elements() == 1)
            rate = numbersOf(*given).at(0);
        return bind(node, add(labelOf(node), "Dropout", {{"rate", rate}}, {input(node, 0).history}));
    }

    // ---- element-wise -----------------------------------------------------------------------------------

    bool merge(const OnnxNode& node) {
        static const std::map<std::string, std::pair<const char*, const char*>, std::less<>> rows{
            {"Add", {"Add", "__operators__.add"}},
            {"Sum", {"Add", "__operators__.add"}},
            {"Mul", {"Multiply", "math.multiply"}},
            {"Sub", {"Subtract", "math.subtract"}},
            {"Max", {"Maximum", "math.maximum"}},
            {"Min", {"Minimum", "math.minimum"}},
            {"Mean", {"Average", ""}},
            {"Div", {"", "math.truediv"}},
            {"Pow", {"", "math.pow"}},
            {"Equal", {"", "math.equal"}},
            {"Less", {"", "math.less"}},
            {"Greater", {"", "math.greater"}},
            {"LessOrEqual", {"", "math.less_equal"}},
            {"GreaterOrEqual", {"", "math.greater_equal"}},
            {"And", {"", "math.logical_and"}},
            {"Or", {"", "math.logical_or"}},
            {"Xor", {"", "math.logical_xor"}}};
        const auto& [layer, functionName] = rows.at(node.operation);
        std::vector<Json> tensors;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (isTensor(node, i))
                tensors.push_back(input(node, i).history);
        }
        const std::int64_t rank =
            std::max(input(node, 0).rank, node.inputs.size() > 1 ? input(node, 1).rank : 0);
        if (tensors.size() == node.inputs.size() && *layer != '\0' && tensors.size() > 1)
            return bind(node, add(labelOf(node), layer, Json::object(), tensors), rank);
        if (node.inputs.size() != 2 || *functionName == '\0' || tensors.empty())
            return false;
        if (tensors.size() == 2)
            return bind(node, function(node, functionName, tensors[0], {{"y", tensors[1]}}), rank);
        const std::size_t which = isTensor(node, 0) ? 1 : 0;
        const OnnxTensor* other = constant(node, which);
        if (other == nullptr)
            return false;
        if (node.operation == "Add" && joinBias(node, node.inputs[1 - which], *other))
            return true;
        static const std::map<std::string, const char*, std::less<>> reversed{
            {"Sub", "__operators__.rsub"}, {"Div", "__operators__.rtruediv"}, {"Pow", "__operators__.rpow"}};
        const auto turned = reversed.find(node.operation);
        const bool isTurned = which == 0 && turned != reversed.end();
        // Single numbers are constants of the formula, everything else is learned.
        const bool isLearned = !input(node, which).isLiteral && other->elements() > 1;
        if (isFloating(*other) && (isLearned || other->elements() > longestConstant)) {
            Json learned = variable(node.inputs[which], *other, tensors[0]);
            return bind(node,
                        function(node, isTurned ? turned->second : functionName, tensors[0],
                                 {{"y", std::move(learned)}}),
                        std::max(rank, input(node, which).rank));
        }
        if (other->elements() > longestConstant)
            return false;
        return bind(node,
                    function(node, isTurned ? turned->second : functionName, tensors[0],
                             {{"y", numbersJson(*other)}}),
                    rank);
    }

    /// A product and the bias behind it are one Dense layer.
    bool joinBias(const OnnxNode& node, const std::string& product, const OnnxTensor& bias) {
        const Json history = entry(product).history;
        if (m_layers.empty() || m_layers.back()["name"] != history[0] || m_uses[product] != 1)
            return false;
        Json& layer = m_layers.back();
        if (layer["class_name"] != "Dense" || layer["config"]["use_bias"] != false ||
            bias.extents != std::vector<std::int64_t>{layer["config"]["units"].get<std::int64_t>()})
            return false;
        layer["config"]["use_bias"] = true;
        keep(history, "bias", bias);
        return bind(node, history, entry(product).rank);
    }

    bool unaryFunction(const OnnxNode& node) {
        static const std::map<std::string, const char*, std::less<>> names{
            {"Sqrt", "math.sqrt"},    {"Log", "math.log"},
            {"Neg", "math.negative"}, {"Abs", "math.abs"},
            {"Erf", "math.erf"},      {"Floor", "math.floor"},
            {"Ceil", "math.ceil"},    {"Round", "math.round"},
            {"Sign", "math.sign"},    {"Sin", "math.sin"},
            {"Cos", "math.cos"},      {"Not", "math.logical_not"},
            {"Tan", "math.tan"},      {"Asin", "math.asin"},
            {"Acos", "math.acos"},    {"Atan", "math.atan"},
            {"Sinh", "math.sinh"},    {"Cosh", "math.cosh"},
            {"IsNaN", "math.is_nan"}, {"Reciprocal", "math.reciprocal"}};
        return isTensor(node, 0) &&
               bind(node, function(node, names.at(node.operation), input(node, 0).history, Json::object()));
    }

    bool clip(const OnnxNode& node) {
        const auto bound = [&](const char* name, std::size_t position, double byDefault) {
            const OnnxTensor* given = constant(node, position);
            return given != nullptr && given->elements() == 1 ? numbersOf(*given).at(0)
                                                              : node.number(name, byDefault);
        };
        const double low = bound("min", 1, -3.4e38);
        const double high = bound("max", 2, 3.4e38);
        if (!isTensor(node, 0))
            return false;
        if (low == 0)
            return bind(node, add(labelOf(node), "ReLU", {{"max_value", high < 3e38 ? Json(high) : Json()}},
                                  {input(node, 0).history}));
        return bind(node, function(node, "clip_by_value", input(node, 0).history,
                                   {{"clip_value_min", low}, {"clip_value_max", high}}));
    }

    bool castTo(const OnnxNode& node) {
        const auto type = static_cast<OnnxType>(node.integer("to", 1));
        const char* name = type == OnnxType::Float || type == OnnxType::Double ? "float32"
                           : type == OnnxType::Float16                         ? "float16"
                           : type == OnnxType::Bool                            ? "bool"
                                                                               : "int32";
        return isTensor(node, 0) &&
               bind(node, function(node, "cast", input(node, 0).history, {{"dtype", name}}));
    }

    bool reduce(const OnnxNode& node) {
        static const std::map<std::string, const char*, std::less<>> names{
            {"ReduceMean", "math.reduce_mean"},    {"ReduceSum", "math.reduce_sum"},
            {"ReduceMax", "math.reduce_max"},      {"ReduceMin", "math.reduce_min"},
            {"ReduceProd", "math.reduce_prod"},    {"ReduceLogSumExp", "math.reduce_logsumexp"},
            {"ReduceL1", "math.reduce_sum"},       {"ReduceL2", "math.reduce_sum"},
            {"ReduceSumSquare", "math.reduce_sum"}};
        const auto axes = integers(node, "axes", 1);
        if (!isTensor(node, 0) || !axes || (axes->empty() && node.integer("noop_with_empty_axes", 0) != 0))
            return false;
        const bool keeps = node.integer("keepdims", 1) != 0;
        const std::int64_t rank = input(node, 0).rank;
        const auto dropped = axes->empty() ? rank : static_cast<std::int64_t>(axes->size());
        Json x = input(node, 0).history;
        if (node.operation == "ReduceL1")
            x = function(node, "math.abs", x, Json::object());
        if (node.operation == "ReduceL2" || node.operation == "ReduceSumSquare")
            x = function(node, "math.square", x, Json::object());
        x = function(node, names.at(node.operation), x,
                     {{"axis", axes->empty() ? Json() : Json(*axes)}, {"keepdims", keeps}});
        if (node.operation == "ReduceL2")
            x = function(node, "math.sqrt", x, Json::object());
        return bind(node, x, rank < 0 || keeps ? rank : rank - dropped);
    }

    // ---- shapes -----------------------------------------------------------------------------------------

    bool same(const OnnxNode& node) {
        m_entries[node.outputs.at(0)] = input(node, 0);
        return isTensor(node, 0);
    }

    bool flatten(const OnnxNode& node) {
        return isTensor(node, 0) && node.integer("axis", 1) == 1 &&
               bind(node, add(labelOf(node), "Flatten", Json::object(), {input(node, 0).history}), 2);
    }

    bool reshape(const OnnxNode& node) {
        std::vector<std::int64_t> target = node.hasInput(1) ? listOf(input(node, 1)) : node.integers("shape");
        if (!isTensor(node, 0) || target.empty())
            return false;
        const auto rank = static_cast<std::int64_t>(target.size());
        const bool keepsBatch = target[0] == 0;
        const bool hasZero = std::count(target.begin() + 1, target.end(), 0) > 0;
        if (!keepsBatch || hasZero || std::count(target.begin() + 1, target.end(), -1) > 1) {
            if (hasZero || std::count(target.begin(), target.end(), -1) > 1)
                return false;
            return bind(node, function(node, "reshape", input(node, 0).history, {{"shape", target}}), rank);
        }
        target.erase(target.begin());
        return bind(node, add(labelOf(node), "Reshape", {{"target_shape", target}}, {input(node, 0).history}),
                    rank);
    }

    bool transpose(const OnnxNode& node) {
        std::vector<std::int64_t> order = node.integers("perm");
        if (!isTensor(node, 0) || order.empty())
            return false;
        const auto rank = static_cast<std::int64_t>(order.size());
        if (order[0] != 0)
            return bind(node, function(node, "transpose", input(node, 0).history, {{"perm", order}}), rank);
        order.erase(order.begin());
        return bind(node, add(labelOf(node), "Permute", {{"dims", order}}, {input(node, 0).history}), rank);
    }

    bool concatenate(const OnnxNode& node) {
        std::vector<Json> tensors;
        for (const std::string& name : node.inputs) {
            if (!isTensor(name))
                return false;
            tensors.push_back(entry(name).history);
        }
        return tensors.size() > 1 &&
               bind(node, add(labelOf(node), "Concatenate", {{"axis", node.integer("axis", 1)}}, tensors));
    }

    bool expandOrSqueeze(const OnnxNode& node) {
        const auto axes = integers(node, "axes", 1);
        if (!isTensor(node, 0) || !axes || axes->empty())
            return false;
        const bool isSqueeze = node.operation == "Squeeze";
        Json tensor = input(node, 0).history;
        const std::int64_t rank = input(node, 0).rank;
        const auto count = static_cast<std::int64_t>(axes->size());
        if (isSqueeze)
            return bind(node, function(node, "squeeze", tensor, {{"axis", *axes}}),
                        rank < 0 ? rank : rank - count);
        // Axes of the result, the first first.
        std::vector<std::int64_t> places = *axes;
        for (std::int64_t& axis : places)
            axis = axis < 0 && rank >= 0 ? axis + rank + count : axis;
        std::ranges::sort(places);
        for (const std::int64_t axis : places)
            tensor = function(node, "expand_dims", tensor, {{"axis", axis}});
        return bind(node, tensor, rank < 0 ? rank : rank + count);
    }

    /// tensor[…] with one entry along an axis.
    Json sliced(const OnnxNode& node, const Json& tensor, std::int64_t axis, Json bounds) {
        Json spec = Json::array();
        const Json all{{"start", nullptr}, {"stop", nullptr}, {"step", nullptr}};
        for (std::int64_t i = 0; i < axis; ++i)
            spec.push_back(all);
        spec.push_back(std::move(bounds));
        return add(labelOf(node), "SlicingOpLambda",
                   {{"trainable", true}, {"dtype", "float32"}, {"function", "__operators__.getitem"}},
                   {tensor}, {{"slice_spec", std::move(spec)}});
    }
    std::optional<std::int64_t> axisOf(const OnnxNode& node, std::int64_t axis) {
        const std::int64_t rank = input(node, 0).rank;
        if (axis >= 0)
            return axis;
        return rank < 0 || axis < -rank ? std::nullopt : std::optional(axis + rank);
    }

    bool gather(const OnnxNode& node) {
        const OnnxTensor* table = constant(node, 0);
        if (table != nullptr && table->extents.size() == 2 && node.integer("axis", 0) == 0 &&
            isTensor(node, 1)) {
            const Json made = add(labelOf(node), "Embedding",
                                  {{"input_dim", table->extents[0]}, {"output_dim", table->extents[1]}},
                                  {input(node, 1).history});
            keep(made, "embeddings", *table);
            return bind(node, made, input(node, 1).rank < 0 ? -1 : input(node, 1).rank + 1);
        }
        const OnnxTensor* index = constant(node, 1);
        const auto axis = axisOf(node, node.integer("axis", 0));
        if (!isTensor(node, 0) || index == nullptr || index->elements() != 1 || !axis)
            return false;
        const auto place = static_cast<std::int64_t>(numbersOf(*index).at(0));
        if (index->extents.empty())
            return bind(node, sliced(node, input(node, 0).history, *axis, place), input(node, 0).rank - 1);
        return bind(
            node,
            sliced(node, input(node, 0).history, *axis,
                   {{"start", place}, {"stop", place == -1 ? Json() : Json(place + 1)}, {"step", nullptr}}));
    }

    bool slice(const OnnxNode& node) {
        const bool hasInputs = m_model.opset >= 10;
        const auto starts = hasInputs ? integers(node, "", 1) : std::optional(node.integers("starts"));
        const auto ends = hasInputs ? integers(node, "", 2) : std::optional(node.integers("ends"));
        const auto axes = integers(node, "axes", 3);
        const auto steps = integers(node, "", 4);
        if (!isTensor(node, 0) || !starts || !ends || !axes || !steps || starts->size() != ends->size())
            return false;
        Json tensor = input(node, 0).history;
        for (std::size_t i = 0; i < starts->size(); ++i) {
            const auto axis = axisOf(node, i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i));
            if (!axis)
                return false;
            constexpr std::int64_t far = 1LL << 31;
            const bool isOpen = (*ends)[i] >= far - 1;
            tensor = sliced(node, tensor, *axis,
                            {{"start", (*starts)[i]},
                             {"stop", isOpen ? Json() : Json((*ends)[i])},
                             {"step", i < steps->size() ? Json((*steps)[i]) : Json()}});
        }
        return bind(node, tensor);
    }

    bool split(const OnnxNode& node) {
        const auto sizes = integers(node, "split", 1);
        const auto axis = axisOf(node, node.integer("axis", 0));
        if (!isTensor(node, 0) || !sizes || !axis || sizes->size() != node.outputs.size())
            return false;
        const Json tensor = input(node, 0).history;
        std::int64_t begin = 0;
        for (std::size_t i = 0; i < sizes->size(); ++i) {
            bind(node,
                 sliced(node, tensor, *axis,
                        {{"start", begin}, {"stop", begin + (*sizes)[i]}, {"step", nullptr}}),
                 -1, i);
            begin += (*sizes)[i];
        }
        return true;
    }

    /// Whether a recurrence starts as Keras' does: from zeros, known or left out.
    bool startsFromZero(const OnnxNode& node, std::size_t position) {
        if (!node.hasInput(position))
            return true;
        const Entry& state = input(node, position);
        if (state.kind == Entry::Kind::Static)
            return state.isZero;
        return state.constant != nullptr &&
               std::ranges::all_of(numbersOf(*state.constant), [](double number) { return number == 0; });
    }

    bool recurrent(const OnnxNode& node) {
        const OnnxTensor* kernel = constant(node, 1);
        const OnnxTensor* recurrentKernel = constant(node, 2);
        const OnnxTensor* bias = constant(node, 3);
        const bool isLstm = node.operation == "LSTM";
        const std::string direction = node.text("direction", "forward");
        const std::size_t directions = direction == "bidirectional" ? 2 : 1;
        const std::int64_t gates = isLstm ? 4 : node.operation == "GRU" ? 3 : 1;
        const auto hasForm = [&](const OnnxTensor* tensor, std::size_t rank, std::int64_t width) {
            return tensor != nullptr && tensor->extents.size() == rank &&
                   tensor->extents[0] == static_cast<std::int64_t>(directions) && tensor->extents[1] == width;
        };
        if (!isTensor(node, 0) || recurrentKernel == nullptr || recurrentKernel->extents.size() != 3)
            return false;
        const std::int64_t units = recurrentKernel->extents[2];
        constexpr std::int64_t mostUnits = 1 << 24;
        if (units <= 0 || units > mostUnits || !hasForm(kernel, 3, gates * units) ||
            !hasForm(recurrentKernel, 3, gates * units) ||
            (node.hasInput(3) && !hasForm(bias, 2, 2 * gates * units)) ||
            node.attribute("activations") != nullptr || node.attribute("clip") != nullptr ||
            node.integer("input_forget", 0) != 0 || node.hasInput(4) || !startsFromZero(node, 5) ||
            !startsFromZero(node, 6) || node.hasInput(7))
            return false;
        const bool isTimeMajor = node.integer("layout", 0) == 0;
        const bool hasReset = node.operation == "GRU" && node.integer("linear_before_reset", 0) != 0;
        using Bias = OnnxRecurrence::Bias;
        const Bias kind = bias == nullptr ? Bias::None : hasReset ? Bias::Separate : Bias::Joint;
        const char* className = isLstm ? "LSTM" : node.operation == "GRU" ? "GRU" : "SimpleRNN";
        const std::size_t outputs = isLstm ? 3 : 2;
        // Outputs have an axis for the directions.
        std::vector<std::vector<Json>> parts(outputs);
        for (std::size_t which = 0; which < directions; ++which) {
            const bool isBackward = direction == "reverse" || which == 1;
            Json config{{"units", units},
                        {"return_sequences", true},
                        {"return_state", true},
                        {"time_major", isTimeMajor},
                        {"use_bias", node.hasInput(3)},
                        {"go_backwards", isBackward}};
            if (node.operation == "GRU")
                config["reset_after"] = hasReset;
            Json made = add(labelOf(node), className, std::move(config), {input(node, 0).history});
            if (m_keepsValues) {
                const OnnxRecurrence weights =
                    recurrenceWeights(node.operation, which, *kernel, *recurrentKernel, bias, kind);
                keep(made, "kernel", [&] { return weights.kernel; });
                keep(made, "recurrent_kernel", [&] { return weights.recurrentKernel; });
                if (bias != nullptr)
                    keep(made, "bias", [&] { return weights.bias; });
            }
            for (std::size_t i = 0; i < outputs; ++i) {
                if (!node.hasOutput(i) || m_uses[node.outputs[i]] == 0)
                    continue;
                made[2] = i;
                Json part = made;
                // What runs backwards gives its last step first.
                if (i == 0 && isBackward)
                    part = function(node, "reverse", part, {{"axis", Json::array({isTimeMajor ? 0 : 1})}});
                const std::int64_t axis = i == 0 ? (isTimeMajor ? 1 : 2) : (isTimeMajor ? 0 : 1);
                parts[i].push_back(function(node, "expand_dims", part, {{"axis", axis}}));
            }
        }
        for (std::size_t i = 0; i < outputs; ++i) {
            const std::int64_t axis = i == 0 ? (isTimeMajor ? 1 : 2) : (isTimeMajor ? 0 : 1);
            if (parts[i].size() == 2)
                parts[i] = {add(labelOf(node), "Concatenate", {{"axis", axis}}, parts[i])};
            if (!parts[i].empty())
                bind(node, parts[i].front(), i == 0 ? 4 : 3, i);
        }
        return true;
    }

    static const std::map<std::string, Method, std::less<>>& methods() {
        static const std::map<std::string, Method, std::less<>> table = [] {
            std::map<std::string, Method, std::less<>> rows{
                {"Conv", &Importer::convolution},
                {"ConvTranspose", &Importer::convolution},
                {"MaxPool", &Importer::pool},
                {"AveragePool", &Importer::pool},
                {"GlobalAveragePool", &Importer::globalPool},
                {"GlobalMaxPool", &Importer::globalPool},
                {"Gemm", &Importer::dense},
                {"MatMul", &Importer::dense},
                {"BatchNormalization", &Importer::batchNormalization},
                {"LayerNormalization", &Importer::layerNormalization},
                {"LeakyRelu", &Importer::slopedActivation},
                {"Elu", &Importer::slopedActivation},
                {"InstanceNormalization", &Importer::channelNormalization},
                {"GroupNormalization", &Importer::channelNormalization},
                {"PRelu", &Importer::parametricRelu},
                {"Softmax", &Importer::softmax},
                {"LogSoftmax", &Importer::softmax},
                {"Dropout", &Importer::dropout},
                {"Clip", &Importer::clip},
                {"Cast", &Importer::castTo},
                {"Identity", &Importer::same},
                {"Flatten", &Importer::flatten},
                {"Reshape", &Importer::reshape},
                {"Transpose", &Importer::transpose},
                {"Concat", &Importer::concatenate},
                {"Squeeze", &Importer::expandOrSqueeze},
                {"Unsqueeze", &Importer::expandOrSqueeze},
                {"Gather", &Importer::gather},
                {"Slice", &Importer::slice},
                {"Split", &Importer::split},
                {"LSTM", &Importer::recurrent},
                {"GRU", &Importer::recurrent},
                {"RNN", &Importer::recurrent},
            };
            for (const char* name : {"Relu", "Sigmoid", "Tanh", "Softplus", "Softsign", "Gelu", "Mish",
                                     "HardSwish", "Selu", "Exp", "HardSigmoid"})
                rows[name] = &Importer::activation;
            for (const char* name : {"Add", "Sum", "Mul", "Sub", "Max", "Min", "Mean", "Div", "Pow", "Equal",
                                     "Less", "Greater", "LessOrEqual", "GreaterOrEqual", "And", "Or", "Xor"})
                rows[name] = &Importer::merge;
            for (const char* name :
                 {"Sqrt", "Log", "Neg",        "Abs", "Erf",  "Floor", "Ceil", "Round", "Sign", "Sin",
                  "Cos",  "Not", "Reciprocal", "Tan", "Asin", "Acos",  "Atan", "Sinh",  "Cosh", "IsNaN"})
                rows[name] = &Importer::unaryFunction;
            for (const char* name : {"ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd",
                                     "ReduceLogSumExp", "ReduceL1", "ReduceL2", "ReduceSumSquare"})
                rows[name] = &Importer::reduce;
            return rows;
        }();
        return table;
    }

    const OnnxModel& m_model;
    const OnnxGraph& m_graph;
    bool m_keepsValues;
    std::vector<StoredWeight> m_weights;
    /// Initializers in another layout; entries point at them.
    std::deque<OnnxTensor> m_folded;
    std::map<std::string, Entry> m_entries;
    std::map<std::string, int> m_uses;
    std::set<std::string> m_names;
    Json m_layers = Json::array();
    Json m_inputs = Json::array();
};

} // namespace

Result<ModelGraph> modelFromOnnx(const OnnxModel& model, std::string_view file, Diagnostics& warnings) {
    const Json document = Importer(model, false).document();
    return readKerasModel(document, file, warnings);
}

std::vector<StoredWeight> weightsFromOnnx(const OnnxModel& model) {
    Importer importer(model, true);
    static_cast<void>(importer.document());
    return importer.takeWeights();
}

Result<ModelGraph> readOnnx(std::string_view bytes, std::string_view file, Diagnostics& warnings) {
    const auto model = readOnnxModel(bytes, file);
    return model ? modelFromOnnx(*model, file, warnings) : failure(model.error());
}

Result<std::vector<StoredWeight>> readOnnxWeights(std::string_view bytes, std::string_view file) {
    const auto model = readOnnxModel(bytes, file);
    if (!model)
        return failure(model.error());
    const auto& initializers = model->graph.initializers;
    const auto external = std::ranges::find_if(initializers, &OnnxTensor::isExternal);
    if (external != initializers.end())
        return failure(Diagnostic{
            Severity::Error,
            Trouble::Input,
            "onnx/external-weights",
            {std::string(file), external->name},
            fmt::format("the elements of \"{}\" are in another file", external->name.substr(0, 80)),
            {"save the model whole: onnx.save_model(model, file, "
             "save_as_external_data=False)"}});
    return weightsFromOnnx(*model);
}

} // namespace core
