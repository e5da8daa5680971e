#include "simulator/planner/partition_problem.h"

#include "core/config/ipu_config/ipu_config_values.h"
#include "core/plan/recomputation.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "simulator/compiler/planning/compile_options.h"
#include "simulator/compiler/planning/plan_operations.h"
#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/target/link_topology.h"

#include <algorithm>

namespace simulator {

namespace {

class ChainPricer {
public:
    ChainPricer(const PartitionSource& source, std::vector<LayerCost>& layers)
        : m_source(source)
        , m_graph(source.graph)
        , m_uses(source.graph)
        , m_layers(layers)
        , m_position(source.graph.operations.size()) {}

    void price() {
        for (const Operation& operation : m_graph.operations)
            m_position[operation.id.index()] = positionOf(operation);
        findNeeded();
        for (const Operation& operation : m_graph.operations)
            addOperation(operation);
        for (const Tensor& tensor : m_graph.tensors)
            addTensor(tensor);
        for (std::size_t layer = 0; layer + 1 < m_layers.size(); ++layer)
            m_layers[layer].cutCycles = copyCycles(m_layers[layer].cutBytes) + copyCycles(m_backBytes[layer]);
    }

private:
    /// Loss, metrics and what has no layer are with the last; updates with what they update.
    [[nodiscard]] std::size_t positionOf(const Operation& operation) const {
        if (operation.origin.isValid())
            return m_source.layerOf[operation.origin.index()].value_or(0);
        if (operation.phase == Phase::WeightUpdate)
            for (const core::TensorId input : operation.inputs)
                if (m_graph.tensor(input).role == TensorRole::Parameter)
                    return m_position[m_uses.readers(input).front().index()];
        return m_layers.size() - 1;
    }

    /// Forward operations that lead to something the backward pass reads.
    void findNeeded() {
        for (auto operation = m_graph.operations.rbegin(); operation != m_graph.operations.rend();
             ++operation) {
            const auto isNeededBy = [&](core::OperationId reader) {
                return m_isNeeded[reader.index()] || m_graph.operation(reader).phase == Phase::Backward;
            };
            for (const core::TensorId output : operation->outputs)
                if (m_uses.producer(output).isValid() &&
                    std::ranges::any_of(m_uses.readers(output), isNeededBy))
                    m_isNeeded[operation->id.index()] = true;
        }
    }

    void addOperation(const Operation& operation) {
        LayerCost& layer = m_layers[m_position[operation.id.index()]];
        const OperationPlan& plan = m_source.plans[operation.id.index()];
        if (operation.phase == Phase::Forward) {
            layer.forwardCycles += plan.total().value();
            if (m_isNeeded[operation.id.index()])
                layer.recomputeCycles += plan.total().value();
        }
        if (operation.phase == Phase::Backward)
            layer.backwardCycles += plan.total().value();
        layer.temporaryBytes = std::max(layer.temporaryBytes, plan.temporaryPerTile.value() * plan.tilesUsed);
        const std::int64_t code = plan.exchangeCodePerTile.value() + plan.vertexStatePerTile.value() +
                                  plan.controlCodePerTile.value();
        layer.residentBytes += code * plan.tilesUsed;
    }

    void addTensor(const Tensor& tensor) {
        switch (tensor.role) {
        case TensorRole::Parameter:
        case TensorRole::State:
        case TensorRole::Accumulator:
        case TensorRole::OptimizerSlot:
            if (const auto readers = m_uses.readers(tensor.id);
                !readers.empty() && !isOnHost(tensor, readers))
                m_layers[m_position[owner(tensor, readers).index()]].residentBytes += tensor.bytes();
            return;
        case TensorRole::Input:
        case TensorRole::Target:
        case TensorRole::Activation:
        case TensorRole::Gradient:
            return addFlow(tensor);
        case TensorRole::Constant:
        case TensorRole::Metric:
            return;
        }
    }

    [[nodiscard]] bool isOnHost(const Tensor& tensor, std::span<const core::OperationId> readers) const {
        return std::ranges::any_of(readers, [&](core::OperationId reader) {
            const auto tables = hostTables(m_graph.operation(reader));
            return std::ranges::find(tables, tensor.id) != tables.end();
        });
    }

    /// An accumulator or slot is where its variable is used: the update's other operand.
    [[nodiscard]] core::OperationId owner(const Tensor& tensor,
                                          std::span<const core::OperationId> readers) const {
        if (tensor.role != TensorRole::OptimizerSlot)
            return readers.front();
        for (const core::TensorId input : m_graph.operation(readers.front()).inputs)
            if (m_graph.tensor(input).role == TensorRole::Parameter)
                return m_uses.readers(input).front();
        return readers.front();
    }

    /// What crosses the cuts between where a value is made and where it is read, and what is kept.
    void addFlow(const Tensor& tensor) {
        const core::OperationId producer = m_uses.producer(tensor.id);
        const bool isForward = !producer.isValid() || m_graph.operation(producer).phase == Phase::Forward;
        const std::size_t home = producer.isValid() ? m_position[producer.index()] : 0;
        std::size_t lowest = home;
        std::size_t highest = home;
        bool isKept = false;
        for (const core::OperationId reader : m_uses.readers(tensor.id)) {
            const Phase phase = m_graph.operation(reader).phase;
            if (phase == Phase::WeightUpdate)
                continue;
            const std::size_t position = m_position[reader.index()];
            isKept = isKept || (isForward && phase == Phase::Backward);
            lowest = std::min(lowest, position);
            highest = std::max(highest, position);
        }
        if (isForward)
            for (std::size_t layer = home; layer < highest; ++layer)
                m_layers[layer].cutBytes += tensor.bytes();
        else
            for (std::size_t layer = lowest; layer < home; ++layer)
                m_backBytes[layer] += tensor.bytes();
        if (isKept && m_uses.storage(tensor.id) == tensor.id)
            m_layers[home].activationBytes += tensor.bytes();
    }

    [[nodiscard]] std::int64_t copyCycles(std::int64_t bytes) const {
        if (bytes == 0)
            return 0;
        const IpuTarget& target = m_source.system.target;
        return target.cyclesIn(static_cast<double>(bytes) / routeBetween(target, 0, 1).bytesPerSecond)
            .value();
    }

    const PartitionSource& m_source;
    const TrainingGraph& m_graph;
    TensorUses m_uses;
    std::vector<LayerCost>& m_layers;
    std::vector<std::size_t> m_position;
    std::vector<bool> m_isNeeded = std::vector<bool>(m_graph.operations.size(), false);
    std::vector<std::int64_t> m_backBytes = std::vector<std::int64_t>(m_layers.size(), 0);
};

PartitionSource sourceOf(const core::ValidatedProject& project) {
    PartitionSource source;
    for (const core::TypedInvocation& invocation : project.graph().invocations) {
        const bool isInput = project.graph().layerOf(invocation.id).className == "InputLayer";
        source.layerOf.push_back(isInput ? std::nullopt : std::optional(source.layers++));
    }
    source.schedule = project.project().pipeline.schedule;
    source.recompute = core::optionIsOn(project.project().ipuConfig, "allow_recompute");
    source.recomputedStages = project.project().pipeline.recomputedStages;
    return source;
}

/// FIFO depths of a pipeline that is full, stage k on IPU k.
std::vector<std::int64_t> fullFifoDepths(const std::string& schedule, std::size_t stages, bool training) {
    core::PipelineShape shape{.stages = stages, .training = training, .deviceMapping = {}};
    shape.microBatches = core::fittingMicroBatches(core::scheduleDefinition(schedule), shape);
    const auto table = core::buildSchedule(schedule, shape);
    return table ? table->fifoDepths : std::vector<std::int64_t>(stages, 0);
}

} // namespace

PartitionProblem partitionProblem(const PartitionSource& source, const PartitionRequest& request) {
    PartitionProblem problem;
    problem.layers.resize(source.layers);
    problem.stages = request.stages;
    problem.objective = request.objective;
    problem.timeShare = request.timeShare;
    problem.locks = request.locks;
    problem.alternatives = request.alternatives;
    problem.recompute = source.recompute && source.graph.training;
    problem.recomputedStages = source.recomputedStages;
    problem.fifoDepths = fullFifoDepths(source.schedule, request.stages, source.graph.training);
    if (source.layers > 0)
        ChainPricer(source, problem.layers).price();
    return problem;
}

core::Result<PartitionSource> partitionSource(const core::ValidatedProject& project, CompilationCache& cache,
                                              const std::filesystem::path& folder) {
    auto system = systemOf(project, folder);
    if (!system)
        return core::failure(std::move(system.error()));
    auto graph = cache.trainingGraph(project);
    if (!graph)
        return core::failure(std::move(graph.error()));
    PartitionSource source = sourceOf(project);
    source.system = *system;
    CompileOptions options = compileOptions(project);
    source.computeTiles = computeTiles(system->target, options.ioTiles);
    // One stage: options that name stages have no meaning for layers that may be on any of them.
    options.stages.count = 1;
    options.stages.ipus.resize(1);
    options.stages.ofInvocation.assign(options.stages.ofInvocation.size(), core::StageId(0));
    const StagedGraph staged = assignStages(std::move(*graph), options.stages);
    source.plans = planOperations(staged, source.system, options, cache.plans());
    source.graph = staged.graph;
    return source;
}

core::Result<PartitionProblem> partitionProblem(const core::ValidatedProject& project,
                                                const PartitionRequest& request, CompilationCache& cache,
                                                const std::filesystem::path& folder) {
    const auto source = partitionSource(project, cache, folder);
    if (!source)
        return core::failure(source.error());
    return partitionProblem(*source, request);
}

} // namespace simulator
