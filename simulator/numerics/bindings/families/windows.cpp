// Pooling and patches.
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/window_geometry.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

namespace simulator {
namespace {

using SampleKernel = void (*)(const PoolMap&, std::int64_t, std::int64_t);

void bindSamples(const PoolMap& map, SampleKernel kernel, std::int64_t samples, BoundOperation& bound) {
    const std::int64_t work =
        map.window.outputPositions() * map.window.kernelPositions() * map.window.channels;
    bound.phases.push_back(rangePhase(rowPartition(samples, work),
                                      [map, kernel](const StepState&, std::int64_t begin, std::int64_t end,
                                                    std::byte*) { kernel(map, begin, end); }));
}

} // namespace

static void bindPool(BindRequest& request, BoundOperation& bound) {
    const auto& pool = request.attributes<Pool>();
    PoolMap map;
    map.window = windowMap(pool.window, request.inputs[0].extents(), request.outputs[0].extents());
    map.countPadding = pool.countPadding;
    map.x = request.inputs[0].as();
    map.y = request.outputs[0].as();
    const WindowKernels& kernel = kernels().window;
    bindSamples(map, pool.function == PoolFunction::Maximum ? kernel.maximumPool : kernel.averagePool,
                request.inputs[0].extents()[0], bound);
}

static void bindPoolGradient(BindRequest& request, BoundOperation& bound) {
    const auto& pool = request.attributes<PoolGradient>().forward;
    const bool isMaximum = pool.function == PoolFunction::Maximum;
    PoolMap map;
    map.window = windowMap(pool.window, request.outputs[0].extents(), request.inputs.back().extents());
    map.countPadding = pool.countPadding;
    map.x = isMaximum ? request.inputs[0].as() : nullptr;
    map.y = isMaximum ? request.inputs[1].as() : nullptr;
    map.dy = request.inputs.back().as();
    map.dx = request.outputs[0].as();
    const WindowKernels& kernel = kernels().window;
    bindSamples(map, isMaximum ? kernel.maximumPoolGradient : kernel.averagePoolGradient,
                request.outputs[0].extents()[0], bound);
}

static void bindExtractPatches(BindRequest& request, BoundOperation& bound) {
    PoolMap map;
    map.window = windowMap(request.attributes<ExtractPatches>().window, request.inputs[0].extents(),
                           request.outputs[0].extents());
    map.x = request.inputs[0].as();
    map.y = request.outputs[0].as();
    bindSamples(map, kernels().window.extractPatches, request.inputs[0].extents()[0], bound);
}

static void bindExtractPatchesGradient(BindRequest& request, BoundOperation& bound) {
    PoolMap map;
    map.window = windowMap(request.attributes<ExtractPatchesGradient>().forward.window,
                           request.outputs[0].extents(), request.inputs[0].extents());
    map.dy = request.inputs[0].as();
    map.dx = request.outputs[0].as();
    bindSamples(map, kernels().window.addPatches, request.outputs[0].extents()[0], bound);
}

std::span<const PartRow<Binding>> windowsBindings() {
    static constexpr PartRow<Binding> rows[]{
        {kindIndex<Pool>(), {bindPool}},
        {kindIndex<PoolGradient>(), {bindPoolGradient}},
        {kindIndex<ExtractPatches>(), {bindExtractPatches}},
        {kindIndex<ExtractPatchesGradient>(), {bindExtractPatchesGradient}}};
    return rows;
}

} // namespace simulator
