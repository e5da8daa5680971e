#include "simulator/compiler/staging/build_training_graph.h"

#include "core/config/ipu_config/ipu_config_values.h"
#include "simulator/compiler/lowering/functions/evaluation.h"
#include "simulator/compiler/lowering/lower_model.h"
#include "simulator/compiler/lowering/weight_update.h"
#include "simulator/graph/prune.h"
#include "simulator/graph/replica_collective.h"
#include "simulator/graph/rules/differentiate.h"

#include <algorithm>
#include <map>

namespace simulator {
namespace {

using core::RunMode;
using core::TensorId;

TensorForm formOf(const core::Shape& shape, core::DataType type) {
    TensorForm form{{}, type};
    for (const core::Dimension& extent : shape.dimensions)
        form.extents.push_back(extent.value_or(1));
    return form;
}

/// The first call of every layer, to which its weights belong.
std::vector<core::InvocationId> firstCalls(const core::TypedGraph& model) {
    std::vector<core::InvocationId> calls(model.layers.size());
    for (const core::TypedInvocation& invocation : model.invocations) {
        core::InvocationId& first = calls[invocation.layer.index()];
        if (!first.isValid())
            first = invocation.id;
    }
    return calls;
}

class Builder {
public:
    Builder(const core::TypedGraph& model, const TrainingGraphOptions& options)
        : m_model(model)
        , m_options(options)
        , m_build(m_graph)
        , m_firstCalls(firstCalls(model)) {
        m_graph.training = options.mode == RunMode::Train;
    }

    core::Result<TrainingGraph> build() {
        const auto precision = core::precisionFromName(m_options.training.precision);
        LoweringContext context{m_build,
                                m_graph.training,
                                m_graph.training,
                                precision.value_or(core::PrecisionPolicy{}),
                                {},
                                {},
                                {},
                                0};
        if (const auto result = addForward(context); !result)
            return core::failure(result.error());
        if (m_options.mode != RunMode::Predict) {
            if (const auto result = addEvaluation(context, namedOutputs(), m_options.training); !result)
                return core::failure(result.error());
        }
        if (m_graph.training) {
            if (const auto result = addTraining(context.trainedLookups); !result)
                return core::failure(result.error());
        }
        prune(m_graph, m_options.keepsPredictions);
        accumulateEarly(m_graph);
        return std::move(m_graph);
    }

private:
    core::Result<void> addForward(LoweringContext& context) {
        ModelLowering lowering{m_model,
                               {},
                               [this](const core::TypedLayer& layer) { return weightsOf(layer); },
                               [this](const std::string& path) { return opaqueFlops(path); },
                               std::nullopt};
        for (const core::TensorRef& input : m_model.inputs) {
            const core::TensorSpec& spec = m_model.spec(input);
            m_build.setScope({m_model.layerOf(input.invocation).path, input.invocation, Phase::Forward});
            const TensorId id = m_build.tensor(m_model.layerOf(input.invocation).path,
                                               formOf(spec.shape, spec.type), TensorRole::Input);
            m_graph.inputs.push_back(id);
            lowering.values[input] = id;
        }
        if (const auto result = lowerModel(context, lowering); !result)
            return result;
        for (const core::TensorRef& output : m_model.outputs)
            m_graph.predictions.push_back(lowering.values.at(output));
        return {};
    }

    std::optional<std::int64_t> opaqueFlops(const std::string& path) const {
        const auto it = m_options.opaqueFlops.find(path);
        return it == m_options.opaqueFlops.end() ? std::nullopt : std::optional(it->second);
    }

    std::vector<LoweredWeight> weightsOf(const core::TypedLayer& layer) {
        std::vector<LoweredWeight> weights;
        const GraphBuilder::Scope scope = m_build.scope();
        m_build.setScope({layer.path, m_firstCalls[layer.id.index()], Phase::Forward});
        for (std::size_t i = 0; i < layer.weights.size(); ++i) {
            const core::WeightSpec& spec = layer.weights[i];
            const bool isTrained = spec.trainable && layer.trainable && core::isFloating(spec.type);
            const TensorId id = m_build.tensor(layer.path + "/" + spec.name, formOf(spec.shape, spec.type),
                                               isTrained ? TensorRole::Parameter : TensorRole::State);
            m_graph.weights.push_back({id, layer.id, i});
            if (isTrained)
                m_graph.parameters.push_back({id, {}, {}, {}});
            weights.push_back({spec.name, id});
        }
        m_build.setScope(scope);
        return weights;
    }

    std::vector<NamedOutput> namedOutputs() const {
        std::vector<NamedOutput> outputs;
        for (std::size_t i = 0; i < m_model.outputs.size(); ++i)
            outputs.push_back({m_model.layerOf(m_model.outputs[i].invocation).path, m_graph.predictions[i]});
        return outputs;
    }

    core::Result<void> addTraining(const std::vector<TrainedLookup>& lookups) {
        const core::KerasObject given =
            m_options.training.optimizer.value_or(core::KerasObject{"RMSprop", core::Json::object()});
        const UnwrappedOptimizer unwrapped = unwrapOptimizer(given);
        m_graph.lossScale = unwrapped.lossScale;
        std::vector<TensorId> wanted;
        for (const ParameterSlots& slots : m_graph.parameters)
            wanted.push_back(slots.parameter);
        for (const TrainedLookup& lookup : lookups)
            wanted.push_back(lookup.rows);
        if (unwrapped.dynamicScale && !lookups.empty())
            return core::failure(dynamicScaleRefusal(lookups.front().scope.prefix));
        const double scale = unwrapped.dynamicScale ? unwrapped.dynamicScale->initial : m_graph.lossScale;
        GradientSeed seed{m_graph.loss, {}};
        if (unwrapped.dynamicScale) {
            // A tensor of its own, not shared with constants of the same value: the host changes it.
            m_build.setScope({lossScaleScope, {}, Phase::Backward});
            seed.gradient =
                m_build.constant(lossScaleLabel, {scale}, TensorForm{{}, core::DataType::Float32});
        } else {
            seed.gradient = m_build.constant(scale, {}, core::DataType::Float32);
        }
        const auto gradients = differentiate(m_build, std::span(&seed, 1), wanted);
        if (!gradients)
            return core::failure(gradients.error());
        readWeightsInPlace();
        for (const TrainedLookup& lookup : lookups)
            addHostUpdate(lookup, *gradients);
        const UpdateOptions update{unwrapped.optimizer,
                                   m_options.accumulates,
                                   m_options.microBatches,
                                   m_options.pipeline.reductionMethod,
                                   m_options.pipeline.gradientAccumulationType,
                                   gradientFactor(),
                                   m_options.replicas};
        return addWeightUpdates(m_build, *gradients, update);
    }

    /// Of the optimizer's gradients: replicas add them up.
    [[nodiscard]] double gradientFactor() const {
        return m_options.training.averagesReplicas ? 1.0 / static_cast<double>(m_options.replicas) : 1.0;
    }

    /// The forward pass of an outlined function has copies of its weights; the backward pass reads the
    /// weights themselves, so that no copy waits for it.
    void readWeightsInPlace() {
        if (m_graph.outlinedCalls.empty())
            return;
        std::map<TensorId, TensorId> weights;
        for (const Operation& operation : m_graph.operations)
            if (std::holds_alternative<Copy>(operation.attributes) &&
                m_graph.tensor(operation.inputs.front()).role == TensorRole::Parameter)
                weights[operation.outputs.front()] = operation.inputs.front();
        for (Operation& operation : m_graph.operations)
            for (TensorId& input : operation.inputs)
                if (const auto weight = weights.find(input);
                    operation.phase == Phase::Backward && weight != weights.end())
                    input = weight->second;
    }

    /// The rows of one micro-batch on their way back, whatever the optimizer of the model does.
    void addHostUpdate(const TrainedLookup& lookup, const Gradients& gradients) {
        if (!gradients.contains(lookup.rows))
            return;
        m_build.setScope({lookup.scope.prefix + "/grad", lookup.scope.origin, Phase::Backward});
        const TensorId gradient = m_build.scaleShift(
            m_build.cast(sumOfParts(m_build, gradients, lookup.rows), core::DataType::Float32),
            gradientFactor() / m_graph.lossScale);
        std::vector<TensorId> inputs = lookup.tables;
        inputs.push_back(lookup.indices);
        inputs.push_back(gradient);
        m_build.addInPlace(lookup.update, std::move(inputs), lookup.tables, "update");
    }

    static core::Diagnostic dynamicScaleRefusal(const std::string& layer) {
        return core::makeError(core::Trouble::Input, "training/host-embedding", {"", layer},
                               "a host embedding is updated after every micro-batch, before a dynamic loss "
                               "scale knows whether its gradients are numbers",
                               {"give LossScaleOptimizer a fixed scale, or the embedding no optimizer"});
    }

    const core::TypedGraph& m_model;
    const TrainingGraphOptions& m_options;
    TrainingGraph m_graph;
    GraphBuilder m_build;
    std::vector<core::InvocationId> m_firstCalls;
};

void takeStableStatistics(TrainingGraph& graph) {
    for (Operation& operation : graph.operations) {
        if (auto* forward = std::get_if<Normalization>(&operation.attributes))
            forward->stableStatistics = true;
        else if (auto* backward = std::get_if<NormalizationGradient>(&operation.attributes))
            backward->forward.stableStatistics = true;
    }
}

/// Host embeddings live in remote buffers.
void useRemoteTables(TrainingGraph& graph) {
    for (Operation& operation : graph.operations) {
        if (auto* lookup = std::get_if<HostLookup>(&operation.attributes))
            lookup->table.remoteBuffer = true;
        else if (auto* update = std::get_if<HostUpdate>(&operation.attributes))
            update->table.remoteBuffer = true;
    }
}

} // namespace

core::Result<TrainingGraph> buildTrainingGraph(const core::TypedGraph& model,
                                               const TrainingGraphOptions& options) {
    return Builder(model, options).build();
}

core::Result<TrainingGraph> buildTrainingGraph(const core::ValidatedProject& project) {
    TrainingGraphOptions options;
    options.mode = project.mode();
    options.training = project.project().training;
    options.pipeline = project.project().pipeline;
    options.microBatches = project.microBatches();
    options.replicas = project.replicas();
    options.accumulates = project.stageCount() > 1 || project.microBatches() > 1;
    for (const auto& [name, layer] : project.project().opaqueLayers)
        options.opaqueFlops[name] = layer.flops;
    auto graph = buildTrainingGraph(project.graph(), options);
    const core::IpuConfig& config = project.project().ipuConfig;
    if (graph && core::optionIsOn(config, "norms.use_stable_statistics"))
        takeStableStatistics(*graph);
    if (graph && core::optionIsOn(config, "experimental.enable_remote_buffer_embedding"))
        useRemoteTables(*graph);
    // A call with training=True in inference has no replicas that wait for it.
    if (graph && graph->training)
        shareBatchStatistics(
            *graph,
            core::optionInteger(config, "norms.experimental.distributed_batch_norm_replica_group_size"));
    return graph;
}

} // namespace simulator
