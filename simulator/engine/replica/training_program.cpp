#include "simulator/engine/replica/training_program.h"

#include "core/config/ipu_config/ipu_config_values.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/numerics/sequence/fuse_operations.h"

#include <algorithm>

namespace simulator {
namespace {

using Operations = std::vector<core::OperationId>;

Operations inGraphOrder(Operations operations) {
    std::ranges::sort(operations);
    const auto repeated = std::ranges::unique(operations);
    operations.erase(repeated.begin(), repeated.end());
    return operations;
}

Operations joined(const Operations& a, const Operations& b) {
    Operations all = a;
    all.insert(all.end(), b.begin(), b.end());
    return all;
}

/// With the views (reshaped tensors, checkpoints) of what the program computes again. They share its memory,
/// so no compiled program repeats them, but whoever reads one finds it through them.
Operations withViews(const TrainingGraph& graph, const TensorUses& uses, Operations operations) {
    std::vector<bool> isHere(graph.operations.size(), false);
    for (const core::OperationId id : operations)
        isHere[id.index()] = true;
    const std::size_t count = operations.size();
    for (std::size_t index = 0; index < count; ++index)
        for (core::TensorId tensor : graph.operation(operations[index]).inputs) {
            const core::OperationId source = uses.producer(uses.storage(tensor));
            if (!source.isValid() || !isHere[source.index()])
                continue;
            while (uses.storage(tensor) != tensor) {
                const core::OperationId view = uses.producer(tensor);
                if (!isHere[view.index()])
                    operations.push_back(view);
                isHere[view.index()] = true;
                tensor = graph.operation(view).inputs.front();
            }
        }
    return operations;
}

} // namespace

TrainingProgram trainingProgram(const CompiledPipeline& pipeline) {
    TrainingProgram program;
    program.staged = std::make_shared<KeptGraph>(pipeline);
    program.batchSerialization = pipeline.batchSerialization;
    const TensorUses uses(program.graph());
    const bool isAlone = pipeline.stages.size() == 1 && program.graph().training;
    for (const StagePrograms& stage : pipeline.stages) {
        const bool isLast = &stage == &pipeline.stages.back();
        TrainingProgram::StageOperations operations;
        operations.isMerged = isAlone || (isLast && pipeline.schedule.lastForwardMerged);
        if (operations.isMerged) {
            operations.backward = inGraphOrder(joined(stage.forward.order, stage.backward.order));
        } else {
            operations.forward = inGraphOrder(stage.forward.order);
            operations.backward = inGraphOrder(withViews(program.graph(), uses, stage.backward.order));
            operations.weightGradient = inGraphOrder(stage.weightGradient.order);
            operations.recompute = inGraphOrder(withViews(program.graph(), uses, stage.recompute.order));
        }
        program.stages.push_back(std::move(operations));
        program.weightUpdate = joined(program.weightUpdate, stage.weightUpdate.order);
    }
    program.weightUpdate = inGraphOrder(std::move(program.weightUpdate));
    return program;
}

void deferGradients(TrainingProgram& program) {
    if (program.stages.size() != 1 || !program.stages.front().isMerged || program.microBatches() != 1)
        return;
    program.deferred = deferrableGradients(program.graph());
    std::erase_if(program.stages.front().backward,
                  [&](core::OperationId id) { return std::ranges::binary_search(program.deferred, id); });
    program.weightUpdate = inGraphOrder(joined(program.weightUpdate, program.deferred));
}

HalfRounding halfRounding(const core::IpuConfig& config) {
    const auto isOn = [&](core::FloatingPointBehaviour behaviour) {
        return core::floatingPointBehaviourIsOn(config, behaviour);
    };
    return {isOn("esr"), !isOn("nanoo") && !isOn("oflo")};
}

TrainingProgram forwardProgram(TrainingGraph graph) {
    auto staged = std::make_shared<KeptGraph>();
    staged->ipus = {core::IpuId(0)};
    staged->stageOfOperation.assign(graph.operations.size(), core::StageId(0));
    staged->recomputed.resize(1);
    // One micro-batch keeps every rule of a schedule.
    staged->schedule = core::buildUnpipelinedSchedule(
                           {.stages = 1, .microBatches = 1, .training = false, .deviceMapping = {}})
                           .value();
    TrainingProgram program;
    TrainingProgram::StageOperations operations;
    for (const Operation& operation : graph.operations)
        operations.forward.push_back(operation.id);
    program.stages.push_back(std::move(operations));
    staged->graph = std::move(graph);
    program.staged = std::move(staged);
    return program;
}

} // namespace simulator
