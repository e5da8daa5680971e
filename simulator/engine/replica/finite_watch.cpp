#include "simulator/engine/replica/finite_watch.h"

#include "core/config/ipu_config/ipu_config_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace simulator {
namespace {

using core::TensorId;

bool areFinite(const float* values, std::int64_t count) {
    // An exponent of ones says infinity or NaN; kept free of branches, so that it runs as fast as memory.
    constexpr std::uint32_t exponent = 0x7f800000;
    bool isFinite = true;
    for (std::int64_t i = 0; i < count; ++i)
        isFinite &= (std::bit_cast<std::uint32_t>(values[i]) & exponent) != exponent;
    return isFinite;
}

/// A copy of a replica's stored tensors, and its operations one by one with everything they compute kept.
class OperationWalk {
public:
    explicit OperationWalk(const TrainingReplica& replica)
        : m_graph(replica.graph())
        , m_libraries(replica.program().libraries)
        , m_store(m_graph) {
        for (const auto& [id, address] : m_store.addresses())
            std::memcpy(address, replica.store().address(id),
                        static_cast<std::size_t>(m_graph.tensor(id).bytes()));
    }

    core::Result<void> bind() {
        SequenceRequest request{&m_graph, {}, m_store.addresses(), {}, false, {}, m_libraries};
        for (const Operation& operation : m_graph.operations) {
            if (operation.phase == Phase::WeightUpdate)
                continue;
            request.operations.push_back(operation.id);
            for (const TensorId output : operation.outputs)
                if (isTransient(m_graph.tensor(output).role))
                    request.kept.push_back(output);
        }
        auto made = OperationSequence::make(std::move(request));
        if (!made)
            return core::failure(made.error());
        m_sequence.emplace(std::move(*made));
        return {};
    }

    /// The first operation of a micro-batch that makes such a value of finite operands.
    std::optional<NotFinite> walk(const StepState& state, ThreadPool& pool) {
        pool.reserveScratch(m_sequence->threadScratch());
        for (const auto& [id, address] : m_store.addresses()) {
            const TensorRole role = m_graph.tensor(id).role;
            const bool isRead = isHostFed(role) || role == TensorRole::Parameter;
            if (isRead && !simulator::isFinite(m_graph.tensor(id), address))
                return NotFinite{state.microBatch, {}, id};
        }
        for (std::size_t i = 0; i < m_sequence->size(); ++i) {
            const Operation& operation = m_graph.operation(m_sequence->group(i).main);
            // Whatever it rewrites may have been broken by an earlier micro-batch.
            const bool startsFinite = areAllFinite(operation.inputs);
            m_sequence->runOne(i, state, pool);
            if (startsFinite && !areAllFinite(operation.outputs))
                return NotFinite{state.microBatch, operation.id, operation.outputs.front()};
        }
        return std::nullopt;
    }

    [[nodiscard]] TensorStore& store() { return m_store; }

private:
    [[nodiscard]] bool areAllFinite(const std::vector<TensorId>& tensors) const {
        return std::ranges::all_of(tensors, [this](TensorId id) {
            const std::byte* data = m_sequence->address(id);
            return data == nullptr || simulator::isFinite(m_graph.tensor(id), data);
        });
    }

    const TrainingGraph& m_graph;
    std::shared_ptr<UserLibraryHost> m_libraries;
    TensorStore m_store;
    std::optional<OperationSequence> m_sequence;
};

/// What made the value, and the call of a layer that it comes from.
std::pair<core::InvocationId, std::string> causeOf(const NotFinite& found, const TrainingGraph& graph) {
    if (found.operation.isValid()) {
        const Operation& operation = graph.operation(found.operation);
        return {operation.origin, fmt::format("\"{}\" is the first to make one", operation.name)};
    }
    if (!found.tensor.isValid())
        return {{}, "it is the loss of finite values"};
    const Tensor& tensor = graph.tensor(found.tensor);
    if (isHostFed(tensor.role))
        return {tensor.origin, fmt::format("the dataset brings one to \"{}\"", tensor.name)};
    return {tensor.origin, fmt::format("the {} of \"{}\" is the first to be one",
                                       tensor.role == TensorRole::Parameter ? "update" : "sum", tensor.name)};
}

} // namespace

bool isFinite(const Tensor& tensor, const std::byte* data) {
    if (tensor.type == core::DataType::Float32)
        return areFinite(reinterpret_cast<const float*>(data), tensor.elements());
    if (!core::isFloating(tensor.type))
        return true;
    const std::vector<float> values = readElements(tensor, data);
    return areFinite(values.data(), tensor.elements());
}

TensorId firstNotFiniteGradient(const TrainingReplica& replica) {
    for (const TensorId id : replica.watched())
        if (!isFinite(replica.graph().tensor(id), replica.address(id)))
            return id;
    return {};
}

TensorId firstNotFiniteWeight(const TrainingReplica& replica) {
    for (const ParameterSlots& slots : replica.graph().parameters)
        if (!isFinite(replica.graph().tensor(slots.parameter), replica.store().address(slots.parameter)))
            return slots.parameter;
    return {};
}

core::Result<std::optional<NotFinite>> findNotFiniteUpdate(const TrainingReplica& replica,
                                                           const StepState& state, ThreadPool& pool) {
    if (replica.program().deferred.empty())
        return std::optional<NotFinite>();
    const TrainingGraph& graph = replica.graph();
    SequenceRequest request{&graph, replica.program().deferred, replica.store().addresses(), {}, false};
    for (const core::OperationId id : request.operations) {
        request.kept.push_back(graph.operation(id).outputs.front());
        for (const TensorId input : graph.operation(id).inputs)
            request.outside[input] = replica.address(input);
    }
    auto products = OperationSequence::make(std::move(request));
    if (!products)
        return core::failure(products.error());
    pool.reserveScratch(products->threadScratch());
    products->run(state, pool);
    for (const core::OperationId id : replica.program().deferred) {
        const TensorId gradient = graph.operation(id).outputs.front();
        if (!isFinite(graph.tensor(gradient), products->address(gradient)))
            return NotFinite{0, id, gradient};
    }
    return std::optional<NotFinite>();
}

core::Result<std::optional<NotFinite>>
findNotFinite(const TrainingReplica& replica,
              const std::function<core::Result<void>(std::int64_t, TensorStore&)>& feed,
              const std::function<StepState(std::int64_t)>& state, ThreadPool& pool) {
    OperationWalk walk(replica);
    if (auto result = walk.bind(); !result)
        return core::failure(result.error());
    for (std::int64_t microBatch = 0; microBatch < replica.program().microBatches(); ++microBatch) {
        if (auto result = feed(microBatch, walk.store()); !result)
            return core::failure(result.error());
        if (auto found = walk.walk(state(microBatch), pool))
            return found;
    }
    return std::optional<NotFinite>();
}

core::Result<std::optional<core::Diagnostic>>
FiniteWatch::findInMicroBatches(const TrainingReplica& replica, TensorId gradient,
                                const std::function<core::Result<void>(std::int64_t, TensorStore&)>& feed,
                                const std::function<StepState(std::int64_t)>& state, ThreadPool& pool) {
    if (m_hasFound)
        return std::nullopt;
    const auto found = findNotFinite(replica, feed, state, pool);
    if (!found)
        return core::failure(found.error());
    return report(found->value_or(NotFinite{-1, {}, gradient}), replica, state(0));
}

core::Result<std::optional<core::Diagnostic>>
FiniteWatch::checkWeights(const TrainingReplica& replica, const StepState& state, ThreadPool& pool) {
    if (m_hasFound)
        return std::nullopt;
    const TensorId weight = firstNotFiniteWeight(replica);
    if (!weight.isValid())
        return std::nullopt;
    const auto found = findNotFiniteUpdate(replica, state, pool);
    if (!found)
        return core::failure(found.error());
    return report(found->value_or(NotFinite{-1, {}, weight}), replica, state);
}

core::Result<std::optional<core::Diagnostic>>
FiniteWatch::report(const NotFinite& found, const TrainingReplica& replica, const StepState& state) {
    m_hasFound = true;
    const auto [origin, what] = causeOf(found, replica.graph());
    const std::string where =
        found.microBatch < 0
            ? ""
            : fmt::format(", micro-batch {}", found.microBatch) +
                  (m_executable->system.replicas > 1 ? fmt::format(" of replica {}", state.replica) : "");
    core::Diagnostic diagnostic = core::makeWarning(
        core::Trouble::Negative, "numerics/not-finite",
        {{}, origin.isValid() ? m_executable->project.graph().layerOf(origin).path : std::string()},
        fmt::format("NaN or infinity in weight update {}{}: {}", state.update, where, what),
        {"lower the learning rate, clip gradients (clipnorm), or scale the loss in half precision"});
    const core::IpuConfig& config = m_executable->project.project().ipuConfig;
    const bool stops = std::ranges::any_of(std::array<core::FloatingPointBehaviour, 3>{"inv", "div0", "oflo"},
                                           [&](core::FloatingPointBehaviour behaviour) {
                                               return core::floatingPointBehaviourIsOn(config, behaviour);
                                           });
    if (!stops)
        return diagnostic;
    diagnostic.severity = core::Severity::Error;
    diagnostic.code = "runtime-error/floating-point-exception";
    return core::failure(std::move(diagnostic));
}

} // namespace simulator
