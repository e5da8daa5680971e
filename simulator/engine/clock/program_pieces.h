#pragma once

#include "core/plan/plan_estimate.h"
#include "core/profile/records/time_records.h"
#include "simulator/program/executable.h"

#include <optional>
#include <vector>

namespace simulator {

/// A stretch of a stage program: tiles and exchange work, or the IPU waits for what streams in or out.
struct ProgramPiece {
    /// From the start of the program.
    core::Cycles offset;
    core::Cycles duration;
    /// Nothing: work.
    std::optional<core::IdleCause> wait;

    bool operator==(const ProgramPiece&) const = default;
};

/// A program in pieces that fill it, every turn of its loop. One piece where nothing streams.
[[nodiscard]] std::vector<ProgramPiece> programPieces(const CompiledPipeline& pipeline,
                                                      const StageProgram& program);

/// What a step that moves data is in a timeline. Rows of a host embedding come from the host or go to it,
/// unless they are in remote buffers.
[[nodiscard]] core::SpanKind movementKind(const CompiledPipeline& pipeline, const Step& step);

} // namespace simulator
