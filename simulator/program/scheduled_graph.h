#pragma once

#include "core/config/pipeline_options.h"
#include "simulator/graph/staged_graph.h"
#include "simulator/schedule/pipeline_schedule.h"

namespace simulator {

/// A staged graph whose stages have their slots. The schedule is complete and dependency-true; how backward
/// programs get their activations is settled (never Auto), because recomputation has slots of its own.
struct ScheduledGraph : StagedGraph {
    PipelineSchedule schedule;
    core::RecomputationMode recomputationMode = core::RecomputationMode::RecomputeThenBackpropagate;
};

} // namespace simulator
