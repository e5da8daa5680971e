#include "core/project/validated_project.h"

#include "core/project/run_figures.h"

#include <utility>

namespace core {

std::int64_t ValidatedProject::effectiveBatch() const {
    return m_project->training.batchSize * m_project->pipeline.batchSerializationIterations * m_microBatches *
           m_replicas;
}

bool ValidatedProject::hasRemoteMemory() const {
    return runFigures(*m_project, m_mode, {}).hasRemoteMemory;
}

PipelineShape ValidatedProject::pipelineShape() const {
    RunFigures figures = runFigures(*m_project, m_mode, {});
    figures.microBatches = m_microBatches;
    return core::pipelineShape(*m_project, figures);
}

Project ValidatedProject::intoProject() && {
    const std::shared_ptr<Project> project = std::move(m_project);
    return project.use_count() == 1 ? std::move(*project) : *project;
}

} // namespace core
