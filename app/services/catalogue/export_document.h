#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/config/training_options.h"
#include "core/profile/schema/profile_database.h"
#include "core/project/project.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// A form of an export format that people choose: an edition of an API, a table.
struct ExportVariant {
    std::string name;
    /// For menus: "Python program, TensorFlow 2.4".
    std::string title;
};

/// What a project or a run is exported as, by the verb `export` and by the window's menu.
struct ExportFormat {
    /// "chrome-trace": unique; what `--format` takes.
    std::string_view name;
    /// For menus: "Chrome trace of the run".
    std::string_view title;
    /// How its files end, without the dot.
    std::string_view suffix;
    /// What file dialogs call such files: "Python program".
    std::string_view fileKind;
    /// `file` names the project in diagnostics. A run is exported by the project it was made from.
    core::Result<std::string> (*ofProject)(const core::Project& project, core::RunMode mode,
                                           const std::string& file, std::string_view variant) = nullptr;
    core::Result<std::string> (*ofRun)(const core::ProfileDatabase& database, core::RunId run,
                                       std::string_view variant) = nullptr;
    /// The verb's option that chooses a variant ("api"), what it says in help, and its default; empty: there
    /// is one form only.
    std::string_view option = {};
    std::string_view optionHelp = {};
    std::string_view defaultVariant = {};
    std::vector<ExportVariant> (*variants)() = nullptr;
    /// Drawn by a view's painter (see RunPicture and the schedule's picture).
    bool isPicture = false;

    [[nodiscard]] bool takesProject() const { return ofProject != nullptr || isPicture; }
    /// The project that a run was made from is exported too.
    [[nodiscard]] bool takesRun() const { return ofRun != nullptr || takesProject(); }
};

/// In the order of menus.
[[nodiscard]] std::span<const ExportFormat> exportFormats();
/// Null for an unknown name.
[[nodiscard]] const ExportFormat* findExportFormat(std::string_view name);
/// Its variants; one without a name where there is one form only.
[[nodiscard]] std::vector<ExportVariant> variantsOf(const ExportFormat& format);

} // namespace app
