#include "simulator/compiler/planning/step_names.h"

namespace simulator {

std::string stepName(const Step& step, const TrainingGraph& graph) {
    if (step.operation.isValid())
        return graph.operation(step.operation).name;
    const std::string tensor = step.tensor.isValid() ? graph.tensor(step.tensor).name : std::string();
    return step.kind == core::StepKind::StreamCopy ? "streaming memory of " + tensor : "copy of " + tensor;
}

} // namespace simulator
