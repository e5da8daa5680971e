#include "simulator/compiler/planning/step_names.h"

namespace simulator {

std::string stepName(const Step& step, const TrainingGraph& graph) {
    if (step.operation.isValid())
        return graph.operation(step.operation).name;
    const std::string tensor = step.tensor.isValid() ? graph.tensor(step.tensor).name : std::string();
    return step.kind == core::StepKind::StreamCopy ? "streaming memory of " + tensor : "copy of " + tensor;
}

core::ProgramPhase profilePhase(Phase phase) {
    switch (phase) {
    case Phase::Forward:
        return core::ProgramPhase::Forward;
    case Phase::Backward:
        return core::ProgramPhase::Backward;
    case Phase::Recompute:
        return core::ProgramPhase::Recompute;
    case Phase::WeightUpdate:
        break;
    }
    return core::ProgramPhase::WeightUpdate;
}

} // namespace simulator
