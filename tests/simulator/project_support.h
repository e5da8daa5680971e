#pragma once

#include "core/interchange/keras/keras_json.h"
#include "core/plan/assignment_entries.h"
#include "core/project/validate.h"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace tests {

/// A Keras Sequential model of Dense layers.
inline core::ModelGraph denseModel(const std::vector<int>& units, int inputs) {
    std::string layers = fmt::format(
        R"({{"class_name": "InputLayer", "config": {{"batch_input_shape": [null, {}], "dtype": "float32", "sparse": false, "name": "input"}}}})",
        inputs);
    for (std::size_t layer = 0; layer < units.size(); ++layer)
        layers += fmt::format(
            R"(, {{"class_name": "Dense", "config": {{"name": "dense{}", "trainable": true, "dtype": "float32", "units": {}, "activation": "relu", "use_bias": true}}}})",
            layer, units[layer]);
    core::Diagnostics warnings;
    return core::readKerasModelText(
               fmt::format(R"({{"class_name": "Sequential", "config": {{"name": "dense", "layers": [{}]}}}})",
                           layers),
               "", warnings)
        .value();
}

/// A project that trains `units.size()` Dense layers on `stages` stages.
inline core::Project denseProject(const std::vector<int>& units, std::size_t stages) {
    core::Project project;
    project.name = "dense";
    project.model = denseModel(units, 64);
    project.training.batchSize = 16;
    project.training.stepsPerExecution = 32;
    project.training.stepsPerEpoch = 64;
    project.training.epochs = 2;
    project.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", 0.1}, {"momentum", 0.9}}};
    project.training.losses = {core::KerasObject{"MeanSquaredError", core::Json::object()}};
    project.pipeline.gradientAccumulationSteps = 16;
    project.system.ipus = 1;
    for (std::size_t layer = 0; stages > 1 && layer < units.size(); ++layer)
        project.assignment.stages.emplace_back(layer * stages / units.size());
    while (stages > 1 && project.system.ipus < static_cast<std::int64_t>(stages))
        project.system.ipus *= 2;
    return project;
}

inline core::ValidatedProject validated(const core::Project& project,
                                        core::RunMode mode = core::RunMode::Train) {
    return core::validate(project, mode).value();
}

} // namespace tests
