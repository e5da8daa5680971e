#pragma once

#include "core/base/diagnostic.h"
#include "core/model/data_type.h"
#include "core/profile/records/run_records.h"
#include "simulator/target/ipu_system.h"

#include <cstdint>
#include <optional>

namespace simulator {

/// How often what runs, and what the host does around it.
struct ExecutionShape {
    core::RunMode mode = core::RunMode::Train;
    /// Weight updates (training) or pipeline executions (inference) per execution of the program.
    std::int64_t updatesPerExecution = 1;
    std::int64_t executionsPerEpoch = 1;
    std::int64_t epochs = 1;
    /// Samples of one update over all replicas.
    std::int64_t effectiveBatch = 1;
    /// Micro-batches the host prepares ahead; 0: none, every transfer waits for the host.
    std::int64_t prefetchDepth = 3;
    /// Results of micro-batches that the host keeps for its program; the device waits when it is full.
    std::int64_t bufferDepth = 3;
    /// One value per metric and update instead of one per micro-batch.
    bool accumulateOutfeed = false;
    /// Of the sums; nothing: the type of each value.
    std::optional<core::DataType> accumulateOutfeedType;
    /// Nothing comes from (goes to) the host: the device works on what it finds.
    bool syntheticInfeed = false;
    bool syntheticOutfeed = false;

    bool operator==(const ExecutionShape&) const = default;
};

/// The machine of a model and how it is used: known before the first pass, the same for all of them.
struct Deployment {
    IpuSystem system;
    ExecutionShape execution;
    /// False: a model without a pipeline, on one IPU or, sharded, on one IPU after the other.
    bool isPipelined = true;
    /// Micro-batches that a stage runs in a loop before the next stage does; 1 but for batch serialisation.
    std::int64_t batchSerialization = 1;
    /// The buffers between the stages of a batch-serialised pipeline are in streaming memory.
    bool offloadsSerializedBuffers = false;
    /// Tiles kept for host I/O; with `overlapsHostIo` it hides behind the compute of its slot.
    std::int64_t ioTiles = 0;
    bool overlapsHostIo = false;
    /// Bytes that copies between the IPUs of a sharded model wait for one another; 0: each goes by itself. In
    /// a pipeline the copies of a slot always go together.
    std::int64_t interIpuCopyBytes = 0;
    /// What is done other than asked.
    core::Diagnostics warnings;
};

} // namespace simulator
