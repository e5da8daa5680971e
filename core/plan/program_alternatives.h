#pragma once

#include "core/base/ids.h"
#include "core/base/quantity.h"
#include "core/plan/prediction_interval.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace core {

/// What one IPU holds over the program order that a scheduling algorithm gives it.
struct AlternativeIpu {
    IpuId ipu;
    /// Bytes that are not always live, at every step of a full slot and then of the update.
    std::vector<std::int64_t> live;
    /// Always live and not, at the fullest step.
    Bytes peak;
    Bytes worstTile;
    bool fits = true;
};

/// The open model as one scheduling algorithm orders it.
struct SchedulerAlternative {
    /// "CHOOSE_BEST", "CLUSTERING", ….
    std::string algorithm;
    /// The one that the project's options name.
    bool isChosen = false;
    std::vector<AlternativeIpu> ipus;

    /// Of the fullest IPU.
    [[nodiscard]] Bytes peak() const {
        Bytes most;
        for (const AlternativeIpu& ipu : ipus)
            most = std::max(most, ipu.peak);
        return most;
    }
};

/// One weight update (a pipeline execution in inference), executed in one way.
struct ExecutionAlternative {
    /// "graph": one compiled program; "eager": every operation a program of its own.
    std::string mode;
    /// Programs that the host starts, per update: a fraction where a program runs several updates.
    double launches = 0;
    /// What the host takes to start them, and what the device then works.
    Cycles launch;
    Cycles device;
    double samplesPerSecond = 0;

    [[nodiscard]] Cycles total() const { return launch + device; }
};

/// What other orders of its operations, and another way of executing it, would give a model.
struct ProgramAlternatives {
    std::vector<SchedulerAlternative> schedulers;
    std::vector<ExecutionAlternative> executions;
    /// How well the figures of each are known.
    ProgramIntervals intervals;
};

} // namespace core
