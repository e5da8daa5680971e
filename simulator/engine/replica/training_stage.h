#pragma once

#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/engine/replica/micro_batch_fifo.h"
#include "simulator/engine/replica/training_program.h"
#include "simulator/numerics/sequence/operation_sequence.h"
#include "simulator/numerics/sequence/tensor_store.h"

#include <list>
#include <map>
#include <optional>

namespace simulator {

/// One pipeline stage of one replica with its memory: its programs, the FIFOs of what it stashes, and the
/// buffers where other stages' values arrive. Everything its programs read comes from the weights, from a
/// transfer of the compiled pipeline, from a stash of it, or from its own recomputation.
class TrainingStage {
public:
    /// Refuses operations without a kernel. An internal error where the compiled pipeline does not bring a
    /// program what it reads.
    [[nodiscard]] static core::Result<TrainingStage>
    make(const TrainingProgram& program, const TensorUses& uses, const TensorStore& store, std::size_t stage);

    /// Runs a program on a micro-batch whose values have arrived.
    [[nodiscard]] core::Result<void> run(Phase phase, std::int64_t microBatch, const StepState& state,
                                         ThreadPool& pool);
    /// Pushes what the forward program leaves for the backward one.
    void stash(std::int64_t microBatch);
    /// Pushes what the backward program has and leaves for weight gradients that run apart from it.
    void holdForWeightGradients(std::int64_t microBatch);
    /// Hands what a program computed, or only passes on, to the stages after it.
    void send(Phase phase, std::int64_t microBatch, std::vector<TrainingStage>& stages) const;
    /// A new execution of the pipeline begins.
    void clear();

    /// Where a loss, metric, prediction or unaccumulated gradient is after its program ran; null where this
    /// stage does not compute it.
    [[nodiscard]] std::byte* address(core::TensorId id) const;
    [[nodiscard]] std::size_t threadScratch() const;
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    friend class StageBinder;

    /// A value on its way through this stage, keyed by its tensor.
    using Fifos = std::map<core::TensorId, MicroBatchFifo>;
    struct StashFifo {
        core::TensorId tensor;
        const std::byte* source = nullptr;
        MicroBatchFifo fifo;
    };
    struct Sending {
        core::TensorId tensor;
        std::size_t to = 0;
        Phase phase = Phase::Forward;
        const std::byte* source = nullptr;
    };

    TrainingStage() = default;
    [[nodiscard]] static bool fetch(Fifos& fifos, std::int64_t microBatch);
    [[nodiscard]] static bool fetch(std::list<StashFifo>& stashes, std::int64_t microBatch);

    std::size_t m_stage = 0;
    bool m_isMerged = false;
    std::optional<OperationSequence> m_forward;
    std::optional<OperationSequence> m_recompute;
    std::optional<OperationSequence> m_backward;
    std::optional<OperationSequence> m_weightGradient;
    Fifos m_forwardArrivals;
    Fifos m_backwardArrivals;
    std::list<StashFifo> m_stashes;
    std::list<StashFifo> m_gradientStashes;
    std::vector<Sending> m_sendings;
};

} // namespace simulator
