#pragma once

#include "core/profile/records/profile_sink.h"
#include "simulator/program/executable.h"

#include <functional>
#include <string>

namespace simulator {

/// Path of the layer that an invocation calls; empty for none.
using LayerNames = std::function<core::SharedText(core::InvocationId)>;

// What compiling found, as records.

void recordOperations(const CompiledPipeline& pipeline, const LayerNames& layers, core::ProfileSink& sink);
/// One per copy between IPUs and micro-batch.
void recordTransfers(const CompiledPipeline& pipeline, core::ProfileSink& sink);
/// Liveness over the program steps of every IPU.
void recordLiveness(const CompiledPipeline& pipeline, core::ProfileSink& sink);
/// Every block of memory with its address, and the tiles' bytes by category.
void recordMemory(const CompiledPipeline& pipeline, const LayerNames& layers, core::ProfileSink& sink);

} // namespace simulator
