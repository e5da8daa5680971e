#pragma once

#include "core/base/json.h"
#include "core/base/object_reader.h"
#include "core/model/model_graph.h"
#include "core/plan/stage_assignment.h"

namespace core {

/// Reads `stages` of `pipeline`: a list with one stage per entry of the model's stage assignment, a nested
/// model either opened (a flat list of all calls) or as a list of its own; or an object from layer name (path
/// "outer/inner" inside nested models) to stage, or to a list with one stage per call. An entry of null is
/// unset: `validate()` refuses it. Absent or null: not pipelined. Every error is a value error, as in Keras.
[[nodiscard]] StageAssignment readStages(ObjectReader& pipeline, const ModelGraph& model);

/// Reads `sharding` of `pipeline`: the shard (IPU) of every call in the same three forms, for a model that is
/// spread over IPUs without a pipeline. A project has stages or shards, not both.
[[nodiscard]] StageAssignment readSharding(ObjectReader& pipeline, const ModelGraph& model);

/// Reads `device_mapping` of `pipeline`.
[[nodiscard]] DeviceMapping readDeviceMapping(ObjectReader& pipeline);

/// The stages or shards: a flat list when the model holds no nested model, else a list with a list per nested
/// model; null where there are none.
[[nodiscard]] Json toJson(const StageAssignment& assignment, const ModelGraph& model);
[[nodiscard]] Json toJson(const DeviceMapping& mapping);

} // namespace core
