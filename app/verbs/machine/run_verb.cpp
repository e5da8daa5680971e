#include "app/reports/run_report.h"
#include "app/services/run/record_run.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/prediction_argument.h"
#include "app/verbs/base/verb.h"
#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/profile/queries/training_queries.h"
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
        command.add_flag("--allow-outside", m_options.grants.outside,
                         "Let the project's callbacks write outside its folder");
        command.add_flag("--allow-user-code", m_options.grants.userCode,
                         "Let the project load the libraries that its layers name, which run their code");
        m_predictions.addOption(command);
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext& context) override {
        auto prepared = m_project.prepareRun(m_options);
        if (!prepared)
            return core::failure(std::move(prepared.error()));
        if (auto result = m_predictions.prepare(prepared->request, context.output); !result)
            return core::failure(std::move(result.error()));
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
        sayWhere(database->path(), context.console);
        prepared->request.kept.push_back(database->path());
        if (!m_executable.empty())
            prepared->request.kept.push_back(m_executable);
        if (auto result = m_predictions.checkKept(prepared->request.kept); !result)
            return core::failure(std::move(result.error()));
        prepared->request.written = [&](const std::filesystem::path& path) {
            context.console.note(fmt::format("wrote {}", path.string()));
        };
        auto recorded = recordRun(prepared->request, *database, context.job,
                                  {.executable = executable ? &*executable : nullptr});
        if (!recorded)
            return core::failure(placed(std::move(recorded.error())));
        if (auto result = m_predictions.write(); !result)
            return core::failure(std::move(result.error()));
        if (!m_predictions.file().empty())
            context.console.note(fmt::format("wrote {}", m_predictions.file()));
        auto report = reportOf(*recorded, *database);
        if (report)
            report->diagnostics.insert(report->diagnostics.begin(), prepared->warnings.begin(),
                                       prepared->warnings.end());
        return report;
    }

private:
    /// A project in a file has its runs beside it; of one that has none a person could not tell.
    void sayWhere(const std::filesystem::path& database, Console& console) const {
        if (m_project.isOfStandardInput() && !m_database.isNamed())
            console.note(fmt::format("recording into {}, in this folder: the project comes from the standard "
                                     "input; --database FILE names another",
                                     database.string()));
        else
            console.detail(fmt::format("recording into {}", database.string()));
    }

    [[nodiscard]] core::Result<Report> reportOf(const RecordedRun& recorded,
                                                const core::ProfileDatabase& database) const {
        const core::RunSummary& summary = recorded.summary;
        const auto outputs = core::loadModelOutputs(database, recorded.id);
        if (!outputs)
            return core::failure(outputs.error());
        Report report;
        report.json = runJson("run", recorded.id, summary);
        report.text = runText(recorded.id, summary);
        addOutputs(*outputs, report);
        if (!m_predictions.file().empty())
            report.json["predictions"] = m_predictions.file();
        report.isNegative = !summary.fits;
        for (core::Diagnostic& finding : placed(summary.diagnostics)) {
            // What does not fit is the answer, not a failure of the program.
            if (finding.severity == core::Severity::Error)
                finding.trouble = core::Trouble::Negative;
            report.diagnostics.push_back(std::move(finding));
        }
        return report;
    }

    [[nodiscard]] core::Result<simulator::Executable> load(const simulator::RunRequest& request,
                                                           const core::JobContext& job) const {
        const auto content = core::readFile(m_executable, core::FileLimit::executable);
        if (!content)
            return core::failure(content.error());
        const auto stored = simulator::readExecutable(*content, m_executable.string());
        if (!stored)
            return core::failure(stored.error());
        auto executable = simulator::loadExecutable(*stored, request.project, request.baseFolder, job);
        if (executable)
            return executable;
        return core::failure(withFile(std::move(executable.error()), m_executable.string()));
    }

    [[nodiscard]] core::Diagnostics placed(core::Diagnostics findings) const {
        return m_project.withSettingPlaces(withFile(std::move(findings), m_project.path().string()));
    }

    ProjectArgument m_project;
    DatabaseArgument m_database;
    PredictionArgument m_predictions;
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
                     "run net.ipuproj --allow-outside --allow-user-code",
                     "run net.ipuproj --mode predict --predictions predictions.npz",
                     "run net.ipuproj --mode evaluate --set training.batch_size=64 --database runs.sqlite"},
        .make = makeVerb<RunVerb>};
}

} // namespace app
