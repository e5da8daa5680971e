#pragma once

#include "core/base/result.h"
#include "core/project/project.h"

#include <cstdint>
#include <vector>

namespace simulator {

// The choices one turns most often, and what follows from turning them.

/// The replicas a project has: as set, else as many as its system holds.
[[nodiscard]] std::int64_t replicasOf(const core::Project& project);
[[nodiscard]] std::int64_t microBatchesOf(const core::Project& project);

/// Micro-batches that the schedule accepts, near the usual and around the present ones.
[[nodiscard]] std::vector<std::int64_t> microBatchChoices(const core::Project& project);

/// Samples of a weight update of the project as it is: its effective batch.
[[nodiscard]] std::int64_t samplesOfUpdate(const core::Project& project);
/// The project with micro-batches of another size and as many of them as keep the effective batch. Error:
/// "plan/micro-batch" where no whole number does.
[[nodiscard]] core::Result<core::Project> withMicroBatchSize(const core::Project& project,
                                                             std::int64_t samples);
/// The project with availableMemoryProportion of matrix products and convolutions.
[[nodiscard]] core::Result<core::Project> withMemoryProportion(const core::Project& project,
                                                               double proportion);

struct SystemChoice {
    std::int64_t ipus = 1;
    std::string target;

    bool operator==(const SystemChoice&) const = default;
};
/// Sizes of the present target, then the present size on the others.
[[nodiscard]] std::vector<SystemChoice> systemChoices(const core::Project& project);
[[nodiscard]] core::Result<core::Project> withSystemChoice(const core::Project& project,
                                                           const SystemChoice& choice);

} // namespace simulator
