#pragma once

#include "core/base/result.h"
#include "core/project/project.h"

#include <cstdint>
#include <optional>

namespace core {

/// The least number of micro-batches, from `from` on, that the schedule takes; nothing: it takes none of
/// them.
[[nodiscard]] std::optional<std::int64_t> legalMicroBatches(const Project& project, std::int64_t from = 1);

/// The project with N micro-batches per update, its steps per execution following where they were equal or
/// would not divide.
[[nodiscard]] Result<Project> withMicroBatchChoice(const Project& project, std::int64_t steps);

/// The project with so many replicas, on a system that holds them all.
[[nodiscard]] Result<Project> withReplicaChoice(const Project& project, std::int64_t replicas);

/// The project with those stages on one IPU that share the weights of a layer; nothing where none do, where
/// somebody has put stages on IPUs, or where the schedule has one IPU for each stage.
[[nodiscard]] std::optional<Project> withSharedWeightsTogether(const Project& project);

/// What has been made of `before` by an edit of its stages, with what a pipeline of so many stages needs to
/// run: one IPU for stages that share weights, IPUs enough, as many micro-batches as the schedule takes at
/// least, and steps that they divide. Only what nobody has decided: micro-batches that are unset, or those
/// that this gave the pipeline as it was. A refusal of the edit stays one.
[[nodiscard]] Result<Project> withPipelineNeeds(const Project& before, Result<Project> edited);

} // namespace core
