#pragma once

#include "core/model/graph/model_builder.h"
#include "core/project/project.h"

#include <initializer_list>

namespace tests {

inline core::Json dense(int units = 4) {
    return core::Json::object({{"units", units}});
}

inline core::StageAssignment stages(std::initializer_list<std::size_t> numbers) {
    core::StageAssignment assignment;
    for (const std::size_t number : numbers)
        assignment.stages.emplace_back(number);
    return assignment;
}

inline core::DeviceMapping mapping(std::initializer_list<std::size_t> numbers) {
    core::DeviceMapping result;
    for (const std::size_t number : numbers)
        result.ipus.emplace_back(number);
    return result;
}

/// Four Dense layers a, b, c, d in a Sequential model on two stages and two IPUs, Grouped, N = 4: breaks no
/// rule.
inline core::Project pipelinedProject() {
    core::Project project;
    project.name = "chain";
    project.model = core::sequentialModel(
        "chain", {8},
        {{"Dense", "a", dense()}, {"Dense", "b", dense()}, {"Dense", "c", dense()}, {"Dense", "d", dense()}});
    project.assignment = stages({0, 0, 1, 1});
    project.pipeline.gradientAccumulationSteps = 4;
    project.training.batchSize = 2;
    project.training.stepsPerExecution = 8;
    project.training.optimizer = core::KerasObject{"SGD", core::Json::object()};
    project.training.losses = {{"MeanSquaredError", core::Json::object()}};
    project.system.ipus = 2;
    return project;
}

/// Two branches that meet: in → a → add, in → b → add → out; entries a, b, add, out.
inline core::Project branchedProject() {
    core::Project project = pipelinedProject();
    core::ModelBuilder builder("branches");
    const auto in = builder.input("in", {4});
    const auto a = builder.call("Dense", "a", dense(), {in});
    const auto b = builder.call("Dense", "b", dense(), {in});
    const auto sum = builder.call("Add", "add", core::Json::object(), {a, b});
    project.model = std::move(builder).build({builder.call("Dense", "out", dense(), {sum})});
    project.assignment = stages({0, 0, 1, 1});
    return project;
}

/// One layer called on both stages.
inline core::Project sharedLayerProject() {
    core::Project project = pipelinedProject();
    core::ModelBuilder builder("shared");
    const auto in = builder.input("in", {4});
    const auto first = builder.call("Dense", "shared", dense(), {in});
    project.model = std::move(builder).build({builder.callAgain("shared", {first})});
    project.assignment = stages({0, 1});
    return project;
}

} // namespace tests
