#include "app/reports/report_table.h"
#include "app/reports/run_report.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/verb.h"
#include "core/base/file.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/records/memory_profile.h"
#include "core/profile/records/profile_sink.h"
#include "core/text/markup_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace app {

namespace {

/// One threshold and how it was met.
struct Check {
    std::string name;
    double limit = 0;
    double value = 0;
    bool isPassed = false;
};

double peakFraction(const core::RunSummary& summary) {
    double largest = 0;
    for (const core::IpuMemorySummary& memory : summary.memory)
        largest = std::max(largest, ratio(memory.peak, memory.limit));
    return largest;
}

std::string junit(const std::vector<Check>& checks, const std::string& suite) {
    const auto failures = std::ranges::count(checks, false, &Check::isPassed);
    std::string text = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                   "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n",
                                   core::markupText(suite), checks.size(), failures);
    for (const Check& check : checks) {
        text += fmt::format("  <testcase classname=\"check\" name=\"{}\"", check.name);
        text += check.isPassed ? "/>\n"
                               : fmt::format("><failure message=\"{} exceeds {}\"/></testcase>\n",
                                             check.value, check.limit);
    }
    return text + "</testsuite>\n";
}

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
        command.add_option("--baseline", m_baseline, "A stored run that this one must not be worse than")
            ->type_name("RUN");
        command.add_option("--tolerance", m_tolerance, "How much worse it may be, 5%")->capture_default_str();
        command
            .add_option("--junit", m_junit,
                        "Also write a JUnit report to this file; an older one is replaced")
            ->type_name("FILE");
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext& context) override {
        const auto tolerance = readTolerance();
        if (!tolerance)
            return core::failure(tolerance.error());
        if (!m_junit.empty()) {
            if (auto writable = checkOutput({.file = m_junit, .force = true}); !writable)
                return core::failure(std::move(writable.error()));
        }
        m_options.numerics = false;
        m_options.level = simulator::ProfileLevel::None;
        auto prepared = m_project.prepareRun(m_options);
        if (!prepared)
            return core::failure(std::move(prepared.error()));
        std::vector<Check> checks;
        std::optional<core::RunSummary> baseline;
        if (!m_baseline.empty()) {
            auto loaded = loadBaseline();
            if (!loaded)
                return core::failure(std::move(loaded.error()));
            baseline = std::move(*loaded);
        }
        core::MemoryProfile sink;
        const auto summary = simulator::run(prepared->request, sink, context.job);
        if (!summary)
            return core::failure(summary.error());
        addThresholds(*summary, checks);
        if (baseline)
            addComparison(*summary, *baseline, *tolerance, checks);
        if (!m_junit.empty()) {
            const auto written = core::writeFileAtomically(m_junit, junit(checks, m_project.path().string()),
                                                           core::Overwrite::Replace);
            if (!written)
                return core::failure(written.error());
        }
        Report report = reportOf(checks);
        report.diagnostics = std::move(prepared->warnings);
        if (checks.size() == 1)
            report.diagnostics.push_back(core::makeNote(
                core::Trouble::Usage, "check/no-threshold", {m_project.path().string(), ""},
                "no threshold is given, so only whether the project fits into memory is checked",
                {"add --max-step-ns, --max-peak-fraction, --max-idle-fraction, --min-samples-per-second or "
                 "--baseline RUN"}));
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
        if (CLI::detail::lexical_cast(text, percent) && percent >= 0)
            return percent / 100;
        return core::failure(usageError("usage/tolerance", "--tolerance",
                                        fmt::format("\"{}\" is no percentage", m_tolerance.substr(0, 40)),
                                        "write for example 5%"));
    }

    [[nodiscard]] core::Result<core::RunSummary> loadBaseline() const {
        const auto database = m_database.open(core::DatabaseAccess::ReadOnly, m_project.path());
        if (!database)
            return core::failure(database.error());
        const auto run = core::findRun(*database, m_baseline);
        return run ? core::loadRun(*database, *run) : core::failure(run.error());
    }

    void addThresholds(const core::RunSummary& summary, std::vector<Check>& checks) const {
        checks.push_back({"fits", 1, summary.fits ? 1.0 : 0.0, summary.fits});
        const auto most = [&](const char* name, const std::optional<double>& limit, double value) {
            if (limit)
                checks.push_back({name, *limit, value, value <= *limit});
        };
        most("step_ns", m_maxStep,
             static_cast<double>(nanoseconds(summary.step, summary.provenance.clockHz)));
        most("peak_fraction", m_maxPeak, peakFraction(summary));
        most("idle_fraction", m_maxIdle, summary.idleFraction);
        if (m_minThroughput)
            checks.push_back({"samples_per_second", *m_minThroughput, summary.samplesPerSecond,
                              summary.samplesPerSecond >= *m_minThroughput});
    }

    static void addComparison(const core::RunSummary& summary, const core::RunSummary& baseline,
                              double tolerance, std::vector<Check>& checks) {
        const double throughput = baseline.samplesPerSecond * (1 - tolerance);
        checks.push_back({"samples_per_second_of_baseline", throughput, summary.samplesPerSecond,
                          summary.samplesPerSecond >= throughput});
        const double peak = peakFraction(baseline) * (1 + tolerance);
        checks.push_back(
            {"peak_fraction_of_baseline", peak, peakFraction(summary), peakFraction(summary) <= peak});
    }

    static Report reportOf(const std::vector<Check>& checks) {
        Report report;
        report.isNegative = std::ranges::any_of(checks, [](const Check& check) { return !check.isPassed; });
        report.json = reportJson("check");
        report.json["passed"] = !report.isNegative;
        constexpr auto right = TextTable::Align::Right;
        ReportTable table(
            {{"name", TextTable::Align::Left, "check"}, {"limit", right}, {"value", right}, {"passed"}});
        const auto number = [](double value) {
            return ReportTable::Cell(finite(value), fmt::format("{:.6g}", value));
        };
        for (const Check& check : checks)
            table.add({check.name,
                       number(check.limit),
                       number(check.value),
                       {check.isPassed, check.isPassed ? "yes" : "no"}});
        table.writeTo(report, "checks");
        return report;
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
};

} // namespace

VerbDefinition checkVerb() {
    return {.name = "check",
            .summary = "Hold a project against thresholds and a stored run, for continuous integration",
            .examples = {"check net.ipuproj --max-step-ns 2000000 --max-peak-fraction 0.9",
                         "check net.ipuproj --baseline last --tolerance 5% --junit report.xml --json"},
            .make = makeVerb<CheckVerb>,
            .hasCsv = true};
}

} // namespace app
