#include "app/services/sweep/project_parts.h"

#include "core/interchange/project/project_file.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace app {

namespace {

/// Of each section: more than a grid usually has, and a few megabytes.
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

std::size_t sectionOf(const core::ProjectSetting& setting) {
    return sectionOf(std::string_view(setting.path).substr(0, setting.path.find('.')));
}

constexpr std::array<std::string_view, 2> headerKeys{"format", "version"};

bool isHeader(std::string_view key) {
    return std::ranges::find(headerKeys, key) != headerKeys.end();
}

} // namespace

ProjectParts::ProjectParts(core::Json document, std::string file, const core::ModelGraph& model,
                           std::optional<core::StageAssignment> assignment)
    : m_document(std::move(document))
    , m_file(std::move(file))
    , m_model(model)
    , m_assignment(std::move(assignment))
    , m_isWhole(m_document.is_object()) {
    static_assert(fileSections.size() == sectionCount);
    for (const auto& [key, value] : m_document.items())
        m_isWhole = m_isWhole && (isHeader(key) || sectionOf(key) < sectionCount);
}

std::optional<std::array<std::string, ProjectParts::sectionCount>>
ProjectParts::keysOf(const std::vector<core::ProjectSetting>& settings) {
    std::array<std::string, sectionCount> keys;
    for (const core::ProjectSetting& setting : settings) {
        const std::size_t section = sectionOf(setting);
        if (section == sectionCount)
            return std::nullopt;
        std::string& key = keys[section];
        key += setting.path;
        key += '=';
        key += core::toText(setting.value, -1);
        key += '\n';
    }
    return keys;
}

/// Null where it cannot be read.
const core::Project* ProjectParts::part(std::size_t section, const std::string& key,
                                        const std::vector<core::ProjectSetting>& settings) {
    Parts& parts = m_parts[section];
    if (const auto known = parts.find(key); known != parts.end())
        return &known->second;
    const std::string name(fileSections[section].key);
    core::Json document = core::Json::object();
    for (const std::string_view header : headerKeys)
        document[std::string(header)] = m_document.value(header, core::Json());
    if (const auto value = m_document.find(name); value != m_document.end())
        document[name] = *value;
    std::vector<core::ProjectSetting> own;
    std::ranges::copy_if(settings, std::back_inserter(own),
                         [&](const core::ProjectSetting& setting) { return sectionOf(setting) == section; });
    auto applied = core::withSettings(std::move(document), own);
    if (!applied)
        return nullptr;
    auto file = core::readProjectDocument(applied->project, m_file, m_model);
    if (!file)
        return nullptr;
    file->project.model = {};
    if (m_assignment)
        file->project.assignment = *m_assignment;
    if (parts.size() >= mostParts) {
        parts.clear();
        m_inPlace[section] = nullptr;
    }
    return &parts.emplace(key, std::move(file->project)).first->second;
}

std::optional<core::Project> ProjectParts::project(const std::vector<core::ProjectSetting>& settings) {
    const auto keys = keysOf(settings);
    if (!m_isWhole || !keys)
        return std::nullopt;
    std::array<const core::Project*, sectionCount> parts{};
    for (std::size_t section = 0; section < sectionCount; ++section) {
        parts[section] = part(section, (*keys)[section], settings);
        if (parts[section] == nullptr)
            return std::nullopt;
    }
    if (!m_spare) {
        m_spare.emplace().model = m_model;
        m_inPlace = {};
    }
    for (std::size_t section = 0; section < sectionCount; ++section)
        if (m_inPlace[section] != parts[section])
            fileSections[section].take(*parts[section], *m_spare);
    m_inPlace = parts;
    return std::exchange(m_spare, std::nullopt);
}

void ProjectParts::giveBack(core::Project&& project) {
    m_spare = std::move(project);
    m_inPlace[sectionOf("training")] = nullptr;
}

} // namespace app
