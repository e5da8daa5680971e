#pragma once

#include "core/model/model_graph.h"
#include "core/plan/stage_assignment.h"
#include "core/project/project.h"
#include "core/project/project_setting.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace app {

/// A project file without its model, whose sections are read apart: each once for each of the settings that
/// points put into it, as a grid has few of a section though many of a project. Used by one thread.
class ProjectParts {
public:
    /// `model` must outlive the parts; `assignment` is the project's where its document has none.
    ProjectParts(core::Json document, std::string file, const core::ModelGraph& model,
                 std::optional<core::StageAssignment> assignment);

    /// The project as the whole document with these settings is read; nothing where it cannot be read or a
    /// setting goes elsewhere than into a section: then the whole document says what is wrong.
    [[nodiscard]] std::optional<core::Project> project(const std::vector<core::ProjectSetting>& settings);
    /// A project from here that is not needed any more, its training options perhaps completed: the next one
    /// is made of it, so that the model is not copied.
    void giveBack(core::Project&& project);

private:
    static constexpr std::size_t sectionCount = 8;
    /// What was read of a section, by the settings in it; in a project without a model.
    using Parts = std::unordered_map<std::string, core::Project>;

    /// The settings of each section as text; nothing where one goes elsewhere.
    [[nodiscard]] static std::optional<std::array<std::string, sectionCount>>
    keysOf(const std::vector<core::ProjectSetting>& settings);
    [[nodiscard]] const core::Project* part(std::size_t section, const std::string& key,
                                            const std::vector<core::ProjectSetting>& settings);

    core::Json m_document;
    std::string m_file;
    const core::ModelGraph& m_model;
    std::optional<core::StageAssignment> m_assignment;
    bool m_isWhole;
    std::array<Parts, sectionCount> m_parts;
    std::optional<core::Project> m_spare;
    /// Whose values each section of `m_spare` has; null: not known.
    std::array<const core::Project*, sectionCount> m_inPlace{};
};

} // namespace app
