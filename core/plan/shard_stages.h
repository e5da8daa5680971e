#pragma once

#include "core/model/graph/flattened_model.h"
#include "core/plan/stage_assignment.h"

#include <vector>

namespace core {

/// What a sharded model runs as: one stage after the other, each on one IPU, without a pipeline.
struct ShardStages {
    /// Of every call of the flattened model; those of InputLayers are on stage 0.
    std::vector<StageId> stageOf;
    /// The IPU (shard) of every stage.
    std::vector<IpuId> ipus;
};

/// Cuts a model into the steps that its shards force: a call joins the first step on its own IPU that comes
/// no earlier than all its inputs, so that data only ever moves to later steps. `shards` has a shard for
/// every assignable call, all set.
[[nodiscard]] ShardStages shardStages(const FlattenedModel& model, const std::vector<StageId>& shards);

} // namespace core
