#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/plan/program_alternatives.h"
#include "core/project/validated_project.h"
#include "simulator/compiler/compilation_cache.h"
#include "simulator/program/executable.h"

#include <filesystem>
#include <vector>

namespace simulator {

/// One update as graph execution runs it, and the same operations executed eagerly: each a program that the
/// host starts by itself, one IPU at a time, with nothing prefetched and no operation beside another. Tensors
/// are taken to stay on the device between two operations, and programs to be compiled and loaded already, so
/// the eager figure is the least that it could be. Source of the start of a program: the rendezvous of host
/// and device before data moves.
[[nodiscard]] std::vector<core::ExecutionAlternative> executionAlternatives(const CompiledPipeline& pipeline);

/// The liveness that every scheduling algorithm gives a project, and both ways of executing it. Errors: those
/// of `compile`.
[[nodiscard]] core::Result<core::ProgramAlternatives>
programAlternatives(const core::ValidatedProject& project, CompilationCache& cache,
                    const core::JobContext& job = {}, const std::filesystem::path& folder = {});

} // namespace simulator
