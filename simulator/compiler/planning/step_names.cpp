#include "simulator/compiler/planning/step_names.h"

namespace simulator {

core::SharedText stepName(const Step& step, const TrainingGraph& graph) {
    if (step.operation.isValid())
        return graph.operation(step.operation).name;
    const core::SharedText tensor =
        step.tensor.isValid() ? graph.tensor(step.tensor).name : core::SharedText();
    return step.kind == core::StepKind::StreamCopy ? "streaming memory of " + tensor.str()
                                                   : "copy of " + tensor.str();
}

} // namespace simulator
