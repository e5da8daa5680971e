#include "app/reports/report_table.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/verb.h"
#include "core/profile/queries/explained/explained_inputs.h"
#include "core/profile/queries/metric_explanation.h"
#include "core/profile/queries/run_queries.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <map>

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
        if (!explainer.has(m_metric))
            return core::failure(core::explain(*summary, m_metric).error());
        const auto explanation = core::StoredExplainer(run->database, run->id, explainer).explain(m_metric);
        return explanation ? reportOf(*explanation) : core::failure(explanation.error());
    }

private:
    /// Inputs are in JSON alone, and their parts take a query for each figure. Those that are listed
    /// themselves are explained in their own row.
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
        core::StoredExplainer stored(database, run, explainer);
        for (const std::string& name : explainer.metrics()) {
            core::Result<core::MetricExplanation> explanation = *explainer.explain(name);
            if (withInputs)
                explanation = stored.explain(name, true);
            if (!explanation)
                return core::failure(explanation.error());
            table.add({name,
                       {finite(explanation->value), shown(explanation->value, "")},
                       explanation->unit,
                       explanation->meaning,
                       explanation->formula,
                       withInputs ? jsonOf(explanation->inputs) : core::Json(),
                       boundOf(*explanation),
                       explanation->boundMeaning});
        }
        table.writeTo(report, "metrics");
        return report;
    }

    static core::Json boundOf(const core::MetricExplanation& explanation) {
        return explanation.bound ? finite(*explanation.bound) : core::Json();
    }

    static core::Json jsonOf(const std::vector<core::ExplainedInput>& inputs) {
        core::Json list = core::Json::array();
        for (const core::ExplainedInput& input : inputs) {
            core::Json row{{"name", input.name},
                           {"value", finite(input.value)},
                           {"unit", input.unit},
                           {"meaning", input.meaning},
                           {"formula", input.formula.empty() ? core::Json() : core::Json(input.formula)},
                           {"source", core::toString(input.source)}};
            if (!input.inputs.empty())
                row["inputs"] = jsonOf(input.inputs);
            list.push_back(std::move(row));
        }
        return list;
    }

    /// Inputs with their own below them; what was explained above is not again.
    static void addRows(const std::vector<core::ExplainedInput>& inputs, std::int64_t depth,
                        std::map<std::string, double>& above, ReportTable& text, ReportTable& csv) {
        for (const core::ExplainedInput& input : inputs) {
            bool isKnown = false;
            if (!input.inputs.empty()) {
                const auto [known, isNew] = above.emplace(input.name, input.value);
                isKnown = !isNew && known->second == input.value;
            }
            const std::string value = shown(input.value, "");
            const std::string how = isKnown                 ? "as above"
                                    : input.formula.empty() ? sourceWords(input.source)
                                                            : input.formula;
            text.add({std::string(static_cast<std::size_t>(depth) * 2, ' ') + input.name,
                      {finite(input.value), value},
                      input.unit,
                      input.meaning,
                      how});
            csv.add({input.name,
                     {finite(input.value), value},
                     input.unit,
                     input.meaning,
                     input.formula,
                     depth,
                     std::string(core::toString(input.source))});
            if (!isKnown)
                addRows(input.inputs, depth + 1, above, text, csv);
        }
    }

    static std::string sourceWords(core::FigureSource source) {
        switch (source) {
        case core::FigureSource::Setting:
            return "a setting of the project";
        case core::FigureSource::Target:
            return "a figure of the target";
        case core::FigureSource::Measured:
            return "measured on machines";
        default:
            return "counted";
        }
    }

    static core::Result<Report> reportOf(const core::MetricExplanation& explanation) {
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
        report.json["inputs"] = jsonOf(explanation.inputs);
        const std::vector<ReportTable::Column> columns{
            {"input"}, {"value", TextTable::Align::Right}, {"unit"}, {"meaning"}, {"formula"}};
        ReportTable text(columns);
        std::vector<ReportTable::Column> flat = columns;
        flat.push_back({"depth"});
        flat.push_back({"source"});
        ReportTable csv(flat);
        std::map<std::string, double> above;
        addRows(explanation.inputs, 0, above, text, csv);
        if (!explanation.inputs.empty())
            report.text += "\n" + text.text();
        report.csv = csv.csv();
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
