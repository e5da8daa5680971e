#include "app/reports/run_report.h"
#include "app/verbs/database_argument.h"
#include "app/verbs/option_value.h"
#include "app/verbs/simulation.h"
#include "app/verbs/verb.h"
#include "core/base/file.h"
#include "core/profile/writer/profile_writer.h"
#include "simulator/compiler/executable_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <limits>

namespace app {

namespace {

/// Compiles, simulates, trains and stores a run.
class RunVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_project.addOptions(command);
        addModeOption(command, m_options.mode);
        addChoice<simulator::ProfileLevel>(command, "--profile", m_options.level,
                                           {{"none", simulator::ProfileLevel::None},
                                            {"device", simulator::ProfileLevel::Device},
                                            {"ipu", simulator::ProfileLevel::Ipu},
                                            {"tile", simulator::ProfileLevel::Tile}},
                                           "How much is recorded: none, device, ipu or tile")
            ->type_name("LEVEL");
        command.add_flag_callback(
            "--no-numerics", [this] { m_options.numerics = false; }, "Only times and memory, no training");
        addWholeNumber(command, "--seed", m_options.seed, 0, std::numeric_limits<std::int64_t>::max(),
                       "Seed of the run instead of the project's")
            ->type_name("N");
        command
            .add_option("--executable", m_executable,
                        "Run this executable of the project instead of compiling it")
            ->type_name("FILE");
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext& context) override {
        auto prepared = prepareRun(m_project, m_options);
        if (!prepared)
            return core::failure(std::move(prepared.error()));
        std::optional<simulator::Executable> executable;
        if (!m_executable.empty()) {
            auto loaded = load(prepared->request, context.job);
            if (!loaded)
                return core::failure(std::move(loaded.error()));
            executable = std::move(*loaded);
        }
        auto database = m_database.open(core::DatabaseAccess::ReadWrite, m_project.path());
        if (!database)
            return core::failure(std::move(database.error()));
        context.console.detail(fmt::format("recording into {}", database->path().string()));
        core::ProfileWriter writer(*database);
        auto summary = executable
                           ? simulator::runExecutable(*executable, prepared->request, writer, context.job)
                           : simulator::run(prepared->request, writer, context.job);
        if (!summary) {
            const bool isCancelled = context.job.isCancelled();
            writer.abandon(isCancelled ? core::RunState::Cancelled : core::RunState::Failed, summary.error());
            return core::failure(withFile(std::move(summary.error())));
        }
        const auto run = writer.outcome();
        if (!run)
            return core::failure(run.error());
        Report report;
        report.json = runJson("run", *run, *summary);
        report.text = runText(*run, *summary);
        report.isNegative = !summary->fits;
        report.diagnostics = std::move(prepared->warnings);
        for (core::Diagnostic& finding : withFile(summary->diagnostics)) {
            // What does not fit is the answer, not a failure of the program.
            if (finding.severity == core::Severity::Error)
                finding.trouble = core::Trouble::Negative;
            report.diagnostics.push_back(std::move(finding));
        }
        return report;
    }

private:
    [[nodiscard]] core::Result<simulator::Executable> load(const simulator::RunRequest& request,
                                                           const core::JobContext& job) const {
        const auto content = core::readFile(m_executable);
        if (!content)
            return core::failure(content.error());
        const auto stored = simulator::readExecutable(*content, m_executable.string());
        if (!stored)
            return core::failure(stored.error());
        auto executable = simulator::loadExecutable(*stored, request.project, request.baseFolder, job);
        if (executable)
            return executable;
        core::Diagnostics findings = std::move(executable.error());
        for (core::Diagnostic& finding : findings)
            if (finding.location.file.empty())
                finding.location.file = m_executable.string();
        return core::failure(std::move(findings));
    }

    [[nodiscard]] core::Diagnostics withFile(core::Diagnostics findings) const {
        for (core::Diagnostic& finding : findings) {
            if (finding.location.file.empty())
                finding.location.file = m_project.path().string();
        }
        return m_project.withSettingPlaces(std::move(findings));
    }

    ProjectArgument m_project;
    DatabaseArgument m_database;
    SimulationOptions m_options;
    std::filesystem::path m_executable;
};

} // namespace

VerbDefinition runVerb() {
    return {
        .name = "run",
        .summary = "Compile, simulate and train a project, and store the run",
        .examples = {"run net.ipuproj", "run net.ipuproj --no-numerics --profile tile --json",
                     "run net.ipuproj --executable net.ipuexe",
                     "run net.ipuproj --mode evaluate --set training.batch_size=64 --database runs.sqlite"},
        .make = makeVerb<RunVerb>};
}

} // namespace app
