#include "app/batch/project_argument.h"

#include "app/batch/option_value.h"
#include "simulator/target/ipu_system.h"

#include <CLI/CLI.hpp>

namespace app {

namespace {

/// A target that does not exist, a figure it does not have: only the simulator knows them.
core::Diagnostics systemFindings(const core::Project& project, const std::string& file,
                                 const std::filesystem::path& folder) {
    const auto system =
        simulator::makeSystem(project.system, 1, 1, simulator::SelectionOrder::Zigzag, folder);
    if (system)
        return {};
    core::Diagnostics findings = system.error();
    for (core::Diagnostic& finding : findings) {
        if (finding.location.file.empty())
            finding.location.file = file;
        if (finding.location.place.empty())
            finding.location.place = "/system/target";
    }
    return findings;
}

} // namespace

void ProjectArgument::addOptions(CLI::App& command, bool isRequired) {
    auto* project = command.add_option("PROJECT", m_path, "The project file (NAME.ipuproj)");
    if (isRequired)
        project->required();
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
    auto file = core::loadProject(m_path, m_settings);
    if (!file)
        return file;
    m_pointers = file->settingPointers;
    auto findings = systemFindings(file->project, m_path.string(), folder());
    if (!findings.empty())
        return core::failure(withSettingPlaces(std::move(findings)));
    return file;
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
