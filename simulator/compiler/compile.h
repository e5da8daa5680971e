#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/project/validated_project.h"
#include "simulator/program/executable.h"

#include <memory>

namespace simulator {

/// Results of earlier compilations that a later one may use again: operation plans by signature, and what did
/// not change. Not safe for use from two threads at once.
class CompilationCache;

/// Compiles a project for its system: the passes of the architecture, in their order. Refuses what the
/// programming system finds at compile time (diagnostics with its kinds of error). Out of memory is a finding
/// of the memory plan, not a refusal.
[[nodiscard]] core::Result<Executable> compile(const core::ValidatedProject& project,
                                               const core::JobContext& job = {},
                                               CompilationCache* cache = nullptr);

} // namespace simulator
