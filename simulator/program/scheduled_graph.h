#pragma once

#include "core/config/pipeline_options.h"
#include "core/plan/schedule/pipeline_schedule.h"
#include "simulator/graph/staged_graph.h"

namespace simulator {

using core::PipelineSchedule;
using core::Slot;
using core::SlotPhase;
using core::WorkItem;

/// A staged graph whose stages have their slots. The schedule is complete and dependency-true; how backward
/// programs get their activations is settled (never Auto), because recomputation has slots of its own.
struct ScheduledGraph : StagedGraph {
    PipelineSchedule schedule;
    core::RecomputationMode recomputationMode = core::RecomputationMode::RecomputeThenBackpropagate;
};

} // namespace simulator
