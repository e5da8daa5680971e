#include "app/reports/report_table.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/database_damage.h"
#include "app/verbs/base/verb.h"
#include "core/profile/queries/run_queries.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

template <class Quantity>
core::Json orNull(const std::optional<Quantity>& value) {
    return value ? core::Json(value->value()) : core::Json();
}

class RunsVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override { m_database.addOption(command); }

    core::Result<Report> run(const VerbContext&) override {
        const auto database = m_database.open(core::DatabaseAccess::ReadOnly);
        if (!database)
            return core::failure(database.error());
        const auto rows = core::listRuns(*database);
        if (!rows)
            return core::failure(rows.error());
        Report report;
        report.json = reportJson("runs");
        constexpr auto right = TextTable::Align::Right;
        ReportTable table({{"run", right},
                           {"project"},
                           {"mode"},
                           {"state"},
                           {"samples_per_second", right},
                           {"peak_bytes", right},
                           {"started"},
                           {"merged_from"}});
        for (const core::RunRow& row : *rows) {
            const auto rate = row.samplesPerSecond
                                  ? ReportTable::Cell(finite(*row.samplesPerSecond),
                                                      fmt::format("{:.6g}", *row.samplesPerSecond))
                                  : ReportTable::Cell(nullptr);
            table.add({row.run.value(), row.project, core::toString(row.mode), core::toString(row.state),
                       rate, orNull(row.peak), row.started,
                       row.mergedFrom.empty() ? ReportTable::Cell(std::nullopt) : row.mergedFrom});
        }
        table.writeTo(report, "runs");
        report.diagnostics = databaseDamage(*database);
        return report;
    }

private:
    DatabaseArgument m_database;
};

} // namespace

VerbDefinition runsVerb() {
    return {.name = "runs",
            .summary = "The runs of a profile database",
            .examples = {"runs", "runs --database net.profiles.sqlite --json"},
            .make = makeVerb<RunsVerb>,
            .hasCsv = true};
}

} // namespace app
