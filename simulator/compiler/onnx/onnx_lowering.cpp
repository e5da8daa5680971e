#include "simulator/compiler/onnx/onnx_lowering.h"

#include "simulator/compiler/onnx/onnx_call.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace simulator {

using core::DataType;
using core::OnnxNode;
using core::OnnxTensor;
using core::OnnxType;
using core::TensorId;

std::optional<DataType> deviceType(OnnxType type) {
    switch (type) {
    case OnnxType::Float:
    case OnnxType::Double:
    case OnnxType::BFloat16:
        return DataType::Float32;
    case OnnxType::Float16:
        return DataType::Float16;
    case OnnxType::UInt8:
        return DataType::UInt8;
    case OnnxType::Int8:
        return DataType::Int8;
    case OnnxType::UInt16:
        return DataType::UInt16;
    case OnnxType::Int16:
        return DataType::Int16;
    case OnnxType::Int32:
    case OnnxType::Int64:
        return DataType::Int32;
    case OnnxType::UInt32:
    case OnnxType::UInt64:
        return DataType::UInt32;
    case OnnxType::Bool:
        return DataType::Bool;
    default:
        return std::nullopt;
    }
}

namespace {

using Table = std::map<std::string_view, const OnnxEntry*>;

const Table& table() {
    static const Table entries = [] {
        Table all;
        const std::array families{
            onnxElementwise(),    onnxReductions(), onnxProducts(), onnxWindows(),     onnxMovements(),
            onnxNormalizations(), onnxIndexing(),   onnxResizing(), onnxRecurrences(), onnxLosses(),
            onnxQuantization(),   onnxConstants(),  onnxSignals(),  onnxSampling(),    onnxOptimizers()};
        for (const auto family : families) {
            for (const OnnxEntry& entry : family)
                all.emplace(entry.operation, &entry);
        }
        return all;
    }();
    return entries;
}

/// Lowers one graph, node by node.
class GraphLowering {
public:
    GraphLowering(GraphBuilder& build, const OnnxRequest& request)
        : m_build(build)
        , m_request(request)
        , m_graph(request.model->graph)
        , m_known(m_graph, [this](const std::string& name) { return extentsOf(name); }) {}

    core::Result<OnnxTensors> lower();

private:
    std::optional<Extents> extentsOf(const std::string& name);
    core::Result<void> addInputs(OnnxTensors& tensors);
    core::Result<void> lowerNode(const OnnxNode& node);
    core::Result<TensorId> read(const std::string& name);
    core::Result<TensorId> addInitializer(const OnnxTensor& tensor);

    GraphBuilder& m_build;
    const OnnxRequest& m_request;
    const core::OnnxGraph& m_graph;
    KnownValues m_known;
    std::map<std::string, TensorId> m_tensors;
    std::vector<TrainingGraph::NamedTensor> m_parameters;
    std::uint64_t m_streams = 0;
};

std::optional<Extents> GraphLowering::extentsOf(const std::string& name) {
    if (const auto found = m_tensors.find(name); found != m_tensors.end())
        return m_build.extents(found->second);
    if (const OnnxTensor* tensor = m_graph.initializer(name))
        return tensor->extents;
    const KnownValue* value = m_known.find(name);
    return value == nullptr ? std::nullopt : std::optional(value->extents);
}

core::Result<void> GraphLowering::addInputs(OnnxTensors& tensors) {
    for (const core::OnnxValue& value : m_graph.inputs) {
        const auto fed = m_request.inputs.find(value.name);
        if (fed == m_request.inputs.end()) {
            if (m_graph.initializer(value.name) != nullptr)
                continue;
            return refuseOnnx(fmt::format("the input \"{}\" has no extents", value.name.substr(0, 80)),
                              "give the extents of every input");
        }
        const auto type = deviceType(fed->second.type);
        if (!type)
            return refuseOnnx(fmt::format("the input \"{}\" has type {}", value.name.substr(0, 80),
                                          toString(fed->second.type)),
                              "convert it to numbers");
        const TensorId id = m_build.tensor(value.name, {fed->second.extents, *type}, TensorRole::Input);
        m_tensors[value.name] = id;
        tensors.inputs.push_back({value.name, id});
        constexpr std::int64_t mostElements = 65536;
        if (fed->second.elements() <= mostElements &&
            (!fed->second.data.empty() || fed->second.elements() == 0)) {
            m_known.set(value.name, {fed->second.extents, fed->second.type, numbersOf(fed->second)});
            m_known.markFed(value.name);
        }
    }
    return {};
}

core::Result<TensorId> GraphLowering::addInitializer(const OnnxTensor& tensor) {
    const auto type = deviceType(tensor.type);
    if (!type || tensor.isExternal)
        return refuseOnnx(
            fmt::format("the initializer \"{}\" has {}", tensor.name.substr(0, 80),
                        tensor.isExternal ? "its elements in another file" : "type " + toString(tensor.type)),
            "save the model with its weights inside");
    const bool isParameter = m_request.trains && core::isFloating(*type);
    const TensorId id = m_build.tensor(tensor.name, {tensor.extents, *type},
                                       isParameter ? TensorRole::Parameter : TensorRole::Constant);
    m_build.graph().initialValues.push_back({id, numbersOf(tensor)});
    if (isParameter)
        m_parameters.push_back({tensor.name, id});
    return id;
}

core::Result<TensorId> GraphLowering::read(const std::string& name) {
    if (const auto found = m_tensors.find(name); found != m_tensors.end())
        return found->second;
    if (const OnnxTensor* tensor = m_graph.initializer(name)) {
        auto id = addInitializer(*tensor);
        if (id)
            m_tensors[name] = *id;
        return id;
    }
    if (const KnownValue* value = m_known.find(name)) {
        const auto type = deviceType(value->type);
        if (type && value->values.size() == 1)
            return m_tensors[name] = m_build.constant(value->values[0], value->extents, *type);
        if (type)
            return m_tensors[name] = m_build.constant(name, value->values, {value->extents, *type});
    }
    return refuseOnnx(fmt::format("\"{}\" is not known", name.substr(0, 80)));
}

core::Result<void> GraphLowering::lowerNode(const OnnxNode& node) {
    // What is the same in every run becomes a constant where it is used.
    if (node.outputs.size() == 1 && m_known.isStatic(node.outputs[0]))
        return {};
    const auto entry = table().find(node.operation);
    const bool isStandard =
        node.domain.empty() || node.domain == "ai.onnx" || node.domain == "ai.onnx.preview.training";
    if (entry == table().end() || !isStandard)
        return refuseOnnx(fmt::format("{}{}{} is not among the operations that can be computed", node.domain,
                                      node.domain.empty() ? "" : ".", node.operation),
                          "replace it by operations of the standard set that compute the same");
    OnnxCall call{node, m_build, m_request.model->opset, m_known, {}, ++m_streams};
    for (const std::string& name : node.inputs) {
        TensorId id;
        if (!name.empty()) {
            const auto tensor = read(name);
            if (!tensor)
                return core::failure(tensor.error());
            id = *tensor;
        }
        call.inputs.push_back(id);
    }
    for (std::size_t i = 0; i < entry->second->minimumInputs; ++i) {
        if (!call.has(i))
            return refuseOnnx(fmt::format("{} lacks its input {}", node.operation, i));
    }
    const auto outputs = entry->second->lower(call);
    if (!outputs)
        return core::failure(outputs.error());
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i].empty())
            continue;
        if (i >= outputs->size() || !(*outputs)[i].isValid())
            return refuseOnnx(fmt::format("the output {} of {} cannot be computed", i, node.operation),
                              "leave it out");
        m_tensors[node.outputs[i]] = (*outputs)[i];
    }
    return {};
}

core::Result<OnnxTensors> GraphLowering::lower() {
    OnnxTensors tensors;
    if (auto added = addInputs(tensors); !added)
        return core::failure(added.error());
    if (m_request.trains) {
        for (const OnnxTensor& tensor : m_graph.initializers) {
            if (const auto type = deviceType(tensor.type); type && core::isFloating(*type))
                m_known.markFed(tensor.name);
        }
    }
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        const OnnxNode& node = m_graph.nodes[i];
        const std::string name = node.name.empty() ? fmt::format("{}_{}", node.operation, i) : node.name;
        m_build.setScope({name, {}, Phase::Forward});
        if (auto lowered = lowerNode(node); !lowered) {
            core::Diagnostics diagnostics = std::move(lowered.error());
            for (core::Diagnostic& diagnostic : diagnostics)
                diagnostic.location.place = name;
            return core::failure(std::move(diagnostics));
        }
    }
    for (const core::OnnxValue& value : m_graph.outputs) {
        const auto id = read(value.name);
        if (!id)
            return core::failure(id.error());
        tensors.outputs.push_back({value.name, *id});
    }
    tensors.parameters = std::move(m_parameters);
    return tensors;
}

} // namespace

core::Result<OnnxTensors> lowerOnnx(GraphBuilder& build, const OnnxRequest& request) {
    return GraphLowering(build, request).lower();
}

std::vector<std::string> onnxOperations() {
    std::vector<std::string> names;
    for (const auto& [name, entry] : table())
        names.emplace_back(name);
    return names;
}

} // namespace simulator
