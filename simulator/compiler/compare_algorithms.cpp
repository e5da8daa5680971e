#include "simulator/compiler/compare_algorithms.h"

#include "simulator/compiler/compile_graph.h"

#include <algorithm>

namespace simulator {

namespace {

AlgorithmLiveness livenessOf(OrderingAlgorithm algorithm, const CompiledPipeline& pipeline) {
    AlgorithmLiveness result{algorithm, {}};
    for (const IpuMemoryPlan& plan : pipeline.memory.ipus)
        result.ipus.push_back({plan.ipu, plan.live, plan.summary.peak.value(),
                               plan.summary.worstTileBytes.value(),
                               plan.worst.bytes <= pipeline.system.target.memoryPerTileBytes});
    return result;
}

} // namespace

std::int64_t AlgorithmLiveness::peakBytes() const {
    std::int64_t peak = 0;
    for (const IpuLiveness& ipu : ipus)
        peak = std::max(peak, ipu.peakBytes);
    return peak;
}

core::Result<std::vector<AlgorithmLiveness>> compareAlgorithms(const core::ValidatedProject& project,
                                                               CompilationCache& cache,
                                                               const core::JobContext& job,
                                                               const std::filesystem::path& folder) {
    const auto system = systemOf(project, folder);
    if (!system)
        return core::failure(system.error());
    const auto graph = cache.trainingGraph(project);
    if (!graph)
        return core::failure(graph.error());
    std::vector<OrderingAlgorithm> algorithms{OrderingAlgorithm::ChooseBest};
    for (const OrderingAlgorithmRow& row : orderingAlgorithms())
        algorithms.push_back(row.algorithm);

    CompileOptions options = compileOptions(project);
    std::vector<AlgorithmLiveness> results;
    for (const OrderingAlgorithm algorithm : algorithms) {
        options.ordering.algorithm = algorithm;
        const auto pipeline =
            compileGraph(*graph, options, *system, cache.plans(), core::JobContext{job.stopToken, {}});
        if (!pipeline)
            return core::failure(pipeline.error());
        results.push_back(livenessOf(algorithm, *pipeline));
        job.report(static_cast<double>(results.size()) / static_cast<double>(algorithms.size()),
                   "comparing orders");
    }
    return results;
}

} // namespace simulator
