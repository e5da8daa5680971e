#include "app/reports/report_table.h"
#include "app/services/run/run_verification.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/verb.h"
#include "core/profile/queries/run_queries.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

/// At most so many differing figures are printed for people; JSON and CSV have all.
constexpr std::size_t shownDifferences = 20;

ReportTable::Cell moved(const std::optional<std::int64_t>& value) {
    return value ? ReportTable::Cell(*value, fmt::format("{:+}", *value)) : ReportTable::Cell(core::Json());
}

/// Simulates a stored run again and holds every figure against what is stored.
class VerifyVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("RUN", m_run, "A run's number, or last")->required();
        command
            .add_option("--folder", m_folder,
                        "Where relative paths of the stored project start; else the database's folder")
            ->type_name("FOLDER");
        command.add_flag_callback(
            "--no-numerics", [this] { m_numerics = false; },
            "Only times and memory; losses and metrics are not computed again");
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext& context) override {
        const auto run = m_database.openRun(m_run);
        if (!run)
            return core::failure(run.error());
        const auto stored = core::loadRun(run->database, run->id);
        if (!stored)
            return core::failure(stored.error());
        const std::filesystem::path folder =
            m_folder.empty() ? run->database.path().parent_path() : std::filesystem::path(m_folder);
        auto verification = verifyRun(*stored, folder, m_numerics, context.job);
        if (!verification)
            return core::failure(std::move(verification.error()));
        Report report = reportOf(run->id, *stored, *verification);
        report.diagnostics = std::move(verification->warnings);
        return report;
    }

private:
    [[nodiscard]] Report reportOf(core::RunId id, const core::RunSummary& stored,
                                  const RunVerification& verification) const {
        const bool hasNumerics = m_numerics && !stored.metrics.empty();
        Report report;
        report.isNegative = !verification.matches();
        report.json = reportJson("verify");
        report.json["run"] = id.value();
        report.json["matches"] = verification.matches();
        report.json["numerics"] = hasNumerics;
        constexpr auto right = TextTable::Align::Right;
        ReportTable differences(
            {{"name", TextTable::Align::Left, "figure"}, {"stored", right}, {"now", right}});
        for (const FigureDifference& difference : verification.differences)
            differences.add({difference.name, difference.stored, difference.now});
        differences.writeTo(report, "differences");
        ReportTable versions({{"name", TextTable::Align::Left, "version of"}, {"stored"}, {"now"}});
        for (const FigureDifference& version : verification.versions)
            versions.add({version.name, version.stored, version.now});
        report.json["versions"] = versions.json();
        ReportTable constants({{"key", TextTable::Align::Left, "constant"},
                               {"stored", right},
                               {"now", right},
                               {"step_cycles_moved", right, "moves the step by cycles"},
                               {"peak_bytes_moved", right, "the peak by bytes"}});
        for (const ConstantDifference& constant : verification.constants)
            constants.add({constant.key, constant.stored, constant.now, moved(constant.stepCyclesMoved),
                           moved(constant.peakBytesMoved)});
        report.json["constants"] = verification.knowsConstants ? constants.json() : core::Json();
        report.text = textOf(id, verification, hasNumerics, differences, versions, constants);
        return report;
    }

    [[nodiscard]] static std::string textOf(core::RunId id, const RunVerification& verification,
                                            bool hasNumerics, const ReportTable& differences,
                                            const ReportTable& versions, const ReportTable& constants) {
        std::string text =
            verification.matches()
                ? fmt::format("run {} is what a run gives now: every figure{} is equal\n", id.value(),
                              hasNumerics ? ", losses and metrics too," : " of time and memory")
                : fmt::format("run {} is not what a run gives now; different figures: {}\n", id.value(),
                              verification.differences.size());
        if (!verification.differences.empty())
            text += "\n" + firstLines(differences.text(), shownDifferences + 1);
        if (!verification.versions.empty())
            text += "\n" + versions.text();
        if (!verification.constants.empty())
            text += "\n" + constants.text();
        else if (!verification.knowsConstants)
            text += "\nIts file does not say the target's figures, so changed constants cannot be named.\n";
        else if (!verification.matches())
            text += "\nNo figure of the target has changed.\n";
        return text;
    }

    [[nodiscard]] static std::string firstLines(const std::string& text, std::size_t lines) {
        std::size_t end = 0;
        for (std::size_t line = 0; line < lines && end != std::string::npos; ++line)
            end = text.find('\n', end == 0 ? 0 : end + 1);
        if (end == std::string::npos || end + 1 >= text.size())
            return text;
        return text.substr(0, end + 1) + "… and more: --json and --csv have all\n";
    }

    DatabaseArgument m_database;
    std::string m_run;
    std::string m_folder;
    bool m_numerics = true;
};

} // namespace

VerbDefinition verifyVerb() {
    return {.name = "verify",
            .summary = "Simulate a stored run again: is every figure the same, and if not, what changed",
            .examples = {"verify last", "verify 3 --database net.profiles.sqlite --no-numerics --json"},
            .make = makeVerb<VerifyVerb>,
            .hasCsv = true};
}

} // namespace app
