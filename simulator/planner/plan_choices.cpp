#include "simulator/planner/plan_choices.h"

#include "core/project/project_edit.h"
#include "core/project/run_figures.h"
#include "simulator/target/target_catalogue.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace simulator {

std::int64_t replicasOf(const core::Project& project) {
    return core::runFigures(project, core::RunMode::Train, {}).replicas;
}

std::int64_t microBatchesOf(const core::Project& project) {
    return core::runFigures(project, core::RunMode::Train, {}).microBatches;
}

std::vector<std::int64_t> microBatchChoices(const core::Project& project) {
    const auto stages = static_cast<std::int64_t>(std::max<std::size_t>(1, project.assignment.stageCount()));
    // A whole number of rounds through the pipeline suits every schedule, for training 2S where they overlap.
    const std::int64_t round = project.assignment.isPipelined() ? 2 * stages : 1;
    std::set<std::int64_t> choices{microBatchesOf(project)};
    for (std::int64_t rounds = 1; rounds <= 32; rounds *= 2)
        choices.insert(round * rounds);
    return {choices.begin(), choices.end()};
}

std::int64_t samplesOfUpdate(const core::Project& project) {
    const auto figures = core::runFigures(project, core::RunMode::Train, {});
    return project.training.batchSize * project.pipeline.batchSerializationIterations *
           std::max<std::int64_t>(1, figures.microBatches) * figures.replicas;
}

core::Result<core::Project> withMicroBatchSize(const core::Project& project, std::int64_t samples) {
    const std::int64_t present = microBatchesOf(project);
    const std::int64_t whole = project.training.batchSize * present;
    if (samples < 1 || whole % samples != 0)
        return core::failure(core::makeError(
            core::Trouble::Input, "plan/micro-batch", {"", "/training/batch_size"},
            fmt::format("{} samples of an update are no whole number of micro-batches of {}", whole, samples),
            {"choose a divisor"}));
    const std::int64_t count = whole / samples;
    // Counts of steps are counts of micro-batches.
    const auto scaled = [&](std::int64_t steps) { return steps * count / present; };
    core::Project next = project;
    next.training.batchSize = samples;
    next.pipeline.gradientAccumulationSteps = count;
    next.training.stepsPerExecution = std::max(count, scaled(project.training.stepsPerExecution));
    if (project.training.stepsPerEpoch)
        next.training.stepsPerEpoch = std::max(count, scaled(*project.training.stepsPerEpoch));
    return next;
}

core::Result<core::Project> withMemoryProportion(const core::Project& project, double proportion) {
    core::Result<core::Project> result = project;
    for (const std::string_view option : {"convolutions.poplar_options", "matmuls.poplar_options"}) {
        const auto present = project.ipuConfig.values.find(option);
        core::Json options =
            present == project.ipuConfig.values.end() ? core::Json::object() : present->second;
        options["availableMemoryProportion"] = fmt::format("{}", proportion);
        result = core::withIpuOption(*result, option, options);
        if (!result)
            return result;
    }
    return result;
}

std::vector<SystemChoice> systemChoices(const core::Project& project) {
    const SystemChoice present{project.system.ipus, project.system.target};
    std::set<std::int64_t> counts{present.ipus};
    for (std::int64_t ipus = 1; ipus <= 64; ipus *= 2)
        counts.insert(ipus);
    std::vector<SystemChoice> choices;
    for (const std::int64_t ipus : counts)
        choices.push_back({ipus, present.target});
    for (const CatalogueTarget& row : targetCatalogue()) {
        if (row.target.name != present.target)
            choices.push_back({present.ipus, row.target.name});
    }
    return choices;
}

core::Result<core::Project> withSystemChoice(const core::Project& project, const SystemChoice& choice) {
    core::SystemOptions system = project.system;
    system.ipus = choice.ipus;
    system.target = choice.target;
    return core::withSystem(project, system);
}

} // namespace simulator
