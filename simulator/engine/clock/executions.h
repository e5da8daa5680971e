#pragma once

#include "core/profile/records/profile_sink.h"
#include "core/profile/records/time_records.h"
#include "simulator/engine/clock/update_timing.h"

#include <vector>

namespace simulator {

/// The executions of a run, one after the other. The host launches each (a rendezvous), its updates run, the
/// last results leave for the host.
[[nodiscard]] std::vector<core::ExecutionRecord> executionRecords(const CompiledPipeline& pipeline,
                                                                  const UpdateTiming& timing);

/// Samples of one execution over its time, in training, evaluation and prediction alike: effective batch ×
/// weight updates (or pipeline executions) of an execution, over the host's rendezvous, the updates and the
/// last results.
[[nodiscard]] double samplesPerSecond(const CompiledPipeline& pipeline, const UpdateTiming& timing);

/// Share of one execution in which the device waits for the host or for host transfers.
[[nodiscard]] double hostStallFraction(const CompiledPipeline& pipeline, const UpdateTiming& timing);

} // namespace simulator
