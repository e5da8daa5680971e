#include "simulator/compiler/compilation_cache.h"

#include "simulator/compiler/staging/build_training_graph.h"

namespace simulator {

namespace {

/// Nothing that the training graph depends on differs.
bool haveTheSameGraph(const core::ValidatedProject& a, const core::ValidatedProject& b) {
    return a.mode() == b.mode() && a.isPipelined() == b.isPipelined() &&
           a.microBatches() == b.microBatches() && a.replicas() == b.replicas() &&
           a.project().pipeline == b.project().pipeline && a.project().training == b.project().training &&
           a.project().opaqueLayers == b.project().opaqueLayers &&
           a.project().ipuConfig == b.project().ipuConfig && a.project().model == b.project().model;
}

} // namespace

core::Result<TrainingGraph> CompilationCache::trainingGraph(const core::ValidatedProject& project) {
    if (m_project && haveTheSameGraph(*m_project, project))
        return m_graph;
    auto graph = buildTrainingGraph(project);
    if (!graph)
        return graph;
    m_project = project;
    m_graph = *graph;
    return graph;
}

} // namespace simulator
