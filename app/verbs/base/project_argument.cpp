#include "app/verbs/base/project_argument.h"

#include "app/services/run/dataset_facts.h"
#include "app/services/run/project_wants.h"
#include "app/services/run/system_findings.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/verb_input.h"

#include <CLI/CLI.hpp>

namespace app {

void ProjectArgument::addOptions(CLI::App& command, bool isRequired) {
    auto* project =
        command.add_option("PROJECT", m_path, "The project file (NAME.ipuproj); - reads the standard input");
    if (isRequired)
        project->required();
    addSettings(command);
}

void ProjectArgument::addOptions(CLI::App& command, const std::string& name,
                                 const std::string& documentation) {
    command.add_option(name, m_path, documentation)->type_name("PROJECT");
    addSettings(command);
}

void ProjectArgument::addSettings(CLI::App& command) {
    command
        .add_option("--set", m_texts,
                    "Put a value into the project: pipeline.schedule=Interleaved, "
                    "ipu_config.allow_recompute=true; null puts the default back")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all();
}

core::Result<core::ProjectFile> ProjectArgument::load(const std::vector<core::ProjectSetting>& more) {
    m_settings.clear();
    for (const std::string& text : m_texts) {
        auto setting = core::parseSetting(text);
        if (!setting)
            return core::failure(std::move(setting.error()));
        m_settings.push_back(std::move(*setting));
    }
    m_settings.insert(m_settings.end(), more.begin(), more.end());
    auto file = read();
    if (!file)
        return file;
    m_pointers = file->settingPointers;
    auto findings = systemFindings(file->project, m_path.string(), folder());
    if (!findings.empty())
        return core::failure(withSettingPlaces(std::move(findings)));
    return file;
}

core::Result<core::ProjectFile> ProjectArgument::read() {
    if (m_path == standardInput) {
        auto text = readInput(m_path, core::FileLimit::project);
        if (!text)
            return core::failure(std::move(text.error()));
        m_input = std::move(*text);
        m_path = inputName(m_path);
    }
    return m_input ? core::readProject(*m_input, m_path.string(), m_settings)
                   : core::loadProject(m_path, m_settings);
}

core::Result<core::ValidationOutcome> ProjectArgument::validate(core::RunMode mode) {
    auto file = load();
    if (!file)
        return core::failure(std::move(file.error()));
    const auto facts = datasetFacts(file->project, mode, folder());
    if (!facts)
        return core::failure(facts.error());
    auto outcome = core::validateAll(file->project, mode, *facts, m_path.string());
    core::Diagnostics& findings = outcome.findings;
    findings.insert(findings.begin(), file->warnings.begin(), file->warnings.end());
    if (const auto note = dataOutside(file->project, folder(), m_path.string()))
        findings.push_back(*note);
    findings = withSettingPlaces(std::move(findings));
    return outcome;
}

core::Result<PreparedRun> ProjectArgument::prepareRun(const SimulationOptions& options) {
    std::vector<core::ProjectSetting> more;
    if (options.seed)
        more.push_back({"training.seed", *options.seed});
    auto file = load(more);
    if (!file)
        return core::failure(std::move(file.error()));
    DatasetFactsCache datasets;
    auto prepared = app::prepareRun(std::move(file->project), m_path.string(), folder(), options, datasets);
    core::Diagnostics findings = std::move(file->warnings);
    core::Diagnostics& rest = prepared ? prepared->warnings : prepared.error();
    findings.insert(findings.end(), rest.begin(), rest.end());
    rest = withSettingPlaces(std::move(findings));
    return prepared;
}

core::Diagnostics ProjectArgument::withSettingPlaces(core::Diagnostics findings) const {
    return core::withSettingPlaces(std::move(findings), m_settings, m_pointers);
}

void addModeOption(CLI::App& command, core::RunMode& mode) {
    addChoice<core::RunMode>(command, "--mode", mode,
                             {{"train", core::RunMode::Train},
                              {"evaluate", core::RunMode::Evaluate},
                              {"predict", core::RunMode::Predict}},
                             "train, evaluate or predict")
        ->type_name("MODE");
}

} // namespace app
