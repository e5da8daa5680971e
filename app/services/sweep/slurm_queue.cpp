#include "app/services/sweep/slurm_queue.h"

#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/text/visible_text.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStringList>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace app {

namespace {

/// A controller under load answers late; one that is away lets its commands wait for minutes.
constexpr int patienceOfSlurmMs = 60'000;

core::Diagnostic slurmTrouble(std::string code, std::string message, core::Hints hints) {
    return core::makeError(core::Trouble::World, std::move(code), {"sbatch", ""}, std::move(message),
                           std::move(hints));
}

/// What a command of Slurm prints; nothing where it is not there, fails, or does not answer. `complaint`
/// takes what it says then.
std::optional<QString> answerOfSlurm(const QString& command, const QStringList& arguments,
                                     std::string* complaint = nullptr) {
    const QString program = QStandardPaths::findExecutable(command);
    if (program.isEmpty())
        return std::nullopt;
    QProcess process;
    process.start(program, arguments);
    process.closeWriteChannel();
    const bool hasEnded = process.waitForFinished(patienceOfSlurmMs);
    if (hasEnded && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
        return QString::fromUtf8(process.readAllStandardOutput());
    if (complaint != nullptr)
        *complaint = hasEnded ? process.readAllStandardError().trimmed().toStdString()
                              : fmt::format("no answer within {} s", patienceOfSlurmMs / 1000);
    return std::nullopt;
}

QString qtText(const std::string& text) {
    return QString::fromStdString(text);
}

core::Result<std::string> submit(const std::vector<std::string>& arguments, const std::string& hint) {
    QStringList words{"--parsable"};
    for (const std::string& argument : arguments)
        words << qtText(argument);
    std::string complaint;
    const auto answer = answerOfSlurm("sbatch", words, &complaint);
    if (!answer)
        return core::failure(slurmTrouble(
            "slurm/refused", fmt::format("Slurm takes no job: {}", core::visibleText(complaint)), {hint}));
    // "NUMBER" or "NUMBER;CLUSTER"
    return answer->trimmed().section(';', 0, 0).toStdString();
}

/// One line "NAME|JOB|STATE …" of `squeue` or `sacct`.
std::optional<SlurmTask> taskOfLine(const QString& line, const QString& arrayName) {
    const QStringList cells = line.split('|');
    static const QRegularExpression arrayTask("^\\d+_(\\d+)$");
    static const QRegularExpression wholeJob("^\\d+$");
    if (cells.size() < 3)
        return std::nullopt;
    const bool isMerge = cells[0] != arrayName;
    const QRegularExpressionMatch match = (isMerge ? wholeJob : arrayTask).match(cells[1]);
    if (!match.hasMatch())
        return std::nullopt;
    // "CANCELLED by 1000"
    return SlurmTask{cells[1].toStdString(), cells[2].section(' ', 0, 0).toLower().toStdString(),
                     isMerge ? 0 : match.captured(1).toLongLong(), false};
}

std::int64_t numberOf(const SlurmTask& task) {
    return QString::fromStdString(task.job).section('_', 0, 0).toLongLong();
}

/// The words that squeue has for what is over (slurm.schedmd.com/squeue.html, "job state codes").
bool isEnded(const SlurmTask& task) {
    constexpr std::array<std::string_view, 10> ends{"boot_fail", "cancelled", "completed",     "deadline",
                                                    "failed",    "node_fail", "out_of_memory", "preempted",
                                                    "revoked",   "timeout"};
    return std::ranges::find(ends, task.state) != ends.end();
}

/// The script of an earlier submission is replaced; what else has its name is not.
core::Result<void> checkScript(const std::filesystem::path& script) {
    std::error_code error;
    const std::filesystem::file_type type = std::filesystem::symlink_status(script, error).type();
    if (type == std::filesystem::file_type::not_found)
        return {};
    if (type == std::filesystem::file_type::regular) {
        const auto text = core::readFile(script, core::FileLimit::table);
        if (text && isSlurmScript(*text))
            return {};
    }
    return core::failure(core::makeError(core::Trouble::World, "file/exists", {script.string(), ""},
                                         "exists and is not a job script that this program wrote",
                                         {"move it away: the script of this sweep takes its name"}));
}

} // namespace

core::Result<void> checkQueue(const SlurmJob& job) {
    if (QStandardPaths::findExecutable("sbatch").isEmpty())
        return core::failure(slurmTrouble(
            "slurm/missing", "there is no command sbatch on this machine",
            {"run this where jobs of the cluster are submitted, with Slurm's commands on the PATH",
             "--dry-run --slurm prints the job script; without Slurm, --shard I/N and merge do the same by "
             "hand"}));
    for (const SlurmTask& task : slurmTasks(job.name)) {
        if (task.isInQueue && !isEnded(task))
            return core::failure(slurmTrouble(
                "slurm/running", fmt::format("job {} of this sweep is {}", task.job, task.state),
                {"--status tells how far it is",
                 fmt::format("scancel --name={},{} ends it", job.name, slurmMergeName(job.name))}));
    }
    return {};
}

core::Result<SlurmSubmission> submitSweep(const SlurmJob& job) {
    const std::string script = job.shards.script().string();
    if (auto checked = checkScript(job.shards.script()); !checked)
        return core::failure(std::move(checked.error()));
    if (auto written = core::writeFileAtomically(script, slurmScript(job), core::Overwrite::Replace);
        !written)
        return core::failure(std::move(written.error()));
    const auto array = submit(
        slurmArrayArguments(job),
        "change --time, --partition or --array as the cluster wants them; SBATCH_ACCOUNT and the other "
        "variables of sbatch are heard");
    if (!array)
        return core::failure(array.error());
    const auto merge = submit(slurmMergeArguments(job, *array),
                              fmt::format("job {} simulates the points; when it has ended, the last comment "
                                          "at the head of {} merges them",
                                          *array, script));
    if (!merge)
        return core::failure(merge.error());
    return SlurmSubmission{*array, *merge};
}

std::vector<SlurmTask> slurmTasks(const std::string& arrayName) {
    const QString name = qtText(arrayName);
    const QString names = name + ',' + qtText(slurmMergeName(arrayName));
    std::map<std::int64_t, SlurmTask> latest;
    // Later commands speak only of what earlier ones do not know.
    for (const auto& [command, arguments] :
         {std::pair<QString, QStringList>{
              "squeue", {"--noheader", "--array", "--states=all", "--name=" + names, "--format=%j|%i|%T"}},
          std::pair<QString, QStringList>{"sacct",
                                          {"--noheader", "--parsable2", "--allocations",
                                           "--starttime=now-365days", "--name=" + names,
                                           "--format=JobName,JobID,State"}}}) {
        const auto answer = answerOfSlurm(command, arguments);
        if (!answer)
            continue;
        for (const QString& line : answer->split('\n', Qt::SkipEmptyParts)) {
            auto task = taskOfLine(line.trimmed(), name);
            if (!task)
                continue;
            task->isInQueue = command == "squeue";
            const auto known = latest.find(task->shard);
            if (known == latest.end() || numberOf(known->second) < numberOf(*task))
                latest.insert_or_assign(task->shard, *task);
        }
    }
    std::vector<SlurmTask> tasks;
    tasks.reserve(latest.size());
    for (auto& [shard, task] : latest)
        tasks.push_back(std::move(task));
    return tasks;
}

} // namespace app
