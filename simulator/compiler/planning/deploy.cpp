#include "simulator/compiler/planning/deploy.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "simulator/compiler/staging/tensor_uses.h"

#include <fmt/format.h>

namespace simulator {

namespace {

std::optional<core::Diagnostic> tooLargeForIoTiles(const TrainingGraph& graph, const CompileOptions& options,
                                                   const IpuTarget& target) {
    std::int64_t bytes = 0;
    for (const Tensor& tensor : graph.tensors)
        if (isHostFed(tensor.role))
            bytes += 2 * tensor.bytes() * options.batchSerialization;
    const double available = static_cast<double>(options.ioTiles) *
                             static_cast<double>(target.memoryPerTileBytes) * options.ioTileProportion;
    if (!options.overlapsHostIo || static_cast<double>(bytes) <= available)
        return std::nullopt;
    return core::makeWarning(
        core::Trouble::Input, "warning/io-tiles", {"", "/ipu_config/io_tiles.num_io_tiles"},
        fmt::format(
            "{} bytes of input do not fit into the {:.0f} bytes that {} I/O tiles have for data: input "
            "and output are not overlapped",
            bytes, available, options.ioTiles),
        {"keep more tiles for input and output, or raise io_tiles.available_memory_proportion"});
}

} // namespace

Deployment deploy(const TrainingGraph& graph, const CompileOptions& options, const IpuSystem& system) {
    Deployment deployment;
    deployment.system = system;
    deployment.execution = options.execution;
    deployment.isPipelined = options.isPipelined;
    deployment.batchSerialization = options.batchSerialization;
    deployment.offloadsSerializedBuffers = options.batchSerialization > 1 && options.offload.remoteMemory &&
                                           options.offload.activations.value_or(true);
    deployment.ioTiles = options.ioTiles;
    deployment.interIpuCopyBytes = options.interIpuCopyBytes;
    deployment.overlapsHostIo = options.overlapsHostIo && options.isPipelined &&
                                core::scheduleDefinition(options.schedule).overlapsHostIo;
    if (auto warning = tooLargeForIoTiles(graph, options, system.target)) {
        deployment.warnings.push_back(std::move(*warning));
        deployment.overlapsHostIo = false;
    }
    return deployment;
}

} // namespace simulator
