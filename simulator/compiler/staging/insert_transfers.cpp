#include "simulator/compiler/staging/insert_transfers.h"

#include "core/plan/schedule/schedule_facts.h"

#include <algorithm>

namespace simulator {

namespace {

/// Distance in the direction of travel: forward up the stages, backward down.
using Stage = std::int64_t;

class TransferFinder {
public:
    TransferFinder(const StagedGraph& staged, const TensorUses& uses, const core::PipelineSchedule& schedule,
                   bool isSharded)
        : m_staged(staged)
        , m_uses(uses)
        , m_schedule(schedule)
        , m_slots(schedule)
        , m_isSharded(isSharded)
        , m_readers(staged.stageCount)
        , m_holds(staged.stageCount)
        , m_isFedOut(staged.graph.tensors.size()) {
        for (const core::TensorId value : staged.outfeeds)
            m_isFedOut[value.index()] = true;
    }

    std::vector<StageTransfer> find() {
        for (const Tensor& tensor : m_staged.graph.tensors)
            if (isHostFed(tensor.role) || m_uses.producer(tensor.id).isValid())
                follow(tensor);
        return std::move(m_transfers);
    }

private:
    void follow(const Tensor& tensor) {
        const core::OperationId producer = m_uses.producer(tensor.id);
        const Phase phase = producer.isValid() ? m_staged.graph.operation(producer).phase : Phase::Forward;
        m_home = producer.isValid() ? static_cast<Stage>(m_staged.stageOf(producer).index()) : 0;
        m_tensor = &tensor;
        if (phase == Phase::WeightUpdate)
            return followUpdate(producer);
        m_direction = phase == Phase::Forward ? 1 : -1;
        if (!collectReaders())
            return;
        m_holds.assign(m_holds.size(), false);
        m_holds[index(m_home)] = true;
        for (Stage stage = m_home + m_direction; isStage(stage); stage += m_direction)
            if (m_readers[index(stage)])
                bring(stage);
    }

    static std::size_t index(Stage stage) { return static_cast<std::size_t>(stage); }
    [[nodiscard]] bool isStage(Stage stage) const { return stage >= 0 && index(stage) < m_staged.stageCount; }
    [[nodiscard]] bool sameIpu(Stage a, Stage b) const {
        return m_staged.ipus[index(a)] == m_staged.ipus[index(b)];
    }

    /// Marks the stages that read the tensor; true when one lies ahead of its home.
    bool collectReaders() {
        m_readers.assign(m_readers.size(), false);
        bool ahead = false;
        const auto mark = [&](Stage stage) {
            m_readers[index(stage)] = true;
            ahead = ahead || (stage - m_home) * m_direction > 0;
        };
        for (const core::OperationId reader : m_uses.readers(m_tensor->id))
            if (m_staged.graph.operation(reader).phase != Phase::WeightUpdate)
                mark(static_cast<Stage>(m_staged.stageOf(reader).index()));
        // Outfeeds leave from the last stage.
        if (m_isFedOut[m_tensor->id.index()])
            mark(static_cast<Stage>(m_staged.stageCount) - 1);
        return ahead;
    }

    /// From the nearest stage that already holds the value and can hand it over at once, else hop by hop.
    void bring(Stage stage) {
        if (m_holds[index(stage)])
            return;
        Stage nearest = m_home;
        for (Stage holder = stage - m_direction; isStage(holder) && (holder - m_home) * m_direction >= 0;
             holder -= m_direction) {
            if (!m_holds[index(holder)])
                continue;
            if (nearest == m_home)
                nearest = holder;
            if (m_schedule.shortensPassThrough && sameIpu(holder, stage))
                if (const Stage depth = queueDepth(holder, stage); depth > 0 || !shareSlot(holder, stage))
                    return add(holder, stage, depth > 0 ? TransferPath::LocalFifo : TransferPath::Direct);
        }
        if (m_isSharded)
            return add(m_home, stage, TransferPath::InterIpuCopy);
        for (Stage from = nearest; from != stage; from += m_direction)
            hop(from, from + m_direction);
    }

    [[nodiscard]] Phase phase() const { return m_direction > 0 ? Phase::Forward : Phase::Backward; }
    [[nodiscard]] Stage queueDepth(Stage from, Stage to) const {
        return m_slots.queueDepth(phase(), index(from), index(to));
    }
    [[nodiscard]] bool shareSlot(Stage from, Stage to) const {
        return m_slots.shareSlot(phase(), index(from), index(to));
    }

    /// Within an IPU a value that nobody may overwrite before it is read stays where it is.
    void hop(Stage from, Stage to) {
        if (!sameIpu(from, to))
            return add(from, to, TransferPath::InterIpuCopy);
        add(from, to,
            shareSlot(from, to)        ? TransferPath::IntraIpuCopy
            : queueDepth(from, to) > 0 ? TransferPath::LocalFifo
                                       : TransferPath::Direct);
    }

    void add(Stage from, Stage to, TransferPath path) {
        m_holds[index(to)] = true;
        m_transfers.push_back({m_tensor->id, core::StageId(index(from)), core::StageId(index(to)), phase(),
                               from != m_home && !m_readers[index(from)], m_tensor->bytes(), path,
                               queueDepth(from, to)});
    }

    /// Values of the weight update that another stage's update needs (a norm over all gradients).
    void followUpdate(core::OperationId producer) {
        const core::StageId from = m_staged.stageOf(producer);
        m_readers.assign(m_readers.size(), false);
        for (const core::OperationId reader : m_uses.readers(m_tensor->id)) {
            const core::StageId to = m_staged.stageOf(reader);
            if (to == from || m_readers[to.index()])
                continue;
            m_readers[to.index()] = true;
            const bool isLocal = m_staged.ipus[from.index()] == m_staged.ipus[to.index()];
            m_transfers.push_back({m_tensor->id, from, to, Phase::WeightUpdate, false, m_tensor->bytes(),
                                   isLocal ? TransferPath::Direct : TransferPath::InterIpuCopy, 0});
        }
    }

    const StagedGraph& m_staged;
    const TensorUses& m_uses;
    const core::PipelineSchedule& m_schedule;
    core::WorkSlots m_slots;
    bool m_isSharded;
    // Of the tensor being followed.
    const Tensor* m_tensor = nullptr;
    Stage m_home = 0;
    Stage m_direction = 1;
    std::vector<bool> m_readers;
    std::vector<bool> m_holds;
    std::vector<bool> m_isFedOut;
    std::vector<StageTransfer> m_transfers;
};

} // namespace

std::vector<StageTransfer> insertTransfers(const StagedGraph& staged, const TensorUses& uses,
                                           const core::PipelineSchedule& schedule, bool isSharded) {
    if (staged.stageCount < 2)
        return {};
    return TransferFinder(staged, uses, schedule, isSharded).find();
}

} // namespace simulator
