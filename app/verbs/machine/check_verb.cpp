#include "app/reports/check_report.h"
#include "app/services/run/plan_baseline.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/verb.h"
#include "core/base/file.h"
#include "core/profile/queries/metric_explanation.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/records/memory_profile.h"
#include "core/profile/records/profile_sink.h"
#include "core/profile/records/time_records.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace app {

namespace {

/// Simulates a project and holds it against thresholds and a stored run, for continuous integration.
class CheckVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_project.addOptions(command);
        addModeOption(command, m_options.mode);
        constexpr double unbounded = std::numeric_limits<double>::infinity();
        addNumber(command, "--max-step-ns", m_maxStep, NumberRange::AboveZero, unbounded,
                  "Longest step in nanoseconds")
            ->type_name("NS");
        addNumber(command, "--max-peak-fraction", m_maxPeak, NumberRange::AboveZero, unbounded,
                  "Largest share of an IPU's memory, 1 is all of it")
            ->type_name("SHARE");
        addNumber(command, "--max-idle-fraction", m_maxIdle, NumberRange::FromZero, 1,
                  "Largest share of idle time")
            ->type_name("SHARE");
        addNumber(command, "--min-samples-per-second", m_minThroughput, NumberRange::AboveZero, unbounded,
                  "Lowest throughput")
            ->type_name("RATE");
        auto* baseline =
            command
                .add_option("--baseline", m_baseline,
                            "What this one must not be worse than: a stored run, or a file NAME.json of "
                            "figures that is kept with the project")
                ->type_name("RUN|FILE");
        command
            .add_flag("--update-baseline", m_updates,
                      "Write the figures of this project to the file of --baseline")
            ->needs(baseline);
        command.add_option("--tolerance", m_tolerance, "How much worse it may be, 5%")->capture_default_str();
        command
            .add_option("--junit", m_junit,
                        "Also write a JUnit report to this file; an older one is replaced")
            ->type_name("FILE");
        command
            .add_option("--code-quality", m_codeQuality,
                        "Also write a Code Quality report of GitLab to this file; an older one is replaced")
            ->type_name("FILE");
        command.add_flag("--github", m_github, "Also print what failed as annotations of GitHub, on stderr");
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext& context) override {
        const auto tolerance = readTolerance();
        if (!tolerance)
            return core::failure(tolerance.error());
        if (m_updates && !isBaselineFile())
            return core::failure(usageError("usage/baseline", "--update-baseline",
                                            "a stored run is not written over",
                                            "name a file: --baseline plan.baseline.json"));
        for (const std::string& file : {m_junit, m_codeQuality, m_updates ? m_baseline : std::string()}) {
            if (file.empty())
                continue;
            if (auto writable = checkOutput({.file = file, .force = true}); !writable)
                return core::failure(std::move(writable.error()));
        }
        if (m_updates && !context.output.force)
            if (auto replaced = mayReplace(m_baseline); !replaced)
                return core::failure(std::move(replaced.error()));
        m_options.numerics = false;
        m_options.level = simulator::ProfileLevel::None;
        auto prepared = m_project.prepareRun(m_options);
        if (!prepared)
            return refused(std::move(prepared.error()), context);
        std::vector<Check> checks;
        std::optional<PlanBaseline> baseline;
        if (!m_baseline.empty() && !m_updates) {
            const auto loaded = isBaselineFile() ? loadBaseline(m_baseline) : storedBaseline();
            if (!loaded)
                return core::failure(loaded.error());
            baseline = *loaded;
        }
        core::MemoryProfile sink;
        const auto summary = simulator::run(prepared->request, sink, context.job);
        if (!summary)
            return refused(summary.error(), context);
        addThresholds(*summary, checks);
        if (baseline)
            addComparison(*summary, *baseline, *tolerance, checks);
        if (auto told = tell(checks, context); !told)
            return core::failure(std::move(told.error()));
        Report report = checkReport(checks);
        if (m_updates && !summary->fits) {
            report.text += fmt::format("no baseline written: the project does not fit ({})\n", m_baseline);
        } else if (m_updates) {
            if (auto written = saveBaseline(baselineOf(*summary), m_baseline); !written)
                return core::failure(std::move(written.error()));
            report.text += fmt::format("baseline written: {}\n", m_baseline);
        }
        report.diagnostics = std::move(prepared->warnings);
        if (checks.size() == 1)
            report.diagnostics.push_back(core::makeNote(
                core::Trouble::Usage, "check/no-threshold", {m_project.path().string(), ""},
                "no threshold is given, so only whether the project fits into memory is checked",
                {"add --max-step-ns, --max-peak-fraction, --max-idle-fraction, --min-samples-per-second or "
                 "--baseline RUN|FILE.json"}));
        report.diagnostics.insert(report.diagnostics.end(), m_database.warnings().begin(),
                                  m_database.warnings().end());
        return report;
    }

private:
    [[nodiscard]] core::Result<double> readTolerance() const {
        std::string text = m_tolerance;
        if (text.ends_with('%'))
            text.pop_back();
        double percent = 0;
        constexpr double everything = 100; // as much worse as can be
        if (CLI::detail::lexical_cast(text, percent) && percent >= 0 && percent < everything)
            return percent / 100;
        return core::failure(
            usageError("usage/tolerance", "--tolerance",
                       fmt::format("\"{}\" is no percentage from 0 to below 100", m_tolerance.substr(0, 40)),
                       "write for example 5%"));
    }

    /// What other programs read of the checks.
    core::Result<void> tell(const std::vector<Check>& checks, const VerbContext& context) const {
        const std::string project = m_project.path().string();
        for (const auto& [file, text] : {std::pair{m_junit, junitText(checks, project)},
                                         std::pair{m_codeQuality, codeQualityText(checks, project)}}) {
            if (file.empty())
                continue;
            if (auto written = core::writeFileAtomically(file, text, core::Overwrite::Replace); !written)
                return written;
        }
        if (m_github)
            for (const std::string& line : githubAnnotations(checks, project))
                context.console.line(line);
        return {};
    }

    /// Of a project that is not simulated: a report of an earlier one would pass for its own.
    core::Result<Report> refused(core::Diagnostics findings, const VerbContext& context) const {
        const auto isError = [](const core::Diagnostic& finding) {
            return finding.severity == core::Severity::Error;
        };
        const auto first = std::ranges::find_if(findings, isError);
        if (first != findings.end() && !context.job.isCancelled())
            if (auto told = tell({{"is simulated", 1, 0, false, first->message}}, context); !told)
                findings.insert(findings.end(), told.error().begin(), told.error().end());
        return core::failure(std::move(findings));
    }

    [[nodiscard]] bool isBaselineFile() const { return m_baseline.ends_with(".json"); }

    [[nodiscard]] core::Result<PlanBaseline> storedBaseline() const {
        const auto database = m_database.open(core::DatabaseAccess::ReadOnly, m_project.path());
        if (!database)
            return core::failure(database.error());
        const auto run = core::findRun(*database, m_baseline);
        if (!run)
            return core::failure(run.error());
        const auto summary = core::loadRun(*database, *run);
        return summary ? core::Result<PlanBaseline>(baselineOf(*summary)) : core::failure(summary.error());
    }

    void addThresholds(const core::RunSummary& summary, std::vector<Check>& checks) const {
        checks.push_back({"fits", 1, summary.fits ? 1.0 : 0.0, summary.fits});
        const core::PredictedRanges known = core::rangesOf(summary);
        const auto most = [&](const char* name, const std::optional<double>& limit, double value,
                              const std::optional<core::PredictionInterval>& interval) {
            if (limit)
                checks.push_back({name, *limit, value, value <= *limit, {}, interval});
        };
        most("step_ns", m_maxStep,
             static_cast<double>(core::nanoseconds(summary.step, summary.provenance.clockHz)),
             core::inverseInterval(known.throughput));
        most("peak_fraction", m_maxPeak, peakFraction(summary), known.peak);
        most("idle_fraction", m_maxIdle, summary.idleFraction, std::nullopt);
        if (m_minThroughput)
            checks.push_back({"samples_per_second",
                              *m_minThroughput,
                              summary.samplesPerSecond,
                              summary.samplesPerSecond >= *m_minThroughput,
                              {},
                              known.throughput});
    }

    static void addComparison(const core::RunSummary& summary, const PlanBaseline& baseline, double tolerance,
                              std::vector<Check>& checks) {
        const double throughput = baseline.samplesPerSecond * (1 - tolerance);
        const core::PredictedRanges known = core::rangesOf(summary);
        checks.push_back({"samples_per_second_of_baseline",
                          throughput,
                          summary.samplesPerSecond,
                          summary.samplesPerSecond >= throughput,
                          {},
                          known.throughput,
                          true});
        const double peak = baseline.peakFraction * (1 + tolerance);
        checks.push_back({"peak_fraction_of_baseline",
                          peak,
                          peakFraction(summary),
                          peakFraction(summary) <= peak,
                          {},
                          known.peak,
                          true});
    }

    ProjectArgument m_project;
    DatabaseArgument m_database;
    SimulationOptions m_options;
    std::optional<double> m_maxStep;
    std::optional<double> m_maxPeak;
    std::optional<double> m_maxIdle;
    std::optional<double> m_minThroughput;
    std::string m_baseline;
    std::string m_tolerance = "0%";
    std::string m_junit;
    std::string m_codeQuality;
    bool m_github = false;
    bool m_updates = false;
};

} // namespace

VerbDefinition checkVerb() {
    return {.name = "check",
            .summary = "Hold a project against thresholds and a stored run, for continuous integration",
            .examples = {"check net.ipuproj --max-step-ns 2000000 --max-peak-fraction 0.9",
                         "check net.ipuproj --baseline last --tolerance 5% --junit report.xml --json",
                         "check net.ipuproj --baseline net.baseline.json --update-baseline",
                         "check net.ipuproj --baseline net.baseline.json --tolerance 2% --github"},
            .make = makeVerb<CheckVerb>,
            .hasCsv = true};
}

} // namespace app
