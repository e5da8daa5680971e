#include "app/reports/report_table.h"
#include "app/reports/run_report.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/database_damage.h"
#include "app/verbs/base/verb.h"
#include "core/profile/analysis/run_verdict.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/training_queries.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace {

class ShowVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("RUN", m_run, "A run's number, or last")->required();
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext&) override {
        const auto run = m_database.openRun(m_run);
        if (!run)
            return core::failure(run.error());
        const auto summary = core::loadRun(run->database, run->id);
        if (!summary)
            return core::failure(summary.error());
        const auto outputs = core::loadModelOutputs(run->database, run->id);
        if (!outputs)
            return core::failure(outputs.error());
        Report report;
        report.json = runJson("show", run->id, *summary);
        report.json["provenance"] = core::provenanceJson(summary->provenance);
        const auto origin = core::mergedFrom(run->database, run->id);
        if (!origin)
            return core::failure(origin.error());
        report.json["provenance"]["merged_from"] = origin->empty() ? core::Json() : core::Json(*origin);
        report.text = runText(run->id, *summary);
        const auto rows = core::listRuns(run->database);
        if (!rows)
            return core::failure(rows.error());
        const auto row = std::ranges::find(*rows, run->id, &core::RunRow::run);
        const core::RunState state = row == rows->end() ? core::RunState::Complete : row->state;
        report.json["state"] = core::toString(state);
        if (state == core::RunState::Cancelled)
            report.text =
                "stopped on request: what follows is of the epochs that it had finished\n" + report.text;
        const auto verdict =
            core::loadRunVerdict(run->database, run->id, core::plainWords(summary->provenance.clockHz));
        // Of a damaged database the rest is shown.
        if (!verdict && databaseDamage(run->database).empty())
            return core::failure(verdict.error());
        if (verdict)
            addVerdict(*verdict, report);
        addOutputs(*outputs, report);
        report.text += "\n" + provenanceText(report.json["provenance"]);
        report.diagnostics = databaseDamage(run->database);
        return report;
    }

private:
    /// The questions that a run is asked first, answered.
    static void addVerdict(const core::RunVerdict& verdict, Report& report) {
        ReportTable table({{"question"},
                           ReportTable::jsonColumn("headline"),
                           ReportTable::jsonColumn("detail"),
                           ReportTable::textColumn("answer")});
        for (const core::VerdictClause& clause : verdict.clauses)
            table.add(
                {std::string(core::toString(clause.question)),
                 {core::Json(clause.headline), ""},
                 {core::Json(clause.detail), ""},
                 {std::nullopt, clause.headline + (clause.detail.empty() ? "" : ": " + clause.detail)}});
        report.json["verdict"] = table.json();
        report.text += "\n" + table.text();
    }

    /// What differs between two runs of the same numbers: who computed them, when, from which project.
    static std::string provenanceText(const core::Json& provenance) {
        ReportTable table({ReportTable::textColumn("provenance"), ReportTable::textColumn("")});
        constexpr std::size_t longest = 80;
        for (const auto& [name, value] : provenance.items()) {
            ReportTable::Cell cell(value);
            // A document (the figures of a target) would hide the others.
            if (cell.text.size() > longest)
                cell.text = fmt::format("{} bytes, which --json has", cell.text.size());
            table.add({name, cell});
        }
        return table.text();
    }

    DatabaseArgument m_database;
    std::string m_run;
};

} // namespace

VerbDefinition showVerb() {
    return {.name = "show",
            .summary = "The numbers of a stored run",
            .examples = {"show last", "show 3 --database net.profiles.sqlite --json"},
            .make = makeVerb<ShowVerb>};
}

} // namespace app
