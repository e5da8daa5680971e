#pragma once

#include "app/services/run/prepare_run.h"
#include "core/base/result.h"
#include "core/interchange/project/project_file.h"
#include "core/project/validate.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace app {

/// The PROJECT of a verb with its `--set` options.
class ProjectArgument {
public:
    /// `isRequired`: the positional must be there.
    void addOptions(CLI::App& command, bool isRequired = true);
    /// The same with the project after an option, "--schedulers".
    void addOptions(CLI::App& command, const std::string& name, const std::string& documentation);

    [[nodiscard]] bool isGiven() const { return !m_path.empty(); }
    /// Once it was read.
    [[nodiscard]] bool isOfStandardInput() const { return m_input.has_value(); }
    /// Whether there are settings, which mean nothing without a project.
    [[nodiscard]] bool hasSettings() const { return !m_texts.empty(); }
    /// "stdin" once a project was read from there.
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// Relative paths of the project start here.
    [[nodiscard]] std::filesystem::path folder() const { return m_path.parent_path(); }

    /// Reads the project, puts the settings in (`more` behind those of the command line), and checks that its
    /// target and its system exist.
    [[nodiscard]] core::Result<core::ProjectFile> load(const std::vector<core::ProjectSetting>& more = {});

    /// Loads it and asks every rule, with what is known of its dataset. The findings are those of reading it
    /// too.
    [[nodiscard]] core::Result<core::ValidationOutcome> validate(core::RunMode mode);

    /// Loads and validates it for a run, with the seed of the options as one more setting. Errors: everything
    /// that `validate` finds, and those of app::prepareRun.
    [[nodiscard]] core::Result<PreparedRun> prepareRun(const SimulationOptions& options);

    /// Findings about values that a setting put in name the setting; after `load`.
    [[nodiscard]] core::Diagnostics withSettingPlaces(core::Diagnostics findings) const;

private:
    void addSettings(CLI::App& command);

    [[nodiscard]] core::Result<core::ProjectFile> read();

    std::filesystem::path m_path;
    /// Of the standard input, which is read once.
    std::optional<std::string> m_input;
    std::vector<std::string> m_texts;
    std::vector<core::ProjectSetting> m_settings;
    std::vector<std::string> m_pointers;
};

/// `--mode train|evaluate|predict`.
void addModeOption(CLI::App& command, core::RunMode& mode);

} // namespace app
