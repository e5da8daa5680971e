#pragma once

#include "app/services/sweep/path_memo.h"
#include "core/interchange/sweep/sweep_axes.h"
#include "core/model/model_graph.h"
#include "core/plan/stage_assignment.h"
#include "core/project/options/project_option.h"
#include "core/project/project.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// What of a project file is read together, so that points which agree in it share what was read: an option
/// of the option table by itself, anything else with its whole section.
struct PartGroup {
    /// A key of the project file.
    std::string_view section;
    /// Null: the whole section.
    const core::ProjectOption* option = nullptr;
    /// Places in `SweepAxes::paths()`, and last the place of `SweepAxes::orderOf` where the order counts.
    std::vector<std::size_t> paths;
};

/// The groups of a sweep's paths: a section falls into its options where every path in it is one.
/// `orderPlace`: where the numbers of a point hold `orderOf`.
[[nodiscard]] std::vector<PartGroup> partGroups(const std::vector<std::string>& paths,
                                                std::size_t orderPlace);

/// Whether a path goes into a section beside the model, so that it is in a group.
[[nodiscard]] bool isOfAPart(std::string_view path);

/// Whether putting in one of these paths touches what another does, so that their order counts.
[[nodiscard]] bool areEntangled(const std::vector<std::string>& paths,
                                const std::vector<std::size_t>& places);

/// A project file without its model, whose parts are read apart: each once for each of the settings that
/// points put into it. Used by one thread.
class ProjectParts {
public:
    /// `model` and `groups` must outlive the parts; `assignment` is the project's where its document has
    /// none.
    ProjectParts(core::Json document, std::string file, const core::ModelGraph& model,
                 std::optional<core::StageAssignment> assignment, const std::vector<PartGroup>& groups);

    /// The project of a point with these numbers and settings, as the whole document with the settings is
    /// read; nothing where it cannot be read: then the whole document says what is wrong.
    template <class Settings>
    [[nodiscard]] std::optional<core::Project> project(std::span<const std::uint64_t> numbers,
                                                       const Settings& settings) {
        for (std::size_t group = 0; group < m_groups.size(); ++group) {
            m_wanted[group] = m_parts[group].find(numbers);
            if (m_wanted[group] == nullptr)
                m_wanted[group] = &m_parts[group].remember(read(m_groups[group], settings()));
            if (!m_wanted[group]->project)
                return std::nullopt;
        }
        return composed();
    }
    /// A project from here that is not needed any more, its training options perhaps completed: the next one
    /// is made of it, so that the model is not copied.
    void giveBack(core::Project&& project);
    /// The model of what was given back, for parts around the same one; nothing where there is none.
    [[nodiscard]] std::optional<core::ModelGraph> releaseModel();
    void adoptModel(core::ModelGraph&& model);

private:
    /// What was read of a group; in a project without a model.
    struct Part {
        /// No other part ever has it.
        std::uint64_t number = 0;
        /// Nothing where it cannot be read.
        std::optional<core::Project> project;
    };

    [[nodiscard]] Part read(const PartGroup& group, const std::vector<core::ProjectSetting>& settings);
    [[nodiscard]] std::optional<core::Project> readDocument(const core::Json& document) const;
    [[nodiscard]] std::optional<core::Project> composed();

    core::Json m_document;
    std::string m_file;
    const core::ModelGraph& m_model;
    std::optional<core::StageAssignment> m_assignment;
    const std::vector<PartGroup>& m_groups;
    std::vector<PathMemo<Part>> m_parts;
    std::uint64_t m_read = 0;
    /// What no point changes; nothing where it cannot be read.
    std::optional<core::Project> m_base;
    std::vector<const Part*> m_wanted;
    std::optional<core::Project> m_spare;
    /// The number of the part of each group that `m_spare` has; 0: not known.
    std::vector<std::uint64_t> m_inPlace;
    /// `m_spare` comes from a simulation, which completes the optimizer and the losses.
    bool m_isCompleted = false;
};

} // namespace app
