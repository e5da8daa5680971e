#include "app/reports/text_table.h"
#include "app/verbs/database_argument.h"
#include "app/verbs/verb.h"
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
        report.json["runs"] = core::Json::array();
        constexpr auto right = TextTable::Align::Right;
        TextTable table({{"run", right},
                         {"project"},
                         {"mode"},
                         {"state"},
                         {"samples_per_second", right},
                         {"peak_bytes", right},
                         {"started"}});
        for (const core::RunRow& row : *rows) {
            report.json["runs"].push_back(
                {{"run", row.run.value()},
                 {"project", row.project},
                 {"mode", core::toString(row.mode)},
                 {"state", core::toString(row.state)},
                 {"samples_per_second", row.samplesPerSecond ? finite(*row.samplesPerSecond) : core::Json()},
                 {"peak_bytes", orNull(row.peak)},
                 {"started", row.started}});
            table.add({std::to_string(row.run.value()), row.project, std::string(core::toString(row.mode)),
                       std::string(core::toString(row.state)),
                       row.samplesPerSecond ? fmt::format("{:.6g}", *row.samplesPerSecond) : "",
                       row.peak ? std::to_string(row.peak->value()) : "", row.started});
        }
        report.text = table.text();
        report.csv = table.csv();
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
