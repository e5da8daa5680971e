#pragma once

#include "core/base/result.h"
#include "core/config/pipeline_options.h"
#include "core/plan/pipeline_shape.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace core {

/// What a schedule allows and how deep it goes; how its slots are laid out is the simulator's matter.
/// Source: pipelining of the programming system, sections "Schedules" and "Recomputation".
struct ScheduleTraits {
    ScheduleKind kind = ScheduleKind::Grouped;
    /// c of the FIFO depth c·(S−1−k).
    std::int64_t fifoFactor = 0;
    /// Reserved I/O tiles change the schedule; otherwise they are ignored.
    bool overlapsHostIo = false;
    /// Training may put two stages on one IPU.
    bool sharesIpusInTraining = true;
    /// What RecomputationMode.Auto means.
    RecomputationMode automaticRecomputation = RecomputationMode::RecomputeThenBackpropagate;
    bool recomputesThenBackpropagates = true;
    bool recomputesInsideBackward = true;
    /// Slots by which the micro-batches in flight follow each other; the first is 0. Their number is the
    /// overlap.
    std::vector<std::int64_t> (*startOffsets)(const PipelineShape&) = nullptr;
};

[[nodiscard]] const ScheduleTraits& scheduleTraits(ScheduleKind kind);

/// Resolves Auto; refuses a mode that the schedule does not support ("unimplemented/recomputation-mode"),
/// which the programming system does even where nothing is recomputed.
[[nodiscard]] Result<RecomputationMode> resolveRecomputation(ScheduleKind kind, RecomputationMode mode);

} // namespace core
