#pragma once

#include "core/base/diagnostic.h"
#include "core/model/graph/flattened_model.h"
#include "core/model/typed_graph.h"
#include "core/project/project.h"
#include "core/project/run_figures.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What a rule sees, and where it files what it finds.
struct RuleContext {
    const Project& project;
    RunMode mode;
    const RunFigures& figures;
    const std::optional<DatasetFacts>& facts;
    /// Null where the model's structure is broken.
    const FlattenedModel* flattened = nullptr;
    /// As far as shapes are known; null where the model's structure is broken.
    const TypedGraph* graph = nullptr;
    /// What shape inference found.
    const Diagnostics& modelFindings;
    /// Of layers, and of what the loss of a training lacks (`ExaminedModel`).
    const Diagnostics& layerWarnings;
    const Diagnostics& trainingWarnings;
    const std::string& file;
    Diagnostics& findings;
    /// Calls that a stage list assigns; none where the model's structure is broken.
    std::size_t assignableCalls = 0;

    /// Files an error of the given code ("value-error/…") at `place`.
    void refuse(std::string code, std::string place, std::string message, std::string hint) const;
    void warn(std::string code, std::string place, std::string message, std::string hint) const;
    /// Files a finding made elsewhere.
    void add(Diagnostic finding) const;

    /// Stage of an entry of the stage assignment; invalid when not set.
    [[nodiscard]] StageId stageOf(std::size_t entry) const { return project.assignment.stages[entry]; }
    /// The assignment has one stage per call of the model, so rules may look at both.
    [[nodiscard]] bool isAligned() const;
    /// Every call of the model has a stage.
    [[nodiscard]] bool hasUsableStages() const;
    /// Stages on which no call is, in order; stage 0 always holds the inputs. Asks for usable stages.
    [[nodiscard]] std::vector<std::size_t> emptyStages() const;
    /// A project with data and nothing to train with predicts.
    [[nodiscard]] bool predictsOnly() const;
    /// A pipeline of two or more stages, none empty: rules about the schedule may be asked.
    [[nodiscard]] bool hasWholePipeline() const;
};

/// What is wrong with the replicas that a collective layer goes over; nothing where all is well, or the layer
/// is none. Poplar forms groups of consecutive replicas, so a group has to divide them evenly; an exchange of
/// pieces goes over all replicas.
struct BrokenReplicaGroup {
    std::string message;
    std::string hint;
};
[[nodiscard]] std::optional<BrokenReplicaGroup> brokenReplicaGroup(std::string_view className,
                                                                   const Json& config, std::int64_t replicas);

/// One rule: what it is called and the function that asks it.
struct ValidationRule {
    std::string_view name;
    void (*ask)(const RuleContext&);
};

// The rules by the moment at which the programming system meets them (its section "Errors"), each a row.
[[nodiscard]] std::span<const ValidationRule> configurationRules();
[[nodiscard]] std::span<const ValidationRule> stageRules();
[[nodiscard]] std::span<const ValidationRule> modelRules();
[[nodiscard]] std::span<const ValidationRule> deviceRules();
[[nodiscard]] std::span<const ValidationRule> stepRules();
[[nodiscard]] std::span<const ValidationRule> pipelineRules();
[[nodiscard]] std::span<const ValidationRule> compilationRules();
/// What runs and is yet not what it says: warnings only, asked last.
[[nodiscard]] std::span<const ValidationRule> effectRules();

/// Steps of an execution that divide those of an epoch of a replica, and are divided by gradient
/// accumulation: those nearest to the wanted ones; nothing where there are none.
[[nodiscard]] std::optional<std::int64_t> fittingExecution(std::int64_t steps, std::int64_t accumulation,
                                                           std::int64_t wanted);

} // namespace core
