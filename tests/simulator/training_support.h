#pragma once

#include "core/interchange/keras/keras_json.h"
#include "core/profile/records/memory_profile.h"
#include "core/profile/records/profile_sink.h"
#include "simulator/compiler/compile.h"
#include "simulator/engine/training/training_run.h"
#include "tests/simulator/project_support.h"

#include <map>
#include <string>
#include <vector>

namespace tests {

/// What training a project gave.
struct Trained {
    std::vector<core::MetricSeries> metrics;
    std::map<std::string, std::vector<float>> weights;
    core::Diagnostics findings;

    [[nodiscard]] const std::vector<double>& series(const std::string& name) const {
        for (const core::MetricSeries& one : metrics)
            if (one.name == name)
                return one.values;
        static const std::vector<double> none;
        return none;
    }
};

/// Weights and states by name.
inline std::map<std::string, std::vector<float>> weightsOf(const simulator::TrainingReplica& replica) {
    std::map<std::string, std::vector<float>> weights;
    for (const simulator::LayerWeight& weight : replica.graph().weights)
        weights[replica.graph().tensor(weight.tensor).name] = replica.store().read(weight.tensor);
    return weights;
}

/// Compiles and trains; `prepare` may change the weights first.
inline core::Result<Trained> train(const core::Project& project, unsigned threads = 1,
                                   const std::filesystem::path& folder = {},
                                   core::RunMode mode = core::RunMode::Train,
                                   const std::function<void(simulator::TrainingReplica&)>& prepare = {},
                                   const std::optional<core::DatasetFacts>& facts = {}) {
    const auto valid = core::validate(project, mode, facts);
    if (!valid)
        return core::failure(valid.error());
    const auto executable = simulator::compile(*valid);
    if (!executable)
        return core::failure(executable.error());
    auto run = simulator::TrainingRun::make(*executable, {threads, folder});
    if (!run)
        return core::failure(run.error());
    for (std::size_t i = 0; prepare && i < static_cast<std::size_t>(executable->system.replicas); ++i)
        prepare(const_cast<simulator::TrainingReplica&>(run->replica(i)));
    core::MemoryProfile profile;
    auto result = run->run(profile, {});
    if (!result)
        return core::failure(result.error());
    return Trained{result->metrics, weightsOf(run->replica()), result->findings};
}

/// A model whose values skip stages: input and first block go to the end, beside normalisation and dropout.
inline core::ModelGraph skippingModel() {
    const std::string dense =
        R"({{"class_name": "Dense", "name": "{0}", "config": {{"name": "{0}", "units": {1}, "activation": "{2}"}}, "inbound_nodes": [[["{3}", 0, 0, {{}}]]]}},)";
    const std::string other =
        R"({{"class_name": "{0}", "name": "{1}", "config": {2}, "inbound_nodes": [[{3}]]}},)";
    const auto from = [](const char* name) { return fmt::format(R"(["{}", 0, 0, {{}}])", name); };
    std::string layers =
        R"({"class_name": "InputLayer", "name": "in", "config": {"name": "in", "batch_input_shape": [null, 12], "dtype": "float32"}, "inbound_nodes": []},)";
    layers += fmt::format(fmt::runtime(dense), "d0", 16, "tanh", "in");
    layers += fmt::format(fmt::runtime(other), "BatchNormalization", "bn", R"({"name": "bn"})", from("d0"));
    layers +=
        fmt::format(fmt::runtime(other), "Dropout", "drop", R"({"name": "drop", "rate": 0.25})", from("bn"));
    layers += fmt::format(fmt::runtime(dense), "d1", 16, "relu", "drop");
    layers += fmt::format(fmt::runtime(other), "Reshape", "square",
                          R"({"name": "square", "target_shape": [4, 4]})", from("d1"));
    layers += fmt::format(fmt::runtime(other), "Flatten", "flat", R"({"name": "flat"})", from("square"));
    layers += fmt::format(fmt::runtime(dense), "d2", 16, "sigmoid", "flat");
    layers +=
        fmt::format(fmt::runtime(other), "Add", "add", R"({"name": "add"})", from("d2") + "," + from("bn"));
    layers += fmt::format(fmt::runtime(other), "Concatenate", "join", R"({"name": "join", "axis": -1})",
                          from("add") + "," + from("in"));
    layers += fmt::format(fmt::runtime(dense), "out", 5, "softmax", "join");
    layers.pop_back();
    core::Diagnostics warnings;
    return core::readKerasModelText(
               fmt::format(
                   R"({{"class_name": "Functional", "config": {{"name": "skipping", "layers": [{}], "input_layers": [["in", 0, 0]], "output_layers": [["out", 0, 0]]}}}})",
                   layers),
               "", warnings)
        .value();
}

/// Trains the skipping model on made-up data: 3 updates of 8 micro-batches of 6 samples.
inline core::Project skippingProject(const std::vector<std::size_t>& stages) {
    core::Project project;
    project.name = "skipping";
    project.model = skippingModel();
    project.training.batchSize = 6;
    project.training.stepsPerExecution = 8;
    project.training.stepsPerEpoch = 24;
    project.training.optimizer = core::KerasObject{"Adam", {{"learning_rate", 0.01}}};
    project.training.losses = {core::KerasObject{"SparseCategoricalCrossentropy", core::Json::object()}};
    project.training.metrics = {core::KerasObject{"accuracy", core::Json::object()}};
    project.training.seed = 7;
    project.training.dataset = core::DatasetSpec{"synthetic", {{"samples", 144}, {"seed", 3}}};
    project.pipeline.gradientAccumulationSteps = 8;
    project.replicas = 1;
    project.system.ipus = 1;
    for (const std::size_t stage : stages) {
        project.assignment.stages.emplace_back(stage);
        while (project.system.ipus <= static_cast<std::int64_t>(stage))
            project.system.ipus *= 2;
    }
    return project;
}

} // namespace tests
