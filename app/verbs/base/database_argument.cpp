#include "app/verbs/base/database_argument.h"

#include "core/profile/queries/damage_report.h"
#include "core/profile/queries/run_queries.h"

#include "app/verbs/base/verb.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace fs = std::filesystem;

void DatabaseArgument::addOption(CLI::App& command) {
    command
        .add_option("--database", m_file,
                    "The profile database; NAME.profiles.sqlite beside the project otherwise")
        ->type_name("FILE");
}

core::Result<fs::path> DatabaseArgument::path(const fs::path& project) const {
    if (!m_file.empty())
        return fs::path(m_file);
    if (!project.empty())
        return core::defaultDatabasePath(project);
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(".", error)) {
        if (entry.path().string().ends_with(".profiles.sqlite"))
            found.push_back(entry.path().filename());
    }
    if (found.size() == 1)
        return found.front();
    core::Diagnostic diagnostic =
        usageError("usage/database", "--database", "there are several profile databases in this folder",
                   "name one with --database FILE");
    if (found.empty()) {
        diagnostic.trouble = core::Trouble::World;
        diagnostic.code = "database/missing";
        diagnostic.message = "there is no profile database in this folder";
        diagnostic.hints = {"run a project first, or name one with --database FILE"};
    }
    return core::failure(std::move(diagnostic));
}

core::Result<core::ProfileDatabase> DatabaseArgument::open(core::DatabaseAccess access,
                                                           const fs::path& project) const {
    const auto file = path(project);
    if (!file)
        return core::failure(file.error());
    auto database = core::ProfileDatabase::open(*file, {.access = access});
    if (database)
        m_warnings = core::newerVersionOf(*database);
    return database;
}

core::Result<OpenRun> DatabaseArgument::openRun(const std::string& run) const {
    auto database = open(core::DatabaseAccess::ReadOnly);
    if (!database)
        return core::failure(std::move(database.error()));
    const auto id = core::findRun(*database, run);
    if (!id)
        return core::failure(id.error());
    return OpenRun{*std::move(database), *id};
}

bool isRunText(std::string_view text) {
    return text == "last" ||
           (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos);
}

} // namespace app
