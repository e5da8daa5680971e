#include "simulator/numerics/sequence/operation_sequence.h"

#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/user_library_host.h"

#include <algorithm>
#include <array>
#include <set>

namespace simulator {
namespace {

using core::OperationId;
using core::TensorId;

/// Where the tensors of a sequence go: each belongs to a storage, several may share one.
class StoragePlan {
public:
    StoragePlan(const SequenceRequest& request, const std::vector<FusedOperation>& groups)
        : m_request(request)
        , m_graph(*request.graph)
        , m_groups(groups)
        , m_storageOf(m_graph.tensors.size(), nowhere) {
        for (const TensorId id : request.kept)
            m_kept.insert(id);
        findLastUses();
        for (std::size_t step = 0; step < groups.size(); ++step)
            placeOutputs(step);
    }

    /// Offsets of the storages and the arena's size without scratch.
    std::size_t place() {
        std::vector<ArenaBlock> blocks;
        for (const Storage& storage : m_storages)
            blocks.push_back(storage.block);
        const std::size_t bytes = planArena(blocks);
        for (std::size_t i = 0; i < blocks.size(); ++i)
            m_storages[i].block.offset = blocks[i].offset;
        return bytes;
    }

    /// Outside address, or arena + offset; null for tensors that nobody stores.
    [[nodiscard]] std::byte* address(TensorId id, std::byte* arena) const {
        const auto outside = m_request.outside.find(rootOf(id));
        if (outside != m_request.outside.end())
            return outside->second;
        const std::size_t storage = m_storageOf[id.index()];
        return storage == nowhere ? nullptr : arena + m_storages[storage].block.offset;
    }

    [[nodiscard]] bool isAliasStep(std::size_t step) const { return m_aliasSteps.contains(step); }

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    struct Storage {
        ArenaBlock block;
    };

    void findLastUses() {
        m_lastUse.assign(m_graph.tensors.size(), 0);
        for (std::size_t step = 0; step < m_groups.size(); ++step) {
            for (const OperationId member : m_groups[step].members) {
                for (const TensorId id : m_graph.operation(member).inputs)
                    m_lastUse[id.index()] = step;
            }
        }
        for (const TensorId id : m_kept)
            m_lastUse[id.index()] = m_groups.size();
    }

    [[nodiscard]] bool isOutside(TensorId id) const { return m_request.outside.contains(rootOf(id)); }

    /// The tensor a view is a view of.
    [[nodiscard]] TensorId rootOf(TensorId id) const {
        const auto it = m_viewOf.find(id);
        return it == m_viewOf.end() ? id : it->second;
    }

    void placeOutputs(std::size_t step) {
        const FusedOperation& group = m_groups[step];
        const Operation& main = m_graph.operation(group.main);
        if (group.members.size() == 1 && isAlias(main) && aliases(main, step))
            return;
        std::vector<TensorId> outputs = main.outputs;
        if (group.members.size() > 1)
            outputs = {group.output};
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (!isOutside(outputs[i]) && m_storageOf[outputs[i].index()] == nowhere)
                placeOutput(outputs[i], main, group.members.size() == 1 && i == 0, step);
        }
    }

    /// A view of its input; not of something that is rewritten in place.
    bool aliases(const Operation& operation, std::size_t step) {
        const TensorId input = operation.inputs.front();
        const TensorId output = operation.outputs.front();
        const TensorRole role = m_graph.tensor(rootOf(input)).role;
        if (isOutside(output) || role == TensorRole::State || role == TensorRole::Accumulator)
            return false;
        if (isOutside(input)) {
            m_viewOf[output] = rootOf(input);
        } else {
            const std::size_t storage = m_storageOf[input.index()];
            m_storageOf[output.index()] = storage;
            extend(storage, output);
        }
        m_aliasSteps.insert(step);
        return true;
    }

    void extend(std::size_t storage, TensorId id) {
        std::size_t& last = m_storages[storage].block.last;
        last = std::max(last, m_lastUse[id.index()]);
    }

    void placeOutput(TensorId id, const Operation& operation, bool mayShare, std::size_t step) {
        const Tensor& tensor = m_graph.tensor(id);
        for (std::size_t i = 0; mayShare && i < operation.inputs.size(); ++i) {
            const TensorId input = operation.inputs[i];
            const std::size_t storage = m_storageOf[input.index()];
            const bool isSame =
                m_graph.tensor(input).extents == tensor.extents && m_graph.tensor(input).type == tensor.type;
            if (storage == nowhere || !isSame || !allowsInPlace(operation, i) ||
                m_storages[storage].block.last != step)
                continue;
            m_storageOf[id.index()] = storage;
            extend(storage, id);
            return;
        }
        m_storageOf[id.index()] = m_storages.size();
        m_storages.push_back(
            {{static_cast<std::size_t>(tensor.bytes()), step, std::max(step, m_lastUse[id.index()]), 0}});
    }

    const SequenceRequest& m_request;
    const TrainingGraph& m_graph;
    const std::vector<FusedOperation>& m_groups;
    std::set<TensorId> m_kept;
    std::vector<std::size_t> m_lastUse;
    std::vector<std::size_t> m_storageOf;
    std::vector<Storage> m_storages;
    std::map<TensorId, TensorId> m_viewOf;
    std::set<std::size_t> m_aliasSteps;
};

/// The request of one group with addresses where they are known.
BindRequest bindRequest(const SequenceRequest& sequence, const FusedOperation& group, const StoragePlan& plan,
                        std::byte* arena, std::byte* scratch) {
    const TrainingGraph& graph = *sequence.graph;
    const Operation& main = graph.operation(group.main);
    const auto operand = [&](TensorId id) { return Operand{&graph.tensor(id), plan.address(id, arena)}; };
    BindRequest request;
    request.operation = &main;
    for (const TensorId id : main.inputs)
        request.inputs.push_back(operand(id));
    if (group.members.size() > 1) {
        request.outputs.push_back(operand(group.output));
    } else {
        for (const TensorId id : main.outputs)
            request.outputs.push_back(operand(id));
    }
    if (group.bias.isValid())
        request.end.bias = operand(group.bias);
    if (group.normalization.isValid()) {
        const Operation& operation = graph.operation(group.normalization);
        request.end.normalization = {operand(operation.inputs[1]), operand(operation.inputs[2]),
                                     operand(operation.inputs[3]), operand(operation.inputs[4]),
                                     std::get<Normalization>(operation.attributes).epsilon};
    }
    if (group.addend.isValid())
        request.end.addend = operand(group.addend);
    request.end.relu = group.relu;
    request.end.accumulate = group.accumulate;
    if (group.update.isValid()) {
        request.end.update = &graph.operation(group.update);
        for (const TensorId id : request.end.update->outputs)
            request.end.updated.push_back(operand(id));
    }
    request.sharedScratch = scratch;
    request.half = sequence.half;
    request.libraries = sequence.libraries;
    return request;
}

} // namespace

core::Result<OperationSequence> OperationSequence::make(SequenceRequest request) {
    const TrainingGraph& graph = *request.graph;
    std::set<TensorId> kept(request.kept.begin(), request.kept.end());
    const auto isNeededOutside = [&](TensorId id) {
        return kept.contains(id) || !request.fuses || request.outside.contains(id);
    };
    if (!request.libraries)
        request.libraries = std::make_shared<UserLibraryHost>();
    OperationSequence sequence;
    std::vector<FusedOperation> groups = fuseOperations(graph, request.operations, isNeededOutside);
    StoragePlan plan(request, groups);
    const std::size_t arenaBytes = plan.place();
    // First with addresses that are never followed: how much scratch does the hungriest operation want?
    std::array<std::byte, 64> nowhere{};
    std::size_t scratchBytes = 0;
    for (std::size_t step = 0; step < groups.size(); ++step) {
        if (plan.isAliasStep(step))
            continue;
        BindRequest measured = bindRequest(request, groups[step], plan, nowhere.data(), nowhere.data());
        if (const auto bound = bindOperation(measured); !bound)
            return core::failure(bound.error());
        scratchBytes = std::max(scratchBytes, measured.sharedScratchUsed);
    }
    sequence.m_arena = AlignedMemory(arenaBytes + scratchBytes);
    std::byte* arena = sequence.m_arena.data();
    for (std::size_t step = 0; step < groups.size(); ++step) {
        if (plan.isAliasStep(step))
            continue;
        BindRequest final = bindRequest(request, groups[step], plan, arena, arena + arenaBytes);
        sequence.m_bound.push_back(*bindOperation(final));
        sequence.m_threadScratch = std::max(sequence.m_threadScratch, sequence.m_bound.back().threadScratch);
        sequence.m_groups.push_back(groups[step]);
    }
    for (const TensorId id : request.kept)
        sequence.m_addresses[id] = plan.address(id, arena);
    sequence.m_addresses.insert(request.outside.begin(), request.outside.end());
    return sequence;
}

void OperationSequence::runOne(std::size_t index, const StepState& state, ThreadPool& pool) const {
    for (const BoundPhase& phase : m_bound[index].phases) {
        pool.run(phase.parts,
                 [&](std::int64_t part, unsigned thread) { phase.run(state, part, pool.scratch(thread)); });
    }
}

void OperationSequence::run(const StepState& state, ThreadPool& pool) const {
    for (std::size_t i = 0; i < m_bound.size(); ++i)
        runOne(i, state, pool);
}

std::byte* OperationSequence::address(TensorId id) const {
    const auto it = m_addresses.find(id);
    return it == m_addresses.end() ? nullptr : it->second;
}

} // namespace simulator
