#pragma once

#include "core/base/phase.h"
#include "core/plan/plan_estimate.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// A stretch of an IPU's update in which it works on one micro-batch, or on the weight update (micro-batch
/// −1). Cycles from the start of the update.
struct WorkStretch {
    Phase phase = Phase::Forward;
    StageId stage;
    std::int64_t microBatch = -1;
    Cycles start;
    Cycles duration;

    [[nodiscard]] Cycles end() const { return start + duration; }
};

/// What one schedule makes of a project: the same stages with the same programs and rules of memory, in
/// another order.
struct ScheduleOutcome {
    /// Row of the catalogue.
    std::string schedule;
    /// The schedule of the project.
    bool isOwn = false;
    /// Nothing that the programming system offers.
    bool isWhatIf = false;
    /// The figures that a run gives; a schedule that cannot run the project has a refusal and none.
    PlanEstimate plan;
    /// By IPU, as `plan.ipus` has them, each in order of time.
    std::vector<std::vector<WorkStretch>> work;

    [[nodiscard]] bool isRefused() const { return !plan.refusal.empty(); }
    /// Bytes of the fullest IPU.
    [[nodiscard]] Bytes peak() const {
        Bytes most;
        for (const IpuEstimate& ipu : plan.ipus)
            most = ipu.peak > most ? ipu.peak : most;
        return most;
    }
};

/// The one with most samples per second of those that run and fit.
[[nodiscard]] inline std::optional<std::size_t>
fastestThatFits(const std::vector<ScheduleOutcome>& outcomes) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const PlanEstimate& plan = outcomes[i].plan;
        if (!outcomes[i].isRefused() && plan.fits &&
            (!best || plan.samplesPerSecond > outcomes[*best].plan.samplesPerSecond))
            best = i;
    }
    return best;
}

} // namespace core
