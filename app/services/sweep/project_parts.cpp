#include "app/services/sweep/project_parts.h"

#include "core/interchange/project/project_file.h"
#include "core/project/options/option_table.h"
#include "core/project/project_setting.h"

#include <algorithm>
#include <array>
#include <utility>

namespace app {

namespace {

/// Of each group: more than a grid usually has, and a few megabytes.
constexpr std::size_t mostParts = 1024;

/// A key of the project file, and the fields of the project that are read from it.
struct FileSection {
    std::string_view key;
    void (*take)(const core::Project& from, core::Project& to);
};

constexpr std::array<FileSection, 8> fileSections{{
    {"name", [](const core::Project& from, core::Project& to) { to.name = from.name; }},
    {"pipeline",
     [](const core::Project& from, core::Project& to) {
         to.pipeline = from.pipeline;
         to.deviceMapping = from.deviceMapping;
         to.assignment = from.assignment;
     }},
    {"training", [](const core::Project& from, core::Project& to) { to.training = from.training; }},
    {"replicas", [](const core::Project& from, core::Project& to) { to.replicas = from.replicas; }},
    {"system", [](const core::Project& from, core::Project& to) { to.system = from.system; }},
    {"ipu_config", [](const core::Project& from, core::Project& to) { to.ipuConfig = from.ipuConfig; }},
    {"opaque_layers",
     [](const core::Project& from, core::Project& to) { to.opaqueLayers = from.opaqueLayers; }},
    {"canvas", [](const core::Project& from, core::Project& to) { to.canvas = from.canvas; }},
}};

/// fileSections.size() where no section has this key.
std::size_t sectionOf(std::string_view key) {
    return static_cast<std::size_t>(std::ranges::find(fileSections, key, &FileSection::key) -
                                    fileSections.begin());
}

std::string_view sectionName(std::string_view path) {
    return path.substr(0, path.find('.'));
}

/// Putting one in touches what the other does.
bool areEntangled(std::string_view a, std::string_view b) {
    const auto isWithin = [](std::string_view inner, std::string_view outer) {
        return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '.');
    };
    constexpr std::string_view shortName = "pipeline.schedule";
    constexpr std::string_view longName = "pipeline.pipeline_schedule";
    const auto isSchedule = [&](std::string_view path) {
        return isWithin(path, shortName) || isWithin(path, longName);
    };
    return isWithin(a, b) || isWithin(b, a) || (isSchedule(a) && isSchedule(b));
}

/// The option that is read alone whatever else is set; null where there is none.
const core::ProjectOption* optionAlone(std::string_view path) {
    const core::ProjectOption* option = core::findProjectOption(path);
    return option != nullptr && option->field.copy != nullptr ? option : nullptr;
}

constexpr std::array<std::string_view, 2> headerKeys{"format", "version"};

bool isHeader(std::string_view key) {
    return std::ranges::find(headerKeys, key) != headerKeys.end();
}

} // namespace

bool areEntangled(const std::vector<std::string>& paths, const std::vector<std::size_t>& places) {
    for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = i + 1; j < places.size(); ++j)
            if (areEntangled(paths[places[i]], paths[places[j]]))
                return true;
    return false;
}

std::vector<PartGroup> partGroups(const std::vector<std::string>& paths, std::size_t orderPlace) {
    std::vector<PartGroup> groups;
    for (const FileSection& section : fileSections) {
        std::vector<std::size_t> places;
        for (std::size_t path = 0; path < paths.size(); ++path)
            if (sectionName(paths[path]) == section.key)
                places.push_back(path);
        const bool isOfOptions = std::ranges::all_of(
            places, [&](std::size_t path) { return optionAlone(paths[path]) != nullptr; });
        if (isOfOptions) {
            for (const std::size_t path : places)
                groups.push_back({section.key, optionAlone(paths[path]), {path}});
        } else {
            if (areEntangled(paths, places))
                places.push_back(orderPlace);
            groups.push_back({section.key, nullptr, std::move(places)});
        }
    }
    return groups;
}

bool isOfAPart(std::string_view path) {
    return sectionOf(sectionName(path)) < fileSections.size();
}

ProjectParts::ProjectParts(core::Json document, std::string file, const core::ModelGraph& model,
                           std::optional<core::StageAssignment> assignment,
                           const std::vector<PartGroup>& groups)
    : m_document(std::move(document))
    , m_file(std::move(file))
    , m_model(model)
    , m_assignment(std::move(assignment))
    , m_groups(groups)
    , m_wanted(groups.size())
    , m_inPlace(groups.size()) {
    bool isWhole = m_document.is_object();
    for (const auto& [key, value] : m_document.items())
        isWhole = isWhole && (isHeader(key) || sectionOf(key) < fileSections.size());
    for (const PartGroup& group : groups)
        m_parts.emplace_back(group.paths, mostParts);
    if (isWhole)
        m_base = readDocument(m_document);
}

/// Nothing where it cannot be read.
std::optional<core::Project> ProjectParts::readDocument(const core::Json& document) const {
    auto file = core::readProjectDocument(document, m_file, m_model);
    if (!file)
        return std::nullopt;
    if (m_assignment)
        file->project.assignment = *m_assignment;
    return std::move(file->project);
}

ProjectParts::Part ProjectParts::read(const PartGroup& group,
                                      const std::vector<core::ProjectSetting>& settings) {
    const std::string name(group.section);
    core::Json document = core::Json::object();
    for (const std::string_view header : headerKeys)
        document[std::string(header)] = m_document.value(header, core::Json());
    if (const auto value = m_document.find(name); value != m_document.end())
        document[name] = *value;
    std::vector<core::ProjectSetting> own;
    std::ranges::copy_if(settings, std::back_inserter(own), [&](const core::ProjectSetting& setting) {
        return sectionName(setting.path) == group.section &&
               (group.option == nullptr || setting.path == group.option->path);
    });
    Part part{++m_read, std::nullopt};
    if (auto applied = core::withSettings(std::move(document), own))
        part.project = readDocument(applied->project);
    return part;
}

/// Of the parts that are wanted.
std::optional<core::Project> ProjectParts::composed() {
    if (!m_base)
        return std::nullopt;
    if (!m_spare)
        adoptModel(core::ModelGraph(m_model));
    const core::TrainingOptions* training = &m_base->training;
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        const Part& part = *m_wanted[group];
        const FileSection& section = fileSections[sectionOf(m_groups[group].section)];
        const core::ProjectOption* option = m_groups[group].option;
        if (option == nullptr && section.key == "training")
            training = &part.project->training;
        if (m_inPlace[group] == part.number)
            continue;
        m_inPlace[group] = part.number;
        if (option != nullptr)
            option->field.copy(*part.project, *m_spare);
        else
            section.take(*part.project, *m_spare);
    }
    if (m_isCompleted && m_spare->training.optimizer != training->optimizer)
        m_spare->training.optimizer = training->optimizer;
    if (m_isCompleted && m_spare->training.losses != training->losses)
        m_spare->training.losses = training->losses;
    return std::exchange(m_spare, std::nullopt);
}

void ProjectParts::giveBack(core::Project&& project) {
    m_spare = std::move(project);
    m_isCompleted = true;
}

std::optional<core::ModelGraph> ProjectParts::releaseModel() {
    if (!m_spare)
        return std::nullopt;
    core::ModelGraph model = std::move(m_spare->model);
    m_spare.reset();
    return model;
}

void ProjectParts::adoptModel(core::ModelGraph&& model) {
    if (!m_base)
        return;
    m_spare.emplace(*m_base).model = std::move(model);
    m_inPlace.assign(m_inPlace.size(), 0);
    m_isCompleted = false;
}

} // namespace app
