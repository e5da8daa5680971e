#include "tests/app/window_bench.h"

#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_project.h"

namespace tests {

std::filesystem::path WindowBench::writeProject(const QString& name, int epochs) const {
    core::Json arguments = core::Json::object();
    arguments["stages"] = "2";
    core::Project project = core::newProject("mlp", arguments, "small").value();
    project.pipeline.gradientAccumulationSteps = 4;
    project.training.stepsPerExecution = 4;
    project.training.epochs = epochs;
    project.training.stepsPerEpoch = 16;
    std::filesystem::path path = folder.filePath(name).toStdString();
    const auto saved = core::saveProject(project, path, core::Overwrite::Replace);
    Q_ASSERT(saved.has_value());
    Q_UNUSED(saved)
    return path;
}

} // namespace tests
