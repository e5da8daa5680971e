#pragma once

#include "core/plan/schedule/pipeline_schedule.h"

#include <cstdint>
#include <vector>

namespace core {

/// Lays a pipeline out from its start offsets: micro-batch q·overlap + i is at position p (F_k: k; B_k:
/// 2S−1−k) in slot q·P + offsets[i] + p, and a stage recomputes in the slot before its backward. Ramp-up and
/// ramp-down take P slots each and run all copies. With I/O tiles, infeeds run a slot ahead of the compute
/// and outfeeds a slot after it, and each ramp grows by two slots. `cycle`: slots after which the programs
/// are the same again.
///
/// Source: the pipeline visitors of Graphcore's TensorFlow (pipeline_visitor, grouped_overlap_…).
[[nodiscard]] PipelineSchedule layOutRotations(const PipelineShape& shape,
                                               const std::vector<std::int64_t>& startOffsets,
                                               std::size_t cycle, bool ioTiles);

/// The work of every IPU in the order in which it does it.
using WorkLists = std::vector<std::vector<WorkItem>>;

/// Lays lists of work out, one piece per IPU and slot, each as early as its list and the stages around it
/// allow. Ramp-up lasts until every IPU has begun, ramp-down begins with the first that has ended. Lists that
/// wait for one another are cut off where they do; `checkSchedule` finds what is missing.
[[nodiscard]] PipelineSchedule layOutLists(const PipelineShape& shape, const WorkLists& lists);

/// Phases, feeds, cycle and overlap of a table whose slots and items are there.
void describeSlots(PipelineSchedule& schedule);

/// Appends one piece of work to the list of its stage's IPU, after its recomputation where the shape asks for
/// one.
void addWork(WorkLists& lists, const PipelineShape& shape, Phase phase, std::size_t stage,
             std::int64_t microBatch);

/// One stage per IPU: `warmUp` forward passes, then a forward and a backward pass in turn, then the backward
/// passes that are left. With `delay`, weight gradients follow their backward pass as many backward passes
/// later, the last of them at the end. In inference all forward passes.
struct TurnOrder {
    std::int64_t warmUp = 0;
    std::optional<std::int64_t> delay;
};
void addTurns(WorkLists& lists, const PipelineShape& shape, std::size_t stage, const TurnOrder& order);

} // namespace core
