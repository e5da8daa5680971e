#pragma once

#include "core/base/strong_id.h"

namespace core {

/// A layer of one model graph (owns weights).
using LayerId = StrongId<struct LayerTag>;
/// One call of a layer; stages are assigned to invocations.
using InvocationId = StrongId<struct InvocationTag>;
/// A tensor of the training graph.
using TensorId = StrongId<struct TensorTag>;
/// An operation of the training graph.
using OperationId = StrongId<struct OperationTag>;
/// A forward pipeline stage, 0 … S−1.
using StageId = StrongId<struct StageTag>;
/// A replica of the whole pipeline.
using ReplicaId = StrongId<struct ReplicaTag>;
/// An IPU of one replica, in virtual order.
using IpuId = StrongId<struct IpuTag>;
/// A horizontal track of the timeline.
using LaneId = StrongId<struct LaneTag>;
/// A node of the program tree.
using ProgramStepId = StrongId<struct ProgramStepTag>;
/// A stored run of the profile database; numbered from 1 by the database.
using RunId = StrongId<struct RunTag>;

} // namespace core
