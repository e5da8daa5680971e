#pragma once

#include "simulator/numerics/bindings/user_library_host.h"
#include "simulator/numerics/half_rounding.h"
#include "simulator/program/executable.h"

#include <memory>
#include <vector>

namespace simulator {

/// What the numerics of a pipeline execute: the operations of its compiled programs, in the order of its
/// schedule. Within a program operations are in the order of the graph: the order a scheduling algorithm
/// finds decides what is live, not what comes out.
struct TrainingProgram {
    struct StageOperations {
        std::vector<core::OperationId> forward;
        std::vector<core::OperationId> recompute;
        /// With merged programs (the last stage of a Sequential pipeline, a model without stages) the forward
        /// operations too.
        std::vector<core::OperationId> backward;
        /// Empty where the schedule does not split the backward pass.
        std::vector<core::OperationId> weightGradient;
        /// The forward item of the schedule does nothing; `backward` does both.
        bool isMerged = false;
    };

    std::shared_ptr<const KeptGraph> staged;
    std::vector<StageOperations> stages;
    std::vector<core::OperationId> weightUpdate;
    /// Products that make a gradient and are in `weightUpdate` instead of a backward program.
    std::vector<core::OperationId> deferred;
    /// Micro-batches that a stage runs in a loop before the next stage does.
    std::int64_t batchSerialization = 1;
    HalfRounding half;
    /// Where its user operations are called; null where it has none.
    std::shared_ptr<UserLibraryHost> libraries;

    [[nodiscard]] const TrainingGraph& graph() const { return staged->graph; }
    [[nodiscard]] const PipelineSchedule& schedule() const { return staged->schedule; }
    /// Micro-batches of one weight update (pipeline execution) and replica.
    [[nodiscard]] std::int64_t microBatches() const {
        return schedule().shape.microBatches * batchSerialization;
    }
};

[[nodiscard]] TrainingProgram trainingProgram(const CompiledPipeline& pipeline);

/// The graph of a program as part of the staged graph that holds it.
[[nodiscard]] inline std::shared_ptr<const TrainingGraph> graphOf(const TrainingProgram& program) {
    return {program.staged, &program.graph()};
}

/// Lets the weight update compute the gradients that only it reads, piece by piece, where they are larger
/// than what they are computed from: they need no memory then, but nobody else can see them. Only a program
/// without stages whose updates take one micro-batch has such gradients.
void deferGradients(TrainingProgram& program);

/// How results are stored as float16 under the floating-point behaviours of a configuration. Without "nanoo"
/// too large ones saturate, unless "oflo" wants to hear of them.
[[nodiscard]] HalfRounding halfRounding(const core::IpuConfig& config);

/// The forward pass of a graph on one IPU, a micro-batch at a time: for validation while a pipeline trains.
[[nodiscard]] TrainingProgram forwardProgram(TrainingGraph graph);

} // namespace simulator
