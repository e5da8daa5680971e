#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/profile/schema/profile_database.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace app {

/// A run in a database that stays open to read it.
struct OpenRun {
    core::ProfileDatabase database;
    core::RunId id;
};

/// The `--database FILE` of a verb that reads or writes runs.
class DatabaseArgument {
public:
    void addOption(CLI::App& command);

    [[nodiscard]] bool isNamed() const { return !m_file.empty(); }
    /// The file that was named; else `NAME.profiles.sqlite` beside the project; without a project the only
    /// such file in the present folder. Errors (Trouble::Usage): "usage/database" when there is none or there
    /// are several.
    [[nodiscard]] core::Result<std::filesystem::path> path(const std::filesystem::path& project = {}) const;
    [[nodiscard]] core::Result<core::ProfileDatabase> open(core::DatabaseAccess access,
                                                           const std::filesystem::path& project = {}) const;
    /// The run that `RUN` of a verb names, a number or "last", in the database, to read. Errors: those of
    /// `open` and of `core::findRun`.
    [[nodiscard]] core::Result<OpenRun> openRun(const std::string& run) const;
    /// What a person has to know of the file that was opened: that a newer program made it.
    [[nodiscard]] const core::Diagnostics& warnings() const { return m_warnings; }

private:
    std::string m_file;
    mutable core::Diagnostics m_warnings;
};

/// Whether an argument that may be a run or a project file is a run: a number or "last".
[[nodiscard]] bool isRunText(std::string_view text);

} // namespace app
