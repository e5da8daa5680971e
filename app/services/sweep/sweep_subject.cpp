#include "app/services/sweep/sweep_subject.h"

#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_project.h"
#include "core/project/options/option_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace app {

namespace {

constexpr std::string_view templatePrefix = "template.";

/// A value of the project file at a path as `--set` writes it; null where there is none.
core::Json valueOfDocument(const core::Json& document, const std::string& path) {
    const core::Json* at = &document;
    std::size_t begin = 0;
    while (at->is_object() && begin <= path.size()) {
        // The longest key wins: names of options have dots.
        bool isFound = false;
        for (std::size_t end = path.size(); !isFound && end != std::string::npos && end > begin;
             end = path.rfind('.', end - 1)) {
            const auto child = at->find(path.substr(begin, end - begin));
            if (child != at->end()) {
                at = &*child;
                begin = end + 1;
                isFound = true;
            }
            if (end == 0)
                break;
        }
        if (!isFound)
            return {};
        if (begin > path.size())
            return *at;
    }
    return {};
}

/// A figure as conditions and the JSON of `sweep` name it; nothing for other names.
std::optional<core::Json> figureOf(const core::SweepPointRecord& record, const std::string& name) {
    const auto number = [](const auto& value) -> core::Json {
        if (!value)
            return {};
        if constexpr (requires { value->value(); })
            return value->value();
        else
            return *value;
    };
    if (name == "fits")
        return record.state == core::SweepPointState::Fits;
    if (name == "step_cycles")
        return number(record.step);
    if (name == "samples_per_second")
        return number(record.samplesPerSecond);
    if (name == "idle_fraction")
        return number(record.idleFraction);
    if (name == "peak_bytes")
        return number(record.peak);
    if (name == "peak_fraction")
        return record.peak && record.limit ? core::Json(ratio(*record.peak, *record.limit)) : core::Json();
    if (name == "ipus")
        return number(record.ipus);
    if (name == "effective_batch")
        return number(record.effectiveBatch);
    return std::nullopt;
}

} // namespace

bool isOfTemplate(const core::ProjectSetting& setting) {
    return setting.path.starts_with(templatePrefix);
}

std::string templateParameter(const core::ProjectSetting& setting) {
    return setting.path.substr(templatePrefix.size());
}

core::Json SweepSubject::valueAt(const std::vector<core::ProjectSetting>& settings,
                                 const std::string& path) const {
    const auto set = std::ranges::find(settings, path, &core::ProjectSetting::path);
    if (set != settings.end())
        return set->value;
    if (path.starts_with(templatePrefix)) {
        const std::string parameter = path.substr(templatePrefix.size());
        const core::Json given = sweep.templateArguments.value(parameter, core::Json());
        return given.is_null() ? core::defaultArgument(sweep.templateName, parameter) : given;
    }
    core::Json written = valueOfDocument(document, path);
    const core::ProjectOption* option = core::findProjectOption(path);
    // What a project leaves out has its default.
    return written.is_null() && !document.is_null() && option != nullptr ? core::defaultValue(*option)
                                                                         : written;
}

bool SweepSubject::isWanted(const std::vector<core::ProjectSetting>& settings,
                            const core::SweepPointRecord& record) const {
    return std::ranges::all_of(sweep.conditions, [&](const core::PointCondition& condition) {
        return condition.holds([&](const std::string& name) {
            const auto figure = figureOf(record, name);
            return figure ? *figure : valueAt(settings, name);
        });
    });
}

namespace {

/// Conditions over what does not exist would never hold, and nobody would know why.
core::Diagnostics unknownNames(const SweepSubject& subject, const std::string& file) {
    core::Diagnostics findings;
    const std::vector<std::string> paths = subject.sweep.paths();
    for (std::size_t i = 0; i < subject.sweep.conditions.size(); ++i) {
        for (const std::string& name : subject.sweep.conditions[i].names()) {
            if (std::ranges::find(core::pointFigures(), name) != core::pointFigures().end() ||
                std::ranges::find(paths, name) != paths.end() || !subject.valueAt({}, name).is_null())
                continue;
            findings.push_back(core::makeError(
                core::Trouble::Input, "sweep/name", {file, fmt::format("/where/{}", i)},
                fmt::format("\"{}\" is neither a path that a point or the project sets nor a figure", name),
                {fmt::format("figures are {}; paths are those of `--set`",
                             fmt::join(core::pointFigures(), ", "))}));
        }
    }
    return findings;
}

} // namespace

core::Result<SweepSubject> sweepSubject(std::string_view content, const std::filesystem::path& path) {
    auto sweep = core::readSweep(content, path.string());
    if (!sweep)
        return core::failure(std::move(sweep.error()));
    SweepSubject subject;
    subject.sweep = std::move(*sweep);
    subject.folder = path.parent_path();
    subject.file = path.string();
    if (!subject.sweep.templateName.empty()) {
        if (auto unknown = unknownNames(subject, path.string()); !unknown.empty())
            return core::failure(std::move(unknown));
        return subject;
    }
    const std::filesystem::path project = subject.folder / subject.sweep.project;
    auto file = core::loadProject(project);
    if (!file)
        return core::failure(std::move(file.error()));
    subject.document = core::toJson(file->project);
    subject.folder = project.parent_path();
    subject.file = project.string();
    if (auto unknown = unknownNames(subject, path.string()); !unknown.empty())
        return core::failure(std::move(unknown));
    return subject;
}

} // namespace app
