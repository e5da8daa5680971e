#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/project/validated_project.h"
#include "simulator/compiler/compilation_cache.h"
#include "simulator/compiler/passes/compiler_passes.h"
#include "simulator/program/executable.h"

#include <filesystem>

namespace simulator {

/// Compiles a project for its system: its training graph through the passes of `compileGraph`. Refuses layers
/// that cannot be computed and targets that cannot be read; a validated project has no other errors. Out of
/// memory is a finding of the memory plan, not a refusal. A target file is looked up from `folder`.
/// `observer` sees what each pass gives.
[[nodiscard]] core::Result<Executable> compile(const core::ValidatedProject& project,
                                               const core::JobContext& job = {},
                                               CompilationCache* cache = nullptr,
                                               const std::filesystem::path& folder = {},
                                               const PassObserver& observer = {});

} // namespace simulator
