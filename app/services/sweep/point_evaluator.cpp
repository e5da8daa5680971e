#include "app/services/sweep/point_evaluator.h"

#include "app/services/run/system_findings.h"
#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_project.h"
#include "core/project/validate.h"
#include "simulator/planner/estimate.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace {

constexpr std::string_view templatePrefix = "template.";

bool isOfTemplate(const core::ProjectSetting& setting) {
    return setting.path.starts_with(templatePrefix);
}

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

std::string findingText(const core::Diagnostics& findings) {
    for (const core::Diagnostic& finding : findings) {
        if (finding.severity == core::Severity::Error)
            return fmt::format("{}: {}", finding.code, finding.message);
    }
    return {};
}

core::SweepPointRecord& withoutFigures(core::SweepPointRecord& record, core::SweepPointState state,
                                       const core::Diagnostics& findings) {
    record.state = state;
    record.finding = findingText(findings);
    return record;
}

void takeFigures(const core::ValidatedProject& project, const core::PlanEstimate& plan,
                 core::SweepPointRecord& record) {
    record.state = plan.fits ? core::SweepPointState::Fits : core::SweepPointState::DoesNotFit;
    record.ipus = project.ipusPerReplica() * project.replicas();
    record.replicas = project.replicas();
    record.effectiveBatch = project.effectiveBatch();
    record.step = plan.step;
    record.samplesPerSecond = plan.samplesPerSecond;
    record.idleFraction = plan.idleFraction;
    core::Bytes peak;
    core::Bytes limit;
    for (const core::IpuEstimate& ipu : plan.ipus) {
        if (ipu.peak >= peak) {
            peak = ipu.peak;
            limit = ipu.limit;
        }
    }
    record.peak = peak;
    record.limit = limit;
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

core::Json SweepSubject::valueAt(const std::vector<core::ProjectSetting>& settings,
                                 const std::string& path) const {
    const auto set = std::ranges::find(settings, path, &core::ProjectSetting::path);
    if (set != settings.end())
        return set->value;
    if (path.starts_with(templatePrefix))
        return sweep.templateArguments.value(path.substr(templatePrefix.size()), core::Json());
    return valueOfDocument(document, path);
}

bool SweepSubject::isPoint(const std::vector<core::ProjectSetting>& settings) const {
    return std::ranges::all_of(sweep.conditions, [&](const core::PointCondition& condition) {
        return condition.needsFigures() ||
               condition.holds([&](const std::string& name) { return valueAt(settings, name); });
    });
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

core::Result<SweepSubject> loadSweep(const std::filesystem::path& path) {
    const auto text = core::readFile(path, core::FileLimit::project);
    if (!text)
        return core::failure(text.error());
    auto sweep = core::readSweep(*text, path.string());
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

PointEvaluator::PointEvaluator(const SweepSubject& subject, DatasetFactsCache& datasets)
    : m_subject(subject)
    , m_datasets(datasets)
    , m_paths(subject.sweep.paths()) {}

core::Result<core::Project> PointEvaluator::project(const std::vector<core::ProjectSetting>& settings) const {
    core::Json document = m_subject.document;
    std::vector<core::ProjectSetting> rest;
    if (!m_subject.sweep.templateName.empty()) {
        core::Json arguments = m_subject.sweep.templateArguments;
        for (const core::ProjectSetting& setting : settings) {
            if (isOfTemplate(setting))
                arguments[setting.path.substr(templatePrefix.size())] = setting.value;
        }
        auto made = core::newProject(m_subject.sweep.templateName, arguments);
        if (!made)
            return made;
        document = core::toJson(*made);
    }
    std::ranges::copy_if(settings, std::back_inserter(rest),
                         [](const core::ProjectSetting& setting) { return !isOfTemplate(setting); });
    auto applied = core::withSettings(std::move(document), rest);
    if (!applied)
        return core::failure(std::move(applied.error()));
    auto file = core::readProjectDocument(applied->project, m_subject.file);
    if (!file)
        return core::failure(core::withSettingPlaces(std::move(file.error()), rest, applied->pointers));
    return std::move(file->project);
}

core::SweepPointRecord PointEvaluator::evaluate(std::int64_t point, const core::JobContext& job) {
    const std::vector<core::ProjectSetting> settings = m_subject.sweep.point(point);
    core::SweepPointRecord record;
    record.point = point;
    core::Json values = core::Json::array();
    for (const std::string& path : m_paths) {
        const auto set = std::ranges::find(settings, path, &core::ProjectSetting::path);
        values.push_back(set == settings.end() ? core::Json() : set->value);
    }
    record.values = core::toText(values, -1);
    const auto made = project(settings);
    if (!made)
        return withoutFigures(record, core::SweepPointState::Failed, made.error());
    if (const auto system = systemFindings(*made, m_subject.file, m_subject.folder); core::hasErrors(system))
        return withoutFigures(record, core::SweepPointState::Refused, system);
    const auto facts = m_datasets.facts(*made, core::RunMode::Train, m_subject.folder);
    if (!facts)
        return withoutFigures(record, core::SweepPointState::Failed, facts.error());
    const auto outcome = core::validateAll(*made, core::RunMode::Train, *facts, m_subject.file);
    if (!outcome.project)
        return withoutFigures(record, core::SweepPointState::Refused, outcome.findings);
    const core::PlanEstimate plan = simulator::estimate(*outcome.project, m_cache, job, m_subject.folder);
    if (!plan.refusal.empty()) {
        record.state = core::SweepPointState::Refused;
        record.finding = plan.refusal;
        return record;
    }
    takeFigures(*outcome.project, plan, record);
    return record;
}

} // namespace app
