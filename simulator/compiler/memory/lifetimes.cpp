#include "simulator/compiler/memory/lifetimes.h"

#include <algorithm>
#include <array>
#include <map>

namespace simulator {

namespace {

using core::TensorId;

constexpr std::int32_t none = -1;

/// A value under construction.
struct Value {
    TensorId tensor;
    core::StageId stage;
    BlockKind kind = BlockKind::Tensor;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    /// Last reader in the next slot; none.
    std::int64_t nextSlotLast = none;
    /// The value whose memory it took over.
    std::int32_t inPlaceOf = none;
    /// It took over the buffer of an input, which is there all the time.
    bool isInInput = false;
};

/// Where a stage finds a tensor: a value, and whether it was made a slot earlier.
struct Found {
    std::int32_t value = none;
    bool fromSlotBefore = false;
};

/// What one stage knows of each tensor.
struct StageValues {
    explicit StageValues(std::size_t tensors)
        : own(tensors)
        , popped(tensors, none)
        , again(tensors, none)
        , depth(tensors, none)
        , held(tensors, none) {}

    /// Made here or arrived here.
    std::vector<Found> own;
    std::vector<std::int32_t> popped;
    std::vector<std::int32_t> again;
    /// FIFO depth of a stash.
    std::vector<std::int64_t> depth;
    /// What the weight gradients of their own take out of a FIFO.
    std::vector<std::int32_t> held;
};

class LifetimeFinder {
public:
    LifetimeFinder(const KeptGraph& staged, const TensorUses& uses, const IpuProgramOrder& order,
                   std::int64_t serializedEntries)
        : m_staged(staged)
        , m_graph(staged.graph)
        , m_uses(uses)
        , m_order(order)
        , m_serializedEntries(serializedEntries) {
        for (const ProgramSegment& segment : order.segments) {
            m_segments[segment.stage.index()][static_cast<std::size_t>(segment.phase)] = &segment;
            if (!m_stages.contains(segment.stage.index()))
                m_stages.emplace(segment.stage.index(), StageValues(m_graph.tensors.size()));
        }
    }

    std::vector<Lifetime> find() {
        for (auto& [stage, values] : m_stages)
            followForward(stage, values);
        for (auto it = m_stages.rbegin(); it != m_stages.rend(); ++it)
            followBackward(it->first, it->second);
        for (auto& [stage, values] : m_stages)
            followUpdate(stage, values);
        shareInPlace();
        return finish();
    }

private:
    // --- values -------------------------------------------------------------------------------------------

    std::int32_t make(TensorId tensor, std::size_t stage, BlockKind kind, std::uint32_t step) {
        m_values.push_back({tensor, core::StageId(stage), kind, step, step, none, none});
        return static_cast<std::int32_t>(m_values.size()) - 1;
    }

    void read(std::int32_t index, std::uint32_t step, bool inNextSlot) {
        if (index == none)
            return;
        Value& value = m_values[static_cast<std::size_t>(index)];
        if (inNextSlot)
            value.nextSlotLast = std::max<std::int64_t>(value.nextSlotLast, step);
        else
            value.last = std::max(value.last, step);
    }
    void read(Found found, std::uint32_t step, bool inNextSlot = false) {
        read(found.value, step, inNextSlot || found.fromSlotBefore);
    }

    [[nodiscard]] const ProgramSegment& segment(std::size_t stage, Phase phase) const {
        static const ProgramSegment empty;
        const ProgramSegment* found = m_segments.at(stage)[static_cast<std::size_t>(phase)];
        return found ? *found : empty;
    }
    [[nodiscard]] static std::uint32_t lastStepOf(const ProgramSegment& segment) {
        return segment.operations.empty() ? segment.firstStep : segment.endStep() - 1;
    }

    // --- between stages -----------------------------------------------------------------------------------

    /// Gives a stage what other stages send it, before it runs.
    void receive(std::size_t stage, StageValues& values, Phase phase) {
        const ProgramSegment& program = segment(stage, phase);
        for (const StageTransfer& transfer : m_staged.transfers) {
            if (transfer.to.index() != stage || transfer.phase != phase)
                continue;
            const TensorId tensor = m_uses.storage(transfer.tensor);
            if (values.own[tensor.index()].value != none)
                continue;
            if (transfer.path == TransferPath::Direct) {
                values.own[tensor.index()] = m_stages.at(transfer.from.index()).own[tensor.index()];
                values.own[tensor.index()].fromSlotBefore |= m_order.overlapsMicroBatches;
                continue;
            }
            const bool isFifo = transfer.path == TransferPath::LocalFifo || transfer.fifoDepth > 0;
            if (isFifo)
                addFifo(tensor, stage, transfer.fifoDepth);
            // It lands in the exchange that ends the slot before.
            const bool overlaps = m_order.overlapsMicroBatches;
            const std::int32_t value = make(tensor, stage, isFifo ? BlockKind::Popped : BlockKind::Arrival,
                                            overlaps ? m_order.slotEnd : program.firstStep);
            values.own[tensor.index()] = {value, overlaps};
            read(values.own[tensor.index()], program.firstStep);
        }
    }

    /// What leaves is alive until the copies that end the slot, or the stage step.
    void send(std::size_t stage, StageValues& values, Phase phase) {
        const std::uint32_t end =
            m_order.overlapsMicroBatches ? m_order.slotEnd : lastStepOf(segment(stage, phase));
        for (const StageTransfer& transfer : m_staged.transfers)
            if (transfer.from.index() == stage && transfer.phase == phase &&
                transfer.path != TransferPath::Direct)
                read(values.own[m_uses.storage(transfer.tensor).index()], end);
    }

    void addFifo(TensorId tensor, std::size_t stage, std::int64_t depth) {
        if (depth > 0)
            m_lifetimes.push_back({tensor,
                                   core::StageId(stage),
                                   BlockKind::Fifo,
                                   core::MemoryCategory::Stash,
                                   {0, m_order.slotEnd},
                                   depth});
    }

    // --- programs -----------------------------------------------------------------------------------------

    void followForward(std::size_t stage, StageValues& values) {
        receive(stage, values, Phase::Forward);
        const ProgramSegment& program = segment(stage, Phase::Forward);
        run(program, [&](const Operation& operation, std::uint32_t step) {
            for (const TensorId input : operation.inputs)
                read(values.own[m_uses.storage(input).index()], step);
            makeOutputs(operation, stage, step, values);
        });
        send(stage, values, Phase::Forward);
        if (stage + 1 == m_staged.stageCount)
            feedOut(values);
        pushStashes(stage, values);
        recompute(stage, values);
    }

    /// What the host gets waits for the outfeed.
    void feedOut(StageValues& values) {
        for (const TensorId value : m_staged.outfeeds)
            read(values.own[m_uses.storage(value).index()], m_order.slotEnd);
    }

    void makeOutputs(const Operation& operation, std::size_t stage, std::uint32_t step, StageValues& values) {
        for (const TensorId output : operation.outputs)
            if (isTransient(m_graph.tensor(output).role) && m_uses.storage(output) == output)
                values.own[output.index()] = {make(output, stage, BlockKind::Tensor, step), false};
    }

    void pushStashes(std::size_t stage, StageValues& values) {
        for (const Stash& stash : m_staged.stashes) {
            if (stash.stage.index() != stage)
                continue;
            values.depth[stash.tensor.index()] = stash.depth;
            if (stash.depth == 0)
                continue;
            read(values.own[stash.tensor.index()], m_order.fifoStep);
            if (!stash.offloaded)
                addFifo(stash.tensor, stage, stash.depth);
            values.popped[stash.tensor.index()] =
                make(stash.tensor, stage, BlockKind::Popped, m_order.fifoStep);
        }
    }

    void recompute(std::size_t stage, StageValues& values) {
        const ProgramSegment& program = segment(stage, Phase::Recompute);
        run(program, [&](const Operation& operation, std::uint32_t step) {
            readAgain(operation, step, values);
            makeAgain(operation, stage, step, values);
        });
        if (!program.operations.empty())
            cloneInputs(stage, values);
    }

    void readAgain(const Operation& operation, std::uint32_t step, StageValues& values) {
        for (const TensorId input : operation.inputs) {
            const std::size_t tensor = m_uses.storage(input).index();
            if (values.again[tensor] != none)
                read(values.again[tensor], step, false);
            else
                readKept(tensor, step, values, false);
        }
    }

    void makeAgain(const Operation& operation, std::size_t stage, std::uint32_t step, StageValues& values) {
        for (const TensorId output : operation.outputs)
            if (isTransient(m_graph.tensor(output).role) && m_uses.storage(output) == output)
                values.again[output.index()] = make(output, stage, BlockKind::Recomputed, step);
    }

    /// A value from the forward pass, out of its FIFO or still alive.
    void readKept(std::size_t tensor, std::uint32_t step, StageValues& values, bool inNextSlot) {
        if (values.popped[tensor] != none)
            return read(values.popped[tensor], step, inNextSlot);
        read(values.own[tensor], step, inNextSlot && values.depth[tensor] == 0);
    }

    void cloneInputs(std::size_t stage, const StageValues& values) {
        const std::uint32_t first = segment(stage, Phase::Forward).firstStep;
        for (const Stash& stash : m_staged.stashes)
            if (stash.stage.index() == stage && values.popped[stash.tensor.index()] != none)
                m_lifetimes.push_back({stash.tensor,
                                       stash.stage,
                                       BlockKind::Clone,
                                       core::MemoryCategory::Activations,
                                       {first, lastStepOf(segment(stage, Phase::Recompute))},
                                       1});
    }

    void followBackward(std::size_t stage, StageValues& values) {
        receive(stage, values, Phase::Backward);
        const bool isNextSlot = m_order.overlapsMicroBatches;
        run(segment(stage, Phase::Backward), [&](const Operation& operation, std::uint32_t step) {
            if (operation.phase == Phase::Forward) {
                readForwardAgain(operation, step, values);
                return makeAgain(operation, stage, step, values);
            }
            for (const TensorId input : operation.inputs)
                readBackward(m_uses.storage(input), step, values, isNextSlot);
            makeOutputs(operation, stage, step, values);
        });
        send(stage, values, Phase::Backward);
        followWeightGradients(stage, values);
    }

    /// Weight gradients read what the backward pass of their micro-batch left: through FIFOs where other
    /// backward passes come between.
    void followWeightGradients(std::size_t stage, StageValues& values) {
        const ProgramSegment& program = segment(stage, Phase::WeightGradient);
        if (program.operations.empty())
            return;
        const std::uint32_t pushed = lastStepOf(segment(stage, Phase::Backward));
        for (const Stash& stash : m_staged.gradientStashes) {
            if (stash.stage.index() != stage || stash.depth == 0)
                continue;
            readBackward(stash.tensor, pushed, values, m_order.overlapsMicroBatches);
            if (!stash.offloaded)
                addFifo(stash.tensor, stage, stash.depth);
            values.held[stash.tensor.index()] =
                make(stash.tensor, stage, BlockKind::Popped, program.firstStep);
        }
        run(program, [&](const Operation& operation, std::uint32_t step) {
            for (const TensorId input : operation.inputs) {
                const TensorId tensor = m_uses.storage(input);
                if (values.held[tensor.index()] != none)
                    read(values.held[tensor.index()], step, false);
                else
                    readBackward(tensor, step, values, m_order.overlapsMicroBatches);
            }
            makeOutputs(operation, stage, step, values);
        });
    }

    /// A recomputed operation inside the backward program.
    void readForwardAgain(const Operation& operation, std::uint32_t step, StageValues& values) {
        for (const TensorId input : operation.inputs) {
            const std::size_t tensor = m_uses.storage(input).index();
            if (values.again[tensor] != none)
                read(values.again[tensor], step, false);
            else
                readKept(tensor, step, values, m_order.overlapsMicroBatches);
        }
    }

    void readBackward(TensorId tensor, std::uint32_t step, StageValues& values, bool isNextSlot) {
        const core::OperationId producer = m_uses.producer(tensor);
        const bool isForward = isHostFed(m_graph.tensor(tensor).role) ||
                               (producer.isValid() && m_graph.operation(producer).phase == Phase::Forward);
        if (!isForward)
            return read(values.own[tensor.index()], step);
        if (values.again[tensor.index()] != none)
            return read(values.again[tensor.index()], step, isNextSlot && !m_staged.recomputeInsideBackward);
        readKept(tensor.index(), step, values, isNextSlot);
    }

    void followUpdate(std::size_t stage, StageValues& values) {
        receive(stage, values, Phase::WeightUpdate);
        run(segment(stage, Phase::WeightUpdate), [&](const Operation& operation, std::uint32_t step) {
            for (const TensorId input : operation.inputs)
                read(values.own[m_uses.storage(input).index()].value, step, false);
            makeOutputs(operation, stage, step, values);
        });
    }

    template <class Visit>
    void run(const ProgramSegment& program, Visit visit) {
        std::uint32_t step = program.firstStep;
        for (const core::OperationId id : program.operations)
            visit(m_graph.operation(id), step++);
    }

    // --- in place -----------------------------------------------------------------------------------------

    /// Lets the output of an element-wise operation take over an operand that ends with it.
    void shareInPlace() {
        std::vector<std::vector<std::int32_t>> ending(m_order.steps.size());
        for (std::size_t index = 0; index < m_values.size(); ++index)
            if (m_values[index].nextSlotLast == none && m_values[index].kind != BlockKind::Arrival)
                ending[m_values[index].last].push_back(static_cast<std::int32_t>(index));
        for (std::size_t index = 0; index < m_values.size(); ++index) {
            Value& value = m_values[index];
            if (value.kind != BlockKind::Tensor && value.kind != BlockKind::Recomputed)
                continue;
            const core::OperationId maker = m_order.steps[value.first].operation;
            if (isElementwise(m_graph.operation(maker).attributes))
                takeOver(static_cast<std::int32_t>(index), m_graph.operation(maker), ending[value.first]);
        }
    }

    void takeOver(std::int32_t index, const Operation& maker, std::vector<std::int32_t>& ending) {
        Value& value = m_values[static_cast<std::size_t>(index)];
        const std::int64_t bytes = m_graph.tensor(value.tensor).bytes();
        for (std::int32_t& candidate : ending) {
            if (candidate == none || candidate == index)
                continue;
            const Value& operand = m_values[static_cast<std::size_t>(candidate)];
            const bool isOperand = std::ranges::any_of(
                maker.inputs, [&](TensorId input) { return m_uses.storage(input) == operand.tensor; });
            if (!isOperand || operand.first == value.first || m_graph.tensor(operand.tensor).bytes() != bytes)
                continue;
            value.inPlaceOf = candidate;
            candidate = none;
            return;
        }
        value.isInInput = std::ranges::any_of(
            maker.inputs, [&](TensorId input) { return endsAsInput(m_uses.storage(input), bytes); });
    }

    /// Whether the host fills a buffer of this size anew before anything else reads it.
    [[nodiscard]] bool endsAsInput(TensorId input, std::int64_t bytes) const {
        const bool isOneProgram = m_staged.stageCount == 1 && m_serializedEntries == 1 &&
                                  segment(0, Phase::Recompute).operations.empty();
        return isOneProgram && isHostFed(m_graph.tensor(input).role) &&
               m_graph.tensor(input).bytes() == bytes && m_uses.readers(input).size() == 1 &&
               std::ranges::find(m_staged.outfeeds, input) == m_staged.outfeeds.end();
    }

    // --- result -------------------------------------------------------------------------------------------

    std::vector<Lifetime> finish() {
        // Values are in no particular order of time: resolve each chain to the value that began it.
        std::vector<std::int32_t> holder(m_values.size());
        for (std::size_t index = 0; index < m_values.size(); ++index)
            holder[index] = holderOf(static_cast<std::int32_t>(index));
        for (std::size_t index = 0; index < m_values.size(); ++index) {
            Value& begin = m_values[static_cast<std::size_t>(holder[index])];
            begin.last = std::max(begin.last, m_values[index].last);
            begin.nextSlotLast = std::max(begin.nextSlotLast, m_values[index].nextSlotLast);
        }
        for (std::size_t index = 0; index < m_values.size(); ++index)
            if (holder[index] == static_cast<std::int32_t>(index) && !m_values[index].isInInput)
                m_lifetimes.push_back(lifetimeOf(m_values[index]));
        return std::move(m_lifetimes);
    }

    [[nodiscard]] std::int32_t holderOf(std::int32_t index) const {
        while (m_values[static_cast<std::size_t>(index)].inPlaceOf != none)
            index = m_values[static_cast<std::size_t>(index)].inPlaceOf;
        return index;
    }

    [[nodiscard]] Lifetime lifetimeOf(const Value& value) const {
        Lifetime lifetime{value.tensor,
                          value.stage,
                          value.kind,
                          core::MemoryCategory::Activations,
                          {value.first, value.last},
                          1};
        if (m_serializedEntries > 1 && crossesPrograms(value)) {
            lifetime.category = core::MemoryCategory::Stash;
            lifetime.copies = m_serializedEntries;
        }
        if (value.nextSlotLast == none)
            return lifetime;
        const auto last = static_cast<std::uint32_t>(value.nextSlotLast);
        lifetime.interval =
            last >= value.first ? LiveInterval{0, m_order.slotEnd} : LiveInterval{value.first, last};
        return lifetime;
    }

    [[nodiscard]] bool crossesPrograms(const Value& value) const {
        const MemoryStep& first = m_order.steps[value.first];
        const MemoryStep& last = m_order.steps[value.last];
        return first.stage != last.stage || first.phase != last.phase;
    }

    const KeptGraph& m_staged;
    const TrainingGraph& m_graph;
    const TensorUses& m_uses;
    const IpuProgramOrder& m_order;
    std::int64_t m_serializedEntries;
    std::map<std::size_t, std::array<const ProgramSegment*, core::phaseCount>> m_segments;
    std::map<std::size_t, StageValues> m_stages;
    std::vector<Value> m_values;
    std::vector<Lifetime> m_lifetimes;
};

} // namespace

bool isElementwise(const OperationAttributes& attributes) {
    return std::holds_alternative<Unary>(attributes) || std::holds_alternative<UnaryGradient>(attributes) ||
           std::holds_alternative<Binary>(attributes) || std::holds_alternative<Select>(attributes) ||
           std::holds_alternative<DropoutGradient>(attributes) || std::holds_alternative<Cast>(attributes);
}

std::vector<Lifetime> lifetimes(const KeptGraph& staged, const TensorUses& uses, const IpuProgramOrder& order,
                                std::int64_t serializedEntries) {
    return LifetimeFinder(staged, uses, order, serializedEntries).find();
}

} // namespace simulator
