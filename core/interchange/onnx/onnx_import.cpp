#include "core/interchange/onnx/onnx_import.h"

#include "core/model/graph/layer_catalogue.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

std::string onnxLabel(const OnnxNode& node) {
    return node.name.empty() ? node.operation : node.name;
}

OnnxImport::OnnxImport(const OnnxModel& model, OnnxImportOptions options)
    : m_model(model)
    , m_graph(model.graph)
    , m_options(options)
    , m_known(m_graph, options.opensBatch, [this](const std::string& name) { return shapeOf(name); }) {}

Json OnnxImport::document() {
    for (const OnnxTensor& tensor : m_graph.initializers)
        m_entries[tensor.name] = {Entry::Kind::Constant, {}, &tensor, false, nullptr};
    for (const OnnxValue* value : m_graph.fedInputs())
        addInput(*value);
    for (const OnnxNode& node : m_graph.nodes) {
        for (const std::string& input : node.inputs)
            ++m_uses[input];
    }
    for (const OnnxValue& value : m_graph.outputs)
        ++m_uses[value.name];
    for (const OnnxNode& node : m_graph.nodes)
        addNode(node);
    Json outputs = Json::array();
    for (const OnnxValue& value : m_graph.outputs) {
        if (auto tensor = materialized(value.name))
            outputs.push_back(std::move(*tensor));
    }
    return {{"class_name", "Functional"},
            {"config",
             {{"name", m_graph.name.empty() ? "onnx" : m_graph.name},
              {"layers", std::move(m_layers)},
              {"input_layers", std::move(m_inputs)},
              {"output_layers", std::move(outputs)}}}};
}

// ---- what makers ask -----------------------------------------------------------------------------------

const OnnxImport::Entry& OnnxImport::entry(const std::string& name) const {
    static const Entry unknown;
    const auto found = m_entries.find(name);
    return found == m_entries.end() ? unknown : found->second;
}

const OnnxImport::Entry& OnnxImport::input(const OnnxNode& node, std::size_t position) const {
    static const Entry unknown;
    return node.hasInput(position) ? entry(node.inputs[position]) : unknown;
}

bool OnnxImport::isTensor(const OnnxNode& node, std::size_t position) const {
    return input(node, position).kind == Entry::Kind::Tensor;
}

const Json& OnnxImport::tensor(const OnnxNode& node, std::size_t position) const {
    return input(node, position).tensor;
}

std::int64_t OnnxImport::rank(const OnnxNode& node, std::size_t position) const {
    const Entry& found = input(node, position);
    if (found.constant != nullptr)
        return std::ssize(found.constant->extents);
    const TensorSpec* spec = specOf(found.tensor);
    return spec == nullptr ? -1 : static_cast<std::int64_t>(spec->shape.rank());
}

bool OnnxImport::isReal(const OnnxNode& node, std::size_t position) const {
    const TensorSpec* spec = specOf(input(node, position).tensor);
    return spec == nullptr || isFloating(spec->type);
}

const OnnxTensor* OnnxImport::constant(const OnnxNode& node, std::size_t position) {
    const Entry& found = input(node, position);
    if (found.kind == Entry::Kind::Constant)
        return found.constant;
    const KnownValue* value = found.kind == Entry::Kind::Static ? known(node, position) : nullptr;
    return value == nullptr || value->dependsOnBatch() ? nullptr : folded(node.inputs[position], *value);
}

bool OnnxImport::isLiteral(const OnnxNode& node, std::size_t position) const {
    const Entry& found = input(node, position);
    return found.isLiteral ||
           (found.kind == Entry::Kind::Static && !m_known.isTrained(node.inputs[position]));
}

std::optional<std::vector<std::int64_t>> OnnxImport::integers(const OnnxNode& node, const char* attribute,
                                                              std::size_t position) {
    if (!node.hasInput(position))
        return node.integers(attribute);
    const OnnxTensor* tensor = constant(node, position);
    if (tensor == nullptr || tensor->elements() > longestConstant)
        return std::nullopt;
    return integersOf(*tensor);
}

const KnownValue* OnnxImport::known(const OnnxNode& node, std::size_t position) {
    return node.hasInput(position) ? m_known.find(node.inputs[position]) : nullptr;
}

bool OnnxImport::isZero(const OnnxNode& node, std::size_t position) {
    return !node.hasInput(position) || (!isTensor(node, position) && m_known.isZero(node.inputs[position]));
}

int OnnxImport::uses(const std::string& name) const {
    const auto found = m_uses.find(name);
    return found == m_uses.end() ? 0 : found->second;
}

const OnnxTensor* OnnxImport::folded(const std::string& name, const KnownValue& value) {
    const OnnxTensor*& tensor = m_foldedNames[name];
    if (tensor == nullptr) {
        m_folded.push_back(tensorOfNumbers(value.type, value.extents, value.numbers()));
        m_folded.back().name = name;
        tensor = &m_folded.back();
    }
    return tensor;
}

const TensorSpec* OnnxImport::specOf(const Json& tensor) const {
    if (!tensor.is_array() || tensor.size() < 3)
        return nullptr;
    const auto found = m_outputs.find(tensor[0].get<std::string>());
    const auto output = tensor[2].get<std::size_t>();
    return found == m_outputs.end() || output >= found->second.size() ? nullptr : &found->second[output];
}

std::optional<Shape> OnnxImport::shapeOf(const std::string& name) const {
    const Entry& found = entry(name);
    if (found.constant != nullptr) {
        Shape shape;
        for (const std::int64_t extent : found.constant->extents)
            shape.dimensions.emplace_back(extent);
        return shape;
    }
    const TensorSpec* spec = specOf(found.tensor);
    return spec == nullptr ? std::nullopt : std::optional(spec->shape);
}

// ---- what makers add -----------------------------------------------------------------------------------

std::string OnnxImport::fresh(const std::string& wanted) {
    std::string name;
    for (const char c : wanted)
        name += c == '/' || c == ':' ? '_' : c;
    while (name.starts_with('_') && name.size() > 1)
        name.erase(0, 1);
    std::string unique = name;
    for (int i = 1; !m_names.insert(unique).second; ++i)
        unique = fmt::format("{}_{}", name, i);
    m_namesInOrder.push_back(unique);
    return unique;
}

Json OnnxImport::add(const std::string& name, std::string_view className, Json config,
                     const std::vector<Json>& tensors, Json keywords) {
    const std::string unique = fresh(name);
    Json whole{{"name", unique}};
    whole.update(config);
    describe(unique, className, whole, tensors, keywords);
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

void OnnxImport::describe(const std::string& layer, std::string_view className, const Json& config,
                          const std::vector<Json>& tensors, const Json& keywords) {
    std::vector<TensorSpec> inputs;
    for (const Json& tensor : tensors) {
        const TensorSpec* spec = specOf(tensor);
        if (spec == nullptr)
            return;
        inputs.push_back(*spec);
    }
    Json arguments = keywords;
    for (auto& [key, value] : arguments.items()) {
        const bool isTensor = value.is_array() && value.size() == 3 && value[0].is_string();
        if (!isTensor)
            continue;
        const TensorSpec* spec = specOf(value);
        if (spec == nullptr)
            return;
        value = {{"$input", inputs.size()}};
        inputs.push_back(*spec);
    }
    auto facts = describeCall(className, config, inputs, arguments, {});
    if (facts)
        m_outputs[layer] = std::move(facts->outputs);
    else
        ++m_refusals;
}

Json OnnxImport::function(const OnnxNode& node, const std::string& name, const Json& tensor, Json keywords) {
    return add(onnxLabel(node), "TFOpLambda", {{"trainable", true}, {"dtype", "float32"}, {"function", name}},
               {tensor}, std::move(keywords));
}

Json OnnxImport::variable(const OnnxNode& node, std::size_t position, const Json& beside) {
    const OnnxTensor& value = *constant(node, position);
    Json made = add(node.inputs[position], "Variable",
                    {{"shape", value.extents}, {"trainable", !isLiteral(node, position)}}, {beside});
    keep(made, "value", value);
    return made;
}

void OnnxImport::store(const Json& layer, std::string_view weight, OnnxWeight value) {
    const auto name = layer.at(0).get<std::string>();
    m_weights.push_back(
        {name, fmt::format("{}/{}", name, weight), std::move(value.extents), std::move(value.values)});
}

Json* OnnxImport::lastLayer(const Json& tensor) {
    const bool isLast = !m_layers.empty() && tensor.is_array() && m_layers.back()["name"] == tensor[0];
    return isLast ? &m_layers.back() : nullptr;
}

bool OnnxImport::bind(const OnnxNode& node, Json tensor, std::size_t output) {
    if (node.hasOutput(output))
        m_entries[node.outputs[output]] = {Entry::Kind::Tensor, std::move(tensor), nullptr, false, nullptr};
    return true;
}

bool OnnxImport::alias(const OnnxNode& node) {
    m_entries[node.outputs.at(0)] = input(node, 0);
    return isTensor(node, 0);
}

void OnnxImport::addInput(const OnnxValue& value) {
    Json shape = Json::array();
    Shape known;
    if (value.shape) {
        for (const Dimension& extent : value.shape->dimensions) {
            shape.push_back(extent ? Json(*extent) : Json());
            known.dimensions.push_back(extent);
        }
    }
    if (shape.empty()) {
        shape.push_back(nullptr);
        known.dimensions.emplace_back();
    }
    if (m_options.opensBatch)
        known[0] = openBatch;
    const bool isReal = isFloating(value.type) || value.type == OnnxType::Undefined;
    const DataType type = isReal ? DataType::Float32 : deviceType(value.type).value_or(DataType::Int32);
    const std::string name = fresh(value.name);
    m_layers.push_back(
        {{"class_name", "InputLayer"},
         {"config", {{"batch_input_shape", std::move(shape)}, {"dtype", toString(type)}, {"name", name}}},
         {"name", name},
         {"inbound_nodes", Json::array()}});
    m_outputs[name] = {{known, type}};
    const Json tensor{name, 0, 0};
    m_inputs.push_back(tensor);
    m_entries[value.name] = {Entry::Kind::Tensor, tensor, nullptr, false, nullptr};
}

} // namespace core
