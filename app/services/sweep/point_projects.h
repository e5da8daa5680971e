#pragma once

#include "app/services/sweep/project_parts.h"
#include "app/services/sweep/sweep_subject.h"
#include "core/interchange/templates/model_template.h"
#include "core/model/graph/model_examiner.h"

#include <initializer_list>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Makes the projects of a sweep's points. A model is read once for all points that do not change it, and so
/// is every other part of the project file. Used by one thread; its address must stay.
class PointProjects {
public:
    /// `subject` must outlive it.
    explicit PointProjects(const SweepSubject& subject);
    PointProjects(const PointProjects&) = delete;
    PointProjects& operator=(const PointProjects&) = delete;

    [[nodiscard]] const core::SweepAxes& axes() const { return m_axes; }
    /// The numbers of a point, one per path, and behind them `SweepAxes::orderOf`. Valid until the next call.
    [[nodiscard]] std::span<const std::uint64_t> numbersOf(std::int64_t point);
    /// The places in the numbers that decide on these sections of the project file.
    [[nodiscard]] std::vector<std::size_t> placesOf(std::initializer_list<std::string_view> sections) const;

    struct PointProject {
        core::Project project;
        /// Of the project's model, as long as no other point is made; null where the model was read for this
        /// point alone.
        core::ModelExaminer* examiner = nullptr;
    };
    /// The project of a point with these numbers, as its settings put into the whole document are read.
    /// Errors: those of the template, the settings and the project.
    [[nodiscard]] core::Result<PointProject> project(std::int64_t point,
                                                     std::span<const std::uint64_t> numbers);
    /// Takes the project of a point back that is not needed any more, for the next point with `examiner`'s
    /// model.
    void giveBack(const core::ModelExaminer& examiner, core::Project&& project);
    /// The same with everything that is nothing to a simulation: where things are on the canvas.
    [[nodiscard]] core::Result<core::Project>
    wholeProject(const std::vector<core::ProjectSetting>& settings) const;

private:
    /// What a template made, for all points that differ elsewhere.
    struct MadeModel {
        /// The numbers of the settings that made it.
        std::vector<std::uint64_t> key;
        core::TemplateModel made;
        std::shared_ptr<core::ModelExaminer> examiner;
    };
    /// A model, and the project around it.
    struct Source {
        /// The numbers of the settings that made both.
        std::vector<std::uint64_t> key;
        /// Perhaps of other sources too.
        std::shared_ptr<core::ModelExaminer> examiner;
        ProjectParts parts;
    };

    /// The template's arguments at a point.
    [[nodiscard]] core::Json argumentsOf(const std::vector<core::ProjectSetting>& settings) const;
    [[nodiscard]] core::Result<core::Json> document(const std::vector<core::ProjectSetting>& settings) const;
    [[nodiscard]] Source* sourceOf(std::int64_t point, std::span<const std::uint64_t> numbers);
    /// Nothing where the model cannot be read.
    [[nodiscard]] std::optional<Source> readSource(const std::vector<core::ProjectSetting>& settings) const;
    /// The same around a model that a template made for an earlier point.
    [[nodiscard]] std::optional<Source> makeSource(const std::vector<core::ProjectSetting>& settings,
                                                   std::span<const std::uint64_t> numbers);
    [[nodiscard]] MadeModel* modelOf(const core::Json& arguments, std::span<const std::uint64_t> numbers);

    const SweepSubject& m_subject;
    core::SweepAxes m_axes;
    std::vector<PartGroup> m_groups;
    /// Places of the paths that make the model, and of those that go nowhere.
    std::vector<std::size_t> m_modelPlaces;
    std::vector<std::size_t> m_strayPlaces;
    /// Of the template's parameters those that shape its model, where nothing else of a point does.
    std::optional<std::vector<std::size_t>> m_shapePlaces;
    std::vector<std::uint64_t> m_numbers;
    std::vector<std::uint64_t> m_key;
    /// Some point moves things on the canvas: else no point's document has one.
    bool m_setsCanvas = false;
    bool m_setsStages = false;
    /// The latest first.
    std::list<MadeModel> m_models;
    std::list<Source> m_sources;
    /// The source of the latest project.
    Source* m_latest = nullptr;
};

} // namespace app
