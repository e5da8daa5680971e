#include "app/services/sweep/point_projects.h"

#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_project.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace {

/// A sweep that varies the model goes through its models again and again.
constexpr std::size_t mostModels = 8;
/// What is around models is small.
constexpr std::size_t mostSources = 256;

bool isIn(const core::ProjectSetting& setting, std::string_view section) {
    return setting.path.starts_with(section) &&
           (setting.path.size() == section.size() || setting.path[section.size()] == '.');
}

bool makesTheModel(const core::ProjectSetting& setting) {
    return isOfTemplate(setting) || isIn(setting, "model");
}

std::vector<core::ProjectSetting> chosen(const std::vector<core::ProjectSetting>& settings,
                                         bool (*isWanted)(const core::ProjectSetting&),
                                         bool isChosen = true) {
    std::vector<core::ProjectSetting> result;
    std::ranges::copy_if(settings, std::back_inserter(result),
                         [&](const core::ProjectSetting& setting) { return isWanted(setting) == isChosen; });
    return result;
}

/// The model of a project, from its JSON alone.
core::Result<core::ModelGraph> readModel(const core::Json& project, const std::string& file) {
    core::Json onlyModel = core::Json::object();
    for (const char* key : {"format", "version", "model"})
        onlyModel[key] = project.value(key, core::Json());
    auto read = core::readProjectDocument(onlyModel, file);
    if (!read)
        return core::failure(std::move(read.error()));
    return std::move(read->project.model);
}

} // namespace

PointProjects::PointProjects(const SweepSubject& subject)
    : m_subject(subject)
    , m_axes(subject.sweep) {
    const std::vector<std::string>& paths = m_axes.paths();
    const std::size_t orderPlace = paths.size();
    m_groups = partGroups(paths, orderPlace);
    for (std::size_t place = 0; place < paths.size(); ++place) {
        const core::ProjectSetting setting{paths[place], {}};
        m_setsCanvas = m_setsCanvas || isIn(setting, "canvas");
        m_setsStages = m_setsStages || setting.path == "pipeline" || isIn(setting, "pipeline.stages") ||
                       isIn(setting, "pipeline.sharding");
        if (makesTheModel(setting))
            m_modelPlaces.push_back(place);
        else if (!isOfAPart(setting.path))
            m_strayPlaces.push_back(place);
    }
    const auto isParameter = [&](std::size_t place) { return isOfTemplate({paths[place], {}}); };
    if (!subject.sweep.templateName.empty() && !m_setsStages && !m_setsCanvas &&
        std::ranges::all_of(m_modelPlaces, isParameter)) {
        m_shapePlaces.emplace();
        std::ranges::copy_if(m_modelPlaces, std::back_inserter(*m_shapePlaces), [&](std::size_t place) {
            return core::shapesTheModel(subject.sweep.templateName, templateParameter({paths[place], {}}));
        });
    }
    if (areEntangled(paths, m_modelPlaces))
        m_modelPlaces.push_back(orderPlace);
}

std::span<const std::uint64_t> PointProjects::numbersOf(std::int64_t point) {
    m_axes.numbersOf(point, m_numbers);
    m_numbers.push_back(m_axes.orderOf(point));
    return m_numbers;
}

std::vector<std::size_t> PointProjects::placesOf(std::initializer_list<std::string_view> sections) const {
    std::vector<std::size_t> places = m_modelPlaces;
    const std::vector<std::string>& paths = m_axes.paths();
    for (const std::string_view section : sections) {
        const std::size_t first = places.size();
        for (std::size_t place = 0; place < paths.size(); ++place)
            if (isIn({paths[place], {}}, section))
                places.push_back(place);
        if (areEntangled(paths, {places.begin() + static_cast<std::ptrdiff_t>(first), places.end()}))
            places.push_back(paths.size());
    }
    return places;
}

core::Result<PointProjects::PointProject> PointProjects::project(std::int64_t point,
                                                                 std::span<const std::uint64_t> numbers) {
    const bool isStray = std::ranges::any_of(
        m_strayPlaces, [&](std::size_t place) { return numbers[place] != core::SweepAxes::unset; });
    if (Source* source = isStray ? nullptr : sourceOf(point, numbers)) {
        // A model that was given back serves all parts around it.
        if (m_latest != nullptr && m_latest != source && m_latest->examiner == source->examiner)
            if (auto model = m_latest->parts.releaseModel())
                source->parts.adoptModel(std::move(*model));
        m_latest = source;
        auto project = source->parts.project(numbers, [&] { return m_subject.sweep.point(point); });
        if (project)
            return PointProject{std::move(*project), source->examiner.get()};
    }
    // Whatever is wrong is said of the whole document.
    auto project = wholeProject(m_subject.sweep.point(point));
    if (!project)
        return core::failure(std::move(project.error()));
    return PointProject{std::move(*project), nullptr};
}

void PointProjects::giveBack(const core::ModelExaminer& examiner, core::Project&& project) {
    if (m_latest != nullptr && m_latest->examiner.get() == &examiner)
        m_latest->parts.giveBack(std::move(project));
}

core::Json PointProjects::argumentsOf(const std::vector<core::ProjectSetting>& settings) const {
    core::Json arguments = m_subject.sweep.templateArguments;
    for (const core::ProjectSetting& setting : settings)
        if (isOfTemplate(setting))
            arguments[templateParameter(setting)] = setting.value;
    return arguments;
}

/// The project file, or what the template gives, before any other setting.
core::Result<core::Json> PointProjects::document(const std::vector<core::ProjectSetting>& settings) const {
    if (m_subject.sweep.templateName.empty())
        return m_subject.document;
    const auto made = core::newProject(m_subject.sweep.templateName, argumentsOf(settings));
    if (!made)
        return core::failure(made.error());
    return core::toJson(*made);
}

core::Result<core::Project>
PointProjects::wholeProject(const std::vector<core::ProjectSetting>& settings) const {
    auto made = document(settings);
    if (!made)
        return core::failure(std::move(made.error()));
    const std::vector<core::ProjectSetting> rest = chosen(settings, isOfTemplate, false);
    auto applied = core::withSettings(std::move(*made), rest);
    if (!applied)
        return core::failure(std::move(applied.error()));
    auto file = core::readProjectDocument(applied->project, m_subject.file);
    if (!file)
        return core::failure(core::withSettingPlaces(std::move(file.error()), rest, applied->pointers));
    return std::move(file->project);
}

/// Null where the model cannot be read.
PointProjects::Source* PointProjects::sourceOf(std::int64_t point, std::span<const std::uint64_t> numbers) {
    m_key.clear();
    for (const std::size_t place : m_modelPlaces)
        m_key.push_back(numbers[place]);
    const auto known = std::ranges::find(m_sources, m_key, &Source::key);
    if (known != m_sources.end()) {
        m_sources.splice(m_sources.begin(), m_sources, known);
        return &m_sources.front();
    }
    const std::vector<core::ProjectSetting> settings = m_subject.sweep.point(point);
    auto source = m_shapePlaces ? makeSource(settings, numbers) : readSource(settings);
    if (!source)
        return nullptr;
    source->key = m_key;
    m_sources.push_front(std::move(*source));
    if (m_sources.size() > (m_shapePlaces ? mostSources : mostModels)) {
        if (m_latest == &m_sources.back())
            m_latest = nullptr;
        m_sources.pop_back();
    }
    return &m_sources.front();
}

std::optional<PointProjects::Source>
PointProjects::readSource(const std::vector<core::ProjectSetting>& settings) const {
    const std::vector<core::ProjectSetting> own = chosen(settings, makesTheModel);
    auto made = document(own);
    if (!made)
        return std::nullopt;
    auto applied = core::withSettings(std::move(*made), chosen(own, isOfTemplate, false));
    if (!applied)
        return std::nullopt;
    core::Json& whole = applied->project;
    auto read = readModel(whole, m_subject.file);
    if (!read)
        return std::nullopt;
    whole.erase("model");
    // Where things are on the canvas is nothing to a simulation, and of a large model it is much to copy.
    if (!m_setsCanvas)
        whole.erase("canvas");
    auto examiner = std::make_shared<core::ModelExaminer>(*std::move(read));
    std::optional<core::StageAssignment> assignment;
    const auto pipeline = whole.find("pipeline");
    if (!m_setsStages && pipeline != whole.end()) {
        auto base = core::readProjectDocument(whole, m_subject.file, examiner->model());
        if (!base)
            return std::nullopt;
        assignment = std::move(base->project.assignment);
        pipeline->erase("stages");
        pipeline->erase("sharding");
    }
    const core::ModelGraph& model = examiner->model();
    return Source{{},
                  std::move(examiner),
                  ProjectParts(std::move(whole), m_subject.file, model, std::move(assignment), m_groups)};
}

std::optional<PointProjects::Source>
PointProjects::makeSource(const std::vector<core::ProjectSetting>& settings,
                          std::span<const std::uint64_t> numbers) {
    const core::Json arguments = argumentsOf(settings);
    const MadeModel* model = modelOf(arguments, numbers);
    if (model == nullptr)
        return std::nullopt;
    auto project = core::projectAround(model->made, m_subject.sweep.templateName, arguments);
    if (!project)
        return std::nullopt;
    core::StageAssignment assignment = std::move(project->assignment);
    project->assignment = {};
    core::Json document = core::toJson(*project);
    document.erase("model");
    return Source{{},
                  model->examiner,
                  ProjectParts(std::move(document), m_subject.file, model->examiner->model(),
                               std::move(assignment), m_groups)};
}

/// Null where the template makes none.
PointProjects::MadeModel* PointProjects::modelOf(const core::Json& arguments,
                                                 std::span<const std::uint64_t> numbers) {
    std::vector<std::uint64_t> key;
    for (const std::size_t place : *m_shapePlaces)
        key.push_back(numbers[place]);
    const auto known = std::ranges::find(m_models, key, &MadeModel::key);
    if (known != m_models.end()) {
        m_models.splice(m_models.begin(), m_models, known);
        return &m_models.front();
    }
    auto made = core::templateModel(m_subject.sweep.templateName, arguments);
    if (!made)
        return nullptr;
    // As the project file would have it.
    core::Project alone;
    alone.model = made->model;
    auto read = readModel(core::toJson(alone), m_subject.file);
    if (!read)
        return nullptr;
    m_models.push_front(
        {std::move(key), std::move(*made), std::make_shared<core::ModelExaminer>(*std::move(read))});
    if (m_models.size() > mostModels)
        m_models.pop_back();
    return &m_models.front();
}

} // namespace app
