#pragma once

#include "app/services/sweep/project_parts.h"
#include "app/services/sweep/sweep_subject.h"
#include "core/model/graph/model_examiner.h"

#include <list>
#include <string>
#include <vector>

namespace app {

/// Makes the projects of a sweep's points. A model is read once for all points that do not change it, and so
/// is every other section of the project file. Used by one thread.
class PointProjects {
public:
    /// `subject` must outlive it.
    explicit PointProjects(const SweepSubject& subject);

    struct PointProject {
        core::Project project;
        /// Of the project's model, as long as no other point is made; null where the model was read for this
        /// point alone.
        core::ModelExaminer* examiner = nullptr;
    };
    /// The project of a point, as its settings put into the whole document are read. Errors: those of the
    /// template, the settings and the project.
    [[nodiscard]] core::Result<PointProject> project(const std::vector<core::ProjectSetting>& settings);
    /// Takes the project of a point back that is not needed any more, for the next point with `examiner`'s
    /// model.
    void giveBack(const core::ModelExaminer& examiner, core::Project&& project);
    /// The same with everything that is nothing to a simulation: where things are on the canvas.
    [[nodiscard]] core::Result<core::Project>
    wholeProject(const std::vector<core::ProjectSetting>& settings) const;

private:
    /// A model, and the project around it.
    struct Source {
        /// The settings that made the model.
        std::vector<core::ProjectSetting> settings;
        core::ModelExaminer examiner;
        ProjectParts parts;
    };

    [[nodiscard]] core::Result<core::Json> document(const std::vector<core::ProjectSetting>& settings) const;
    [[nodiscard]] Source* sourceOf(const std::vector<core::ProjectSetting>& settings);

    const SweepSubject& m_subject;
    /// Some point moves things on the canvas: else no point's document has one.
    bool m_setsCanvas = false;
    bool m_setsStages = false;
    /// The latest first.
    std::list<Source> m_sources;
};

} // namespace app
