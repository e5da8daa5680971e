#include "core/project/project_setting.h"

#include "core/config/ipu_config/ipu_config_table.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace core {

namespace {

Diagnostic refusal(const ProjectSetting& setting, std::string message, std::string hint) {
    return makeError(Trouble::Input, "project/set-path", {"", setting.place()}, std::move(message),
                     {std::move(hint)});
}

/// "schedule" and "pipeline_schedule" are one option: setting one takes the other away.
constexpr std::string_view shortScheduleKey = "schedule";
constexpr std::string_view longScheduleKey = "pipeline_schedule";

/// Puts one setting into a project.
class SettingPath {
public:
    SettingPath(const ProjectSetting& setting, Json& project)
        : m_setting(setting)
        , m_rest(setting.path)
        , m_target(&project) {}

    /// The pointer of the value, or what stands in the way.
    Result<std::string> apply() {
        while (true) {
            if (m_target->is_array()) {
                if (auto refused = enterList())
                    return failure(std::move(*refused));
                if (m_rest.empty())
                    return m_pointer;
                continue;
            }
            if (auto refused = prepareObject())
                return failure(std::move(*refused));
            const std::string key = takeKey();
            m_pointer = childPointer(m_pointer, key);
            if (m_rest.empty()) {
                put(key);
                return m_pointer;
            }
            m_target = &(*m_target)[key];
        }
    }

private:
    /// A value that cannot hold the rest of the path becomes an object where that makes sense.
    std::optional<Diagnostic> prepareObject() {
        if (m_target->is_null())
            *m_target = Json::object();
        const bool isKerasName = m_target->is_string() && m_pointer.starts_with("/training/");
        if (isKerasName)
            *m_target = Json{{"class_name", *m_target}, {"config", Json::object()}};
        if (m_target->is_object())
            return std::nullopt;
        return refusal(m_setting,
                       fmt::format("{} is {} and holds no \"{}\"",
                                   m_pointer.empty() ? "the project" : m_pointer, typeName(*m_target),
                                   m_rest),
                       "name a path of the project file, keys separated by dots");
    }

    std::optional<Diagnostic> enterList() {
        const std::string_view step = m_rest.substr(0, m_rest.find('.'));
        std::size_t index = 0;
        const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
        if (error != std::errc() || end != step.data() + step.size() || index >= m_target->size())
            return refusal(m_setting,
                           fmt::format("{} is a list of {} entries and has no entry \"{}\"", m_pointer,
                                       m_target->size(), step),
                           fmt::format("name an entry from 0 to {}, or set the whole list",
                                       m_target->empty() ? 0 : m_target->size() - 1));
        drop(step.size());
        m_pointer = childPointer(m_pointer, index);
        Json& item = (*m_target)[index];
        if (m_rest.empty())
            item = m_setting.value;
        m_target = &item;
        return std::nullopt;
    }

    /// The next key of the path: the longest that is an option or is in the object, else up to the dot.
    std::string takeKey() {
        std::size_t length = std::min(m_rest.find('.'), m_rest.size());
        const bool isOption = m_pointer == "/ipu_config";
        const bool isPoplarKey = m_pointer.starts_with("/ipu_config/");
        if (isPoplarKey || (isOption && !startsWithOption()))
            length = m_rest.size();
        for (std::size_t end = m_rest.size(); end > length; end = m_rest.rfind('.', end - 1)) {
            const std::string_view candidate = m_rest.substr(0, end);
            const bool isKnown =
                isOption ? findIpuConfigOption(candidate) != nullptr : m_target->contains(candidate);
            if (isKnown) {
                length = end;
                break;
            }
        }
        std::string key(m_rest.substr(0, length));
        drop(length);
        return key;
    }

    [[nodiscard]] bool startsWithOption() const {
        const auto& options = ipuConfigOptions();
        return std::any_of(options.begin(), options.end(), [&](const IpuConfigOption& option) {
            return m_rest.starts_with(option.name) &&
                   (m_rest.size() == option.name.size() || m_rest[option.name.size()] == '.');
        });
    }

    void drop(std::size_t length) {
        m_rest.remove_prefix(length);
        if (!m_rest.empty())
            m_rest.remove_prefix(1);
    }

    void put(const std::string& key) {
        if (m_pointer == childPointer("/pipeline", shortScheduleKey))
            m_target->erase(std::string(longScheduleKey));
        if (m_pointer == childPointer("/pipeline", longScheduleKey))
            m_target->erase(std::string(shortScheduleKey));
        if (m_setting.value.is_null())
            m_target->erase(key);
        else
            (*m_target)[key] = m_setting.value;
    }

    const ProjectSetting& m_setting;
    std::string_view m_rest;
    Json* m_target;
    std::string m_pointer;
};

} // namespace

Result<ProjectSetting> parseSetting(std::string_view text) {
    const std::size_t at = text.find('=');
    const std::string_view path = text.substr(0, at);
    const bool isPath = !path.empty() && path.front() != '.' && path.back() != '.' &&
                        path.find("..") == std::string_view::npos;
    if (at == std::string_view::npos || !isPath)
        return failure(makeError(Trouble::Usage, "usage/set",
                                 {"", fmt::format("--set {}", text.substr(0, 80))}, "expected PATH=VALUE",
                                 {"write for example --set pipeline.schedule=Interleaved"}));
    const std::string value(text.substr(at + 1));
    auto json = parseJson(value, "");
    return ProjectSetting{std::string(path), json ? std::move(*json) : Json(value)};
}

Result<SettingsApplied> withSettings(Json project, const std::vector<ProjectSetting>& settings) {
    SettingsApplied applied{std::move(project), {}};
    Diagnostics findings;
    for (const ProjectSetting& setting : settings) {
        auto pointer = SettingPath(setting, applied.project).apply();
        if (pointer)
            applied.pointers.push_back(std::move(*pointer));
        else
            findings.insert(findings.end(), pointer.error().begin(), pointer.error().end());
    }
    if (!findings.empty())
        return failure(std::move(findings));
    return applied;
}

Diagnostics withSettingPlaces(Diagnostics findings, const std::vector<ProjectSetting>& settings,
                              const std::vector<std::string>& pointers) {
    for (Diagnostic& finding : findings) {
        for (std::size_t i = 0; i < pointers.size(); ++i) {
            const std::string& place = finding.location.place;
            const bool isInside = place.starts_with(pointers[i]) &&
                                  (place.size() == pointers[i].size() || place[pointers[i].size()] == '/');
            // A key that nobody knows may be one on the way to what the setting put in.
            const bool isOnTheWay =
                finding.code == "project/unknown-key" && pointers[i].starts_with(place + "/");
            if (isInside || isOnTheWay) {
                finding.location.place = settings[i].place();
                break;
            }
        }
    }
    return findings;
}

} // namespace core
