#include "simulator/compiler/compile.h"

#include "simulator/compiler/compile_graph.h"

namespace simulator {

core::Result<Executable> compile(const core::ValidatedProject& project, const core::JobContext& job,
                                 CompilationCache* cache, const std::filesystem::path& folder,
                                 const PassObserver& observer) {
    CompilationCache ownCache;
    CompilationCache& remembered = cache ? *cache : ownCache;
    const auto system = systemOf(project, folder);
    if (!system)
        return core::failure(system.error());
    job.report(0, "lowering the model");
    auto graph = remembered.trainingGraph(project);
    if (!graph)
        return core::failure(std::move(graph.error()));
    auto pipeline =
        compileGraph(std::move(*graph), compileOptions(project), *system, remembered.plans(), job, observer);
    if (!pipeline)
        return core::failure(std::move(pipeline.error()));
    return Executable{std::move(*pipeline), project};
}

} // namespace simulator
