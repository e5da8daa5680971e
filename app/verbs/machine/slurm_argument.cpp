#include "app/verbs/machine/slurm_argument.h"

#include "app/reports/report_table.h"
#include "app/services/sweep/slurm_queue.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/verb.h"
#include "app/verbs/base/verb_input.h"
#include "core/platform/process_identity.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace app {

namespace fs = std::filesystem;

namespace {

/// Tasks where nobody says how many, and the most that Slurm takes unless its MaxArraySize is raised
/// (slurm.schedmd.com/slurm.conf.html: 1001, counted from 0).
constexpr std::int64_t usualTasks = 8;
constexpr std::int64_t mostTasks = 1000;

/// A word for `sbatch` that cannot become another option or a second line of the job script.
CLI::Option* addWord(CLI::App& command, const char* name, std::string& value, const char* documentation,
                     const char* example) {
    return command.add_option_function<std::string>(
        name,
        [&value, name, example](const std::string& text) {
            const bool isPlain = std::ranges::all_of(text, [](unsigned char letter) {
                return std::isalnum(letter) != 0 ||
                       std::string_view("-_:,.").find(char(letter)) != std::string_view::npos;
            });
            if (text.empty() || text.front() == '-' || !isPlain)
                throw RefusedValue(name,
                                   fmt::format("\"{}\" is nothing that sbatch takes", text.substr(0, 40)),
                                   fmt::format("write for example {} {}", name, example));
            value = text;
        },
        documentation);
}

} // namespace

CLI::Option* SlurmArgument::addOptions(CLI::App& command) {
    auto* slurm = command.add_flag("--slurm", m_isGiven,
                                   "Submit the points to a Slurm cluster as an array of jobs, and a job that "
                                   "merges what they store");
    addWholeNumber(command, "--array", m_tasks, 1, mostTasks, "Tasks of the array; 8 otherwise")
        ->type_name("N")
        ->needs(slurm);
    addWord(command, "--time", m_time, "Longest time of a task, as sbatch takes it: 90, 2:00:00, 1-12",
            "2:00:00")
        ->type_name("TIME")
        ->needs(slurm);
    addWord(command, "--partition", m_partition, "Partition of the cluster", "long")
        ->type_name("NAME")
        ->needs(slurm);
    return slurm;
}

core::Result<SlurmJob> SlurmArgument::jobOf(const ClusterSweep& sweep) const {
    if (sweep.file == standardInput)
        return core::failure(usageError("usage/slurm", "SWEEP",
                                        "the tasks of an array cannot read the standard input",
                                        "write the sweep to a file that every node sees"));
    const auto absolute = [](const fs::path& path) {
        std::error_code error;
        return fs::absolute(path, error).lexically_normal();
    };
    SlurmJob job;
    job.points = static_cast<std::int64_t>(openPoints(sweep.subject, {}).size());
    job.shards = {absolute(sweep.database), sweep.record.hash,
                  std::clamp<std::int64_t>(job.points, 1, m_tasks > 0 ? m_tasks : usualTasks)};
    job.program = core::currentProgram();
    job.sweep = absolute(sweep.file);
    for (const fs::path& path : {job.shards.database, job.program, job.sweep}) {
        if (path.string().find('\n') != std::string::npos)
            return core::failure(usageError("usage/slurm", path.string(),
                                            "a path with a line break cannot stand in a job script",
                                            "choose another name"));
    }
    job.name = slurmJobName(sweep.record.name, sweep.record.hash, job.shards.count);
    job.cores = std::max<std::int64_t>(sweep.options.jobs, 1);
    job.time = m_time;
    job.partition = m_partition;
    return job;
}

namespace {

core::Json jobJson(const SlurmJob& job) {
    core::Json json = reportJson("sweep");
    json["points"] = job.points;
    json["tasks"] = job.shards.count;
    json["job_name"] = job.name;
    json["script"] = job.shards.script().string();
    json["database"] = job.shards.database.string();
    return json;
}

} // namespace

Report slurmScriptReport(const SlurmJob& job) {
    Report report;
    report.content = slurmScript(job);
    report.json = jobJson(job);
    report.json["content"] = *report.content;
    report.besideContent = fmt::format("{} in {}; nothing was submitted\n", counted(job.points, "point"),
                                       counted(job.shards.count, "task"));
    return report;
}

core::Result<Report> submitReport(const SlurmJob& job) {
    const auto submission = submitSweep(job);
    if (!submission)
        return core::failure(submission.error());
    Report report;
    report.json = jobJson(job);
    ReportTable jobs({{"job"}, {"does"}, {"tasks", TextTable::Align::Right}, {"name"}});
    jobs.add({submission->array, "simulate", job.shards.count, job.name});
    jobs.add({submission->merge, "merge", 1, slurmMergeName(job.name)});
    jobs.writeTo(report, "jobs");
    report.text +=
        fmt::format("\n{} go to {}. The script is {}; --status tells how far they are.\n",
                    counted(job.points, "point"), job.shards.database.string(), job.shards.script().string());
    return report;
}

} // namespace app
