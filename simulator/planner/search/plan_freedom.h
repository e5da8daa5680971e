#pragma once

#include "core/project/project.h"
#include "simulator/planner/search/plan_choice.h"

#include <optional>
#include <vector>

namespace simulator {

/// What a search may change; the rest stays as the project has it.
struct PlanFreedom {
    /// The cuts, and with them the number of stages.
    bool split = true;
    bool replicas = true;
    bool schedule = true;
    /// Samples of a micro-batch, and with them how many make an update.
    bool microBatch = true;
    bool recompute = true;
    bool offload = true;
    bool memoryProportion = true;

    bool operator==(const PlanFreedom&) const = default;
};

/// Whether a choice leaves as it is what is not free.
[[nodiscard]] bool keeps(const PlanChoice& choice, const PlanFreedom& freedom, const core::Project& project);

/// Of every layer call its stage in the project, as locks that keep its split; empty without a pipeline.
[[nodiscard]] std::vector<std::optional<std::size_t>> presentStages(const core::Project& project);

} // namespace simulator
