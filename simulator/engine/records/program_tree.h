#pragma once

#include "core/profile/records/profile_sink.h"
#include "simulator/program/executable.h"

namespace simulator {

/// The program as Poplar would show it: the loop over the updates of an execution, in it the ramp-up, the
/// main loop, the ramp-down and the weight update, each slot with its infeed, the stage programs it calls,
/// its copies and its outfeed; beside it every stage program with its steps, whose times are relative to the
/// program's start.
void recordProgram(const CompiledPipeline& pipeline, core::ProfileSink& sink);

} // namespace simulator
