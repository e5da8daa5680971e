#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/verb.h"
#include "core/profile/queries/run_queries.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {

namespace {

class DeleteVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("RUN", m_runs, "Runs by number, or last")->required();
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext&) override {
        const auto database = existingDatabase();
        if (!database)
            return core::failure(database.error());
        const auto runs = core::findRuns(*database, m_runs);
        if (!runs)
            return core::failure(runs.error());
        if (auto deleted = core::deleteRuns(*database, *runs); !deleted)
            return core::failure(deleted.error());
        std::vector<std::uint32_t> numbers;
        for (const core::RunId run : *runs)
            numbers.push_back(run.value());
        Report report;
        report.json = reportJson("delete");
        report.json["deleted"] = numbers;
        report.text = fmt::format("deleted: {}\n", fmt::join(numbers, ", "));
        return report;
    }

private:
    /// Opening for writing would make a file that is not there.
    [[nodiscard]] core::Result<core::ProfileDatabase> existingDatabase() const {
        if (const auto readable = m_database.open(core::DatabaseAccess::ReadOnly); !readable)
            return core::failure(readable.error());
        return m_database.open(core::DatabaseAccess::ReadWrite);
    }

    DatabaseArgument m_database;
    std::vector<std::string> m_runs;
};

} // namespace

VerbDefinition deleteVerb() {
    return {.name = "delete",
            .summary = "Remove runs from a profile database",
            .examples = {"delete 3", "delete 1 2 --database net.profiles.sqlite"},
            .make = makeVerb<DeleteVerb>};
}

} // namespace app
