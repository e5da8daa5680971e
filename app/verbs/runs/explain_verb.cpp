#include "app/reports/report_table.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/verb.h"
#include "core/profile/queries/metric_explanation.h"
#include "core/profile/queries/run_queries.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>

namespace app {

namespace {

/// Whole numbers with their digits, others with nine.
std::string shown(double value, const std::string& unit) {
    const bool isWhole = value == std::floor(value) && std::abs(value) < 1e15;
    return (isWhole ? fmt::format("{:.0f}", value) : fmt::format("{:.9g}", value)) +
           (unit.empty() ? "" : " ") + unit;
}

/// What a figure of a run means, how it comes about and what it can reach.
class ExplainVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("RUN", m_run, "A run's number, or last")->required();
        command.add_option("METRIC", m_metric, "A figure of its summary; without one they are listed");
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext& context) override {
        const auto run = m_database.openRun(m_run);
        if (!run)
            return core::failure(run.error());
        const auto summary = core::loadRun(run->database, run->id);
        if (!summary)
            return core::failure(summary.error());
        const core::MetricExplainer explainer(*summary);
        if (m_metric.empty())
            return listOf(run->database, run->id, explainer, context.output.json);
        auto explanation = core::explain(*summary, m_metric);
        if (explanation)
            explanation = core::withParts(run->database, run->id, *std::move(explanation));
        return explanation ? reportOf(explainer, *explanation) : core::failure(explanation.error());
    }

private:
    /// Inputs are in JSON alone, and their parts take a query for each figure.
    static core::Result<Report> listOf(const core::ProfileDatabase& database, core::RunId run,
                                       const core::MetricExplainer& explainer, bool withInputs) {
        Report report;
        report.json = reportJson("explain");
        ReportTable table({{"metric"},
                           {"value", TextTable::Align::Right},
                           {"unit"},
                           {"meaning"},
                           ReportTable::jsonColumn("formula"),
                           ReportTable::jsonColumn("inputs"),
                           ReportTable::jsonColumn("bound"),
                           ReportTable::jsonColumn("bound_meaning")});
        for (const std::string& name : explainer.metrics()) {
            core::Result<core::MetricExplanation> explanation = *explainer.explain(name);
            if (withInputs)
                explanation = core::withParts(database, run, *std::move(explanation));
            if (!explanation)
                return core::failure(explanation.error());
            table.add({name,
                       {finite(explanation->value), shown(explanation->value, "")},
                       explanation->unit,
                       explanation->meaning,
                       explanation->formula,
                       withInputs ? inputTable(explainer, *explanation).json() : core::Json(),
                       boundOf(*explanation),
                       explanation->boundMeaning});
        }
        table.writeTo(report, "metrics");
        return report;
    }

    static core::Json boundOf(const core::MetricExplanation& explanation) {
        return explanation.bound ? finite(*explanation.bound) : core::Json();
    }

    /// Inputs that are figures themselves say how they come about, too.
    static ReportTable inputTable(const core::MetricExplainer& explainer,
                                  const core::MetricExplanation& explanation) {
        ReportTable inputs({{"name", TextTable::Align::Left, "input"},
                            {"value", TextTable::Align::Right},
                            {"unit"},
                            {"meaning"},
                            {"formula"}});
        for (const core::ExplainedInput& input : explanation.inputs) {
            const auto own = explainer.explain(input.name);
            inputs.add({input.name,
                        {finite(input.value), shown(input.value, "")},
                        input.unit,
                        input.meaning,
                        own ? ReportTable::Cell(core::Json(own->formula)) : ReportTable::Cell(core::Json())});
        }
        return inputs;
    }

    static core::Result<Report> reportOf(const core::MetricExplainer& explainer,
                                         const core::MetricExplanation& explanation) {
        Report report;
        report.json = reportJson("explain");
        report.json["metric"] = explanation.metric;
        report.json["value"] = finite(explanation.value);
        report.json["unit"] = explanation.unit;
        report.json["meaning"] = explanation.meaning;
        report.json["formula"] = explanation.formula;
        report.json["computed"] = explanation.computed ? finite(*explanation.computed) : core::Json();
        report.text =
            fmt::format("{} = {}\n{}\n\n= {}\n", explanation.metric,
                        shown(explanation.value, explanation.unit), explanation.meaning, explanation.formula);
        const ReportTable inputs = inputTable(explainer, explanation);
        report.json["inputs"] = inputs.json();
        if (!explanation.inputs.empty())
            report.text += "\n" + inputs.text();
        report.csv = inputs.csv();
        report.json["bound"] = boundOf(explanation);
        report.json["bound_meaning"] = explanation.boundMeaning;
        if (!explanation.boundMeaning.empty())
            report.text += explanation.bound ? fmt::format("\n{} {}: {}\n", explanation.boundVerb(),
                                                           shown(*explanation.bound, explanation.unit),
                                                           explanation.boundMeaning)
                                             : fmt::format("\nBound: {}\n", explanation.boundMeaning);
        return report;
    }

    DatabaseArgument m_database;
    std::string m_run;
    std::string m_metric;
};

} // namespace

VerbDefinition explainVerb() {
    return {.name = "explain",
            .summary = "A figure of a run: its meaning, formula, inputs and bound",
            .examples = {"explain last samples_per_second", "explain last memory.0.peak_bytes --json",
                         "explain last"},
            .make = makeVerb<ExplainVerb>,
            .hasCsv = true};
}

} // namespace app
