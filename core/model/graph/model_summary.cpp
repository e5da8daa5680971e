#include "core/model/graph/model_summary.h"

#include "core/model/graph/flattened_model.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace core {

namespace {

using Calls = std::unordered_map<std::string, std::vector<InvocationId>>;

/// Builds rows from two inferences of one model: the shapes with the model's own batch axis, and the sizes of
/// one sample.
class SummaryBuilder {
public:
    SummaryBuilder(const FlattenedModel& structure, const TypedGraph& shapes, const TypedGraph& sample,
                   std::int64_t microBatch)
        : m_structure(structure)
        , m_shapes(shapes)
        , m_sample(sample)
        , m_microBatch(microBatch) {
        for (const TypedInvocation& invocation : shapes.invocations)
            m_calls[shapes.layer(invocation.layer).path].push_back(invocation.id);
        for (const TypedLayer& layer : shapes.layers)
            m_layers[layer.path] = &layer;
    }

    std::vector<LayerSummary> rows(const ModelGraph& graph, const std::string& prefix) {
        std::vector<LayerSummary> list;
        for (const LayerId id : listedOrder(graph)) {
            LayerSummary row = graph.layer(id).isNestedModel() ? nestedRow(graph.layer(id), prefix)
                                                               : plainRow(graph.layer(id), prefix);
            row.index = list.size();
            row.inbound = inboundOf(graph, id);
            list.push_back(std::move(row));
        }
        return list;
    }

private:
    static std::vector<LayerId> listedOrder(const ModelGraph& graph) {
        std::vector<LayerId> order;
        for (const bool wantsInputs : {true, false}) {
            for (const Layer& layer : graph.layers) {
                const bool isFirst = graph.kind == ModelKind::Functional && layer.className == "InputLayer";
                if (!layer.isImplicit && isFirst == wantsInputs)
                    order.push_back(layer.id);
            }
        }
        return order;
    }

    static std::vector<std::string> inboundOf(const ModelGraph& graph, LayerId id) {
        std::vector<std::string> names;
        const auto call =
            std::find_if(graph.invocations.begin(), graph.invocations.end(),
                         [&](const LayerInvocation& invocation) { return invocation.layer == id; });
        if (call == graph.invocations.end())
            return names;
        for (const TensorRef& input : call->inputs) {
            if (!graph.layer(input.invocation).isImplicit)
                names.push_back(graph.layer(input.invocation).name);
        }
        return names;
    }

    LayerSummary plainRow(const Layer& layer, const std::string& prefix) {
        LayerSummary row;
        row.name = layer.name;
        row.className = layer.className;
        if (layer.className == "Operation" && layer.config.contains("function"))
            row.className = layer.config["function"].get<std::string>();
        const std::string path = prefix + layer.name;
        for (const WeightSpec& spec : m_layers.contains(path) ? m_layers[path]->weights : noWeights()) {
            if (spec.isSlot)
                continue;
            const std::int64_t count = elements(spec.shape).known().value_or(0);
            row.parameters += count;
            row.trainableParameters += spec.trainable ? count : 0;
        }
        row.invocations = m_calls[path];
        Count flops = 0;
        Count bytes = 0;
        for (const InvocationId id : row.invocations) {
            const TypedInvocation& call = m_sample.invocation(id);
            const bool isWhole = namesTheBatch(call);
            const Count one = Count(call.flops);
            flops += isWhole && one.known() ? Count(*one.known() / m_microBatch) : one;
            for (const TensorSpec& spec : call.outputs)
                bytes += elements(spec.shape) * elementBytes(spec.type) * (isWhole ? 1 : m_microBatch);
        }
        row.flops = flops.known();
        row.activationBytes = bytes.known();
        if (!row.invocations.empty()) {
            for (const TensorSpec& spec : m_shapes.invocation(row.invocations.front()).outputs)
                row.outputShapes.push_back(spec.shape);
        }
        const auto fed = m_structure.fedInputs.find(path);
        if (fed != m_structure.fedInputs.end())
            row.outputShapes = {m_shapes.spec(fed->second).shape};
        return row;
    }

    /// Behind a reshape that says how many samples there are, one sample is a whole micro-batch.
    [[nodiscard]] bool namesTheBatch(const TypedInvocation& call) const {
        if (call.outputs.empty() || call.outputs.front().shape.rank() == 0 || m_microBatch == 1)
            return false;
        const Dimension samples = call.outputs.front().shape[0];
        const std::vector<TensorSpec>& own = m_shapes.invocation(call.id).outputs;
        return samples == Dimension(m_microBatch) && !own.empty() && own.front().shape.rank() > 0 &&
               own.front().shape[0] == samples;
    }

    static const std::vector<WeightSpec>& noWeights() {
        static const std::vector<WeightSpec> none;
        return none;
    }

    LayerSummary nestedRow(const Layer& layer, const std::string& prefix) {
        LayerSummary row;
        row.name = layer.name;
        row.className = toString(layer.model->kind);
        row.layers = rows(*layer.model, prefix + layer.name + "/");
        Count flops = 0;
        Count bytes = 0;
        for (const LayerSummary& inner : row.layers) {
            row.parameters += inner.parameters;
            row.trainableParameters += inner.trainableParameters;
            flops += Count(inner.flops);
            bytes += Count(inner.activationBytes);
        }
        row.flops = flops.known();
        row.activationBytes = bytes.known();
        for (const TensorRef& output : layer.model->outputs)
            row.outputShapes.push_back(firstShape(*layer.model, output, prefix + layer.name + "/"));
        return row;
    }

    /// Shape of an inner tensor at its layer's first call.
    Shape firstShape(const ModelGraph& graph, const TensorRef& ref, const std::string& prefix) {
        const Layer& producer = graph.layer(ref.invocation);
        if (producer.isNestedModel())
            return firstShape(*producer.model, producer.model->outputs[ref.output],
                              prefix + producer.name + "/");
        const auto fed = m_structure.fedInputs.find(prefix + producer.name);
        if (fed != m_structure.fedInputs.end())
            return m_shapes.spec(fed->second).shape;
        const std::vector<InvocationId>& calls = m_calls[prefix + producer.name];
        const std::uint32_t call = graph.invocation(ref.invocation).call;
        if (call >= calls.size() || ref.output >= m_shapes.invocation(calls[call]).outputs.size())
            return {};
        return m_shapes.invocation(calls[call]).outputs[ref.output].shape;
    }

    const FlattenedModel& m_structure;
    const TypedGraph& m_shapes;
    const TypedGraph& m_sample;
    std::int64_t m_microBatch;
    Calls m_calls;
    std::unordered_map<std::string, const TypedLayer*> m_layers;
};

std::vector<AssignableCall> assignableCalls(const TypedGraph& graph) {
    std::vector<AssignableCall> calls;
    for (const TypedInvocation& invocation : graph.invocations) {
        const TypedLayer& layer = graph.layer(invocation.layer);
        if (layer.className == "InputLayer")
            continue;
        AssignableCall call{layer.path, layer.className, invocation.call, {}};
        for (const TensorRef& input : invocation.inputs)
            call.inbound.push_back(graph.layerOf(input.invocation).path);
        calls.push_back(std::move(call));
    }
    return calls;
}

Json dimensionJson(const Dimension& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json shapesJson(const std::vector<Shape>& shapes) {
    if (shapes.size() == 1)
        return toJson(shapes.front());
    Json list = Json::array();
    for (const Shape& shape : shapes)
        list.push_back(toJson(shape));
    return list;
}

/// Stage of every call of the flattened model by its id; nothing for InputLayers and without stages.
using StageOfCall = std::unordered_map<std::size_t, std::int64_t>;

void collectStages(const LayerSummary& row, const StageOfCall& stages, std::set<std::int64_t>& found) {
    for (const InvocationId id : row.invocations) {
        if (const auto stage = stages.find(id.index()); stage != stages.end())
            found.insert(stage->second);
    }
    for (const LayerSummary& inner : row.layers)
        collectStages(inner, stages, found);
}

Json rowJson(const LayerSummary& row, const StageOfCall& stages) {
    Json json{{"index", row.index},
              {"name", row.name},
              {"class_name", row.className},
              {"output_shape", shapesJson(row.outputShapes)},
              {"parameters", row.parameters},
              {"trainable_parameters", row.trainableParameters},
              {"flops_forward", dimensionJson(row.flops)},
              {"activation_bytes", dimensionJson(row.activationBytes)},
              {"inbound", row.inbound}};
    // A layer whose calls lie on several stages has none of its own.
    std::set<std::int64_t> found;
    collectStages(row, stages, found);
    json["stage"] = found.size() == 1 ? Json(*found.begin()) : Json(nullptr);
    if (!row.layers.empty()) {
        json["layers"] = Json::array();
        for (const LayerSummary& inner : row.layers)
            json["layers"].push_back(rowJson(inner, stages));
    }
    return json;
}

void collectInvocations(const std::vector<LayerSummary>& rows, bool isInput, std::set<std::size_t>& ids) {
    for (const LayerSummary& row : rows) {
        collectInvocations(row.layers, isInput, ids);
        for (const InvocationId id : row.invocations) {
            if ((row.className == "InputLayer") == isInput)
                ids.insert(id.index());
        }
    }
}

/// Assignable calls are the flattened calls that are no InputLayer's, in order.
StageOfCall stagesByCall(const ModelSummary& summary, std::span<const std::int64_t> stages) {
    std::set<std::size_t> ids;
    collectInvocations(summary.layers, false, ids);
    StageOfCall map;
    std::size_t next = 0;
    for (const std::size_t id : ids) {
        if (next < stages.size())
            map[id] = stages[next++];
    }
    return map;
}

} // namespace

Result<ModelSummary> summarize(const ModelGraph& model, std::int64_t microBatch, InferenceOptions options) {
    options.requiresKnownShapes = false;
    options.batchSize.reset();
    const Result<TypedGraph> shapes = inferShapes(model, options);
    if (!shapes)
        return failure(shapes.error());
    options.batchSize = 1;
    const Result<TypedGraph> sample = inferShapes(model, options);
    if (!sample)
        return failure(sample.error());
    const Result<FlattenedModel> structure = flattenModel(model, options.file);
    if (!structure)
        return failure(structure.error());
    ModelSummary summary;
    summary.name = model.name;
    summary.kind = model.kind;
    summary.layers = SummaryBuilder(*structure, *shapes, *sample, microBatch).rows(model, "");
    summary.layerCount = summary.layers.size();
    for (const LayerSummary& row : summary.layers) {
        summary.parameters += row.parameters;
        summary.trainableParameters += row.trainableParameters;
    }
    for (const TensorRef& output : shapes->outputs)
        summary.outputShapes.push_back(shapes->spec(output).shape);
    summary.assignable = assignableCalls(*shapes);
    return summary;
}

Json toJson(const Shape& shape) {
    Json list = Json::array();
    for (const Dimension& extent : shape.dimensions)
        list.push_back(dimensionJson(extent));
    return list;
}

Json toJson(const ModelSummary& summary, std::span<const std::int64_t> stages) {
    const StageOfCall stageOf = stagesByCall(summary, stages);
    Json json{{"name", summary.name}, {"class_name", toString(summary.kind)}, {"layers", Json::array()}};
    for (const LayerSummary& row : summary.layers)
        json["layers"].push_back(rowJson(row, stageOf));
    json["layer_count"] = summary.layerCount;
    json["total_parameters"] = summary.parameters;
    json["trainable_parameters"] = summary.trainableParameters;
    json["output_shapes"] = Json::array();
    for (const Shape& shape : summary.outputShapes)
        json["output_shapes"].push_back(toJson(shape));
    json["stage_assignment"] = Json::array();
    for (std::size_t i = 0; i < summary.assignable.size(); ++i)
        json["stage_assignment"].push_back({{"invocation", i},
                                            {"layer", summary.assignable[i].layer},
                                            {"call", summary.assignable[i].call},
                                            {"stage", i < stages.size() ? Json(stages[i]) : Json(nullptr)}});
    return json;
}

} // namespace core
