#pragma once

#include "simulator/engine/replica/training_stage.h"

#include <functional>
#include <span>
#include <stop_token>

namespace simulator {

/// One replica of a model with all its memory: weights, stages, FIFOs. Executes the slots of the pipeline's
/// schedule, then the weight update.
class TrainingReplica {
public:
    [[nodiscard]] static core::Result<TrainingReplica> make(std::shared_ptr<const TrainingProgram> program);

    [[nodiscard]] const TrainingGraph& graph() const { return m_program->graph(); }
    [[nodiscard]] const TrainingProgram& program() const { return *m_program; }
    [[nodiscard]] TensorStore& store() const { return *m_store; }

    /// What the caller does while micro-batches pass: `infeed` writes inputs and targets before the first
    /// stage runs, `outfeed` reads results as soon as they are all there. `state` of a micro-batch.
    struct Listener {
        std::function<core::Result<void>(std::int64_t microBatch)> infeed;
        std::function<StepState(std::int64_t microBatch)> state;
        std::function<void(std::int64_t microBatch)> outfeed;
        /// A stage has run its forward program: its outputs are there until its next one.
        std::function<void(std::size_t stage, std::int64_t microBatch)> computed = {};
        /// For what cannot wait for the next micro-batch: calls of user operations.
        std::stop_token stop = {};
    };
    /// All micro-batches of one update, forward and backward, into the accumulators. Errors: those of the
    /// listener; what a user operation did wrong.
    [[nodiscard]] core::Result<void> runMicroBatches(const Listener& listener, ThreadPool& pool);
    void runUpdate(const StepState& state, ThreadPool& pool) const;

    /// A result of the micro-batch that left the pipeline last. Invalid: 0.
    [[nodiscard]] float scalar(core::TensorId id) const;
    /// All its elements; nothing where no stage has it.
    [[nodiscard]] std::vector<float> values(core::TensorId id) const;
    /// Gradients as the update takes them, one per trained parameter: what replicas reduce. Those that the
    /// update computes (`deferGradients`) have no address.
    [[nodiscard]] const std::vector<core::TensorId>& gradients() const { return m_gradients; }
    /// What is there before the update and finite exactly when the gradients are, but for sums of finite
    /// numbers that overflow: those gradients, or what the update computes them from.
    [[nodiscard]] const std::vector<core::TensorId>& watched() const { return m_watched; }
    [[nodiscard]] std::byte* address(core::TensorId id) const;
    /// Where one stage has it; null where that does not compute it.
    [[nodiscard]] std::byte* addressIn(std::size_t stage, core::TensorId id) const {
        return m_stages[stage].address(id);
    }
    [[nodiscard]] std::size_t stages() const { return m_stages.size(); }

    [[nodiscard]] std::size_t threadScratch() const;
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    TrainingReplica() = default;
    [[nodiscard]] core::Result<void> bindUpdate();
    void watchGradients();
    [[nodiscard]] core::Result<void> runSlot(const Slot& slot, const Listener& listener, ThreadPool& pool);
    [[nodiscard]] core::Result<void> runItem(const WorkItem& item, const Listener& listener,
                                             ThreadPool& pool);
    [[nodiscard]] core::Result<void> userOperationsState() const;
    [[nodiscard]] bool isResultOf(const WorkItem& item) const;
    [[nodiscard]] std::int64_t firstMicroBatch(const WorkItem& item) const {
        return item.microBatch * m_program->batchSerialization;
    }

    std::shared_ptr<const TrainingProgram> m_program;
    std::unique_ptr<TensorStore> m_store;
    std::vector<TrainingStage> m_stages;
    std::unique_ptr<OperationSequence> m_update;
    std::vector<core::TensorId> m_gradients;
    std::vector<core::TensorId> m_watched;
};

/// Adds up the gradients of all replicas and gives each the sum, as the all-reduce before a weight update
/// does. The order of the additions is that of the replicas.
void allReduce(std::span<TrainingReplica> replicas);

} // namespace simulator
