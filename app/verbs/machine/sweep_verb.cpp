#include "app/services/run/prepare_run.h"
#include "app/services/run/record_run.h"
#include "app/services/sweep/slurm_queue.h"
#include "app/services/sweep/sweep_runner.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/sweep_report.h"
#include "app/verbs/base/verb.h"
#include "app/verbs/base/verb_input.h"
#include "app/verbs/machine/slurm_argument.h"
#include "app/verbs/machine/sweep_status.h"
#include "core/base/file_limit.h"
#include "core/base/write_door.h"
#include "core/profile/queries/sweep_queries.h"
#include "core/profile/writer/moved_database.h"
#include "core/profile/writer/profile_writer.h"
#include "core/profile/writer/sweep_store.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace app {

namespace {

/// Many variations of one project, each simulated and stored as a row.
class SweepVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command
            .add_option("SWEEP", m_file,
                        "The sweep file: what is varied, and how; - reads the standard input")
            ->required();
        auto* jobs =
            addWholeNumber(command, "--jobs", m_options.jobs, 1, 4096,
                           "Threads, of each task with --slurm; all cores otherwise, one with --slurm")
                ->type_name("N");
        auto* shard = command.add_option("--shard", m_shard, "Only the I-th of N parts, counted from 1: 2/8")
                          ->type_name("I/N");
        auto* resume =
            command.add_flag("--resume", m_resume, "Go on with a sweep that the database holds in part");
        auto* dryRun = command.add_flag(
            "--dry-run", m_dryRun,
            "Say how many points there are and how long they take; with --slurm print the script");
        auto* status = command.add_flag(
            "--status", m_status, "Say how far the sweep and the tasks of its array are; simulate nothing");
        auto* keep = command
                         .add_option("--keep", m_keep,
                                     "Run the K best points that fit and keep their profiles: best:10")
                         ->type_name("best:K");
        m_slurm.addOptions(command)->excludes(shard, status, keep);
        status->excludes(shard, keep, resume, dryRun, jobs);
        m_database.addOption(command);
        command.add_flag("--allow-outside", m_allowOutside,
                         "Let a sweep that names a project of another folder store its rows there");
    }

    core::Result<Report> run(const VerbContext& context) override {
        if (auto read = readShard(); !read)
            return core::failure(read.error());
        const auto kept = readKeep();
        if (!kept)
            return core::failure(kept.error());
        const auto text = readInput(m_file, core::FileLimit::project);
        if (!text)
            return core::failure(text.error());
        const auto subject = sweepSubject(*text, inputName(m_file));
        if (!subject)
            return core::failure(subject.error());
        if (auto known = checkPaths(*subject); !known)
            return core::failure(std::move(known.error()));
        if (m_dryRun && !m_slurm.isGiven())
            return dryRun(*subject, context);
        const bool isNamed = m_file != standardInput || subject->sweep.templateName.empty();
        const auto file =
            m_database.path(isNamed ? std::filesystem::path(subject->file) : std::filesystem::path());
        if (!file)
            return core::failure(file.error());
        if (auto stays = checkPlace(*subject, *file, context); !stays)
            return core::failure(stays.error());
        const core::SweepRecord record = recordOf(*subject);
        if (m_slurm.isGiven())
            return submit({*subject, record, m_file, *file, m_options}, context);
        if (m_status)
            return sweepStatus(*subject, m_options, record, *file);
        return simulate(*subject, record, *file, *kept, context);
    }

private:
    /// A sweep may come from anybody, and the project that it names may be anywhere: rows go into another
    /// folder only where a person says so, and not without a word.
    core::Result<void> checkPlace(const SweepSubject& subject, const std::filesystem::path& database,
                                  const VerbContext& context) const {
        const std::filesystem::path sweep = m_file;
        const bool isFile = m_file != standardInput;
        const auto folder = core::namedFile(isFile ? sweep.parent_path() : ".", ".");
        if (m_database.isNamed() || core::isInside(folder, core::namedFile(".", subject.file)))
            return {};
        if (!m_allowOutside && !m_status)
            return core::failure(core::makeError(
                core::Trouble::Input, "sweep/outside", {inputName(m_file), "/project"},
                fmt::format("the project is in another folder, and the rows would be stored there: {}",
                            database.string()),
                {"name a database with --database FILE, or allow this one with --allow-outside"}));
        context.console.note(fmt::format("the rows are stored beside the project: {}", database.string()));
        return {};
    }

    core::Result<Report> simulate(const SweepSubject& subject, const core::SweepRecord& record,
                                  const std::filesystem::path& file, std::size_t kept,
                                  const VerbContext& context) {
        // Parts lie on folders that several machines see.
        auto database =
            core::ProfileDatabase::open(file, {.journal = m_shard.empty() ? core::DatabaseJournal::WriteAhead
                                                                          : core::DatabaseJournal::Rollback});
        if (!database)
            return core::failure(std::move(database.error()));
        if (auto writable = core::tryWriting(*database); !writable)
            return core::failure(std::move(writable.error()));
        const auto sweep = core::openSweep(*database, record);
        if (!sweep)
            return core::failure(sweep.error());
        if (auto begun = beginAnew(*database, record.hash, context); !begun)
            return core::failure(begun.error());
        if (auto told = tellOfOthers(*database, record, context); !told)
            return core::failure(told.error());
        const auto done = core::donePoints(*database, sweep->id);
        if (!done)
            return core::failure(done.error());
        const std::vector<std::int64_t> open = openPoints(subject, m_options, *done);
        if (auto ran = runSweep(subject, m_options, open, *database, *sweep, context.job); !ran)
            return core::failure(withPointsKept(std::move(ran.error()), *database));
        if (auto stored = keepBest(subject, kept, *database, sweep->id, context); !stored)
            return core::failure(stored.error());
        auto report = sweepReport(subject, std::move(*database), sweep->id);
        // A part of a sweep is done when its points are.
        if (report && m_options.shardCount > 1)
            report->isNegative = false;
        return report;
    }

    /// What was simulated must not be lost to a file that went away.
    static core::Diagnostics withPointsKept(core::Diagnostics trouble,
                                            const core::ProfileDatabase& database) {
        if (trouble.front().code != "database/moved")
            return trouble;
        if (const auto kept = core::keepBeside(database))
            trouble.front().hints.insert(
                trouble.front().hints.begin(),
                fmt::format(
                    "the points are kept in {0}: the same command with --database {0} --resume goes on",
                    kept->string()));
        return trouble;
    }

    /// Without `--resume` a sweep that the database holds in part is given up: only when `--force` asks for
    /// it, and not without saying so.
    core::Result<void> beginAnew(const core::ProfileDatabase& database, const std::string& hash,
                                 const VerbContext& context) const {
        const auto sweep = core::findSweep(database, hash);
        if (m_resume || !sweep || !*sweep)
            return sweep ? core::Result<void>() : core::failure(sweep.error());
        const auto held = core::donePoints(database, **sweep);
        if (!held)
            return core::failure(held.error());
        if (held->empty())
            return {};
        const std::string file = database.path().string();
        const std::string points = counted(static_cast<std::int64_t>(held->size()), "point");
        if (!context.output.force)
            return core::failure(core::makeError(core::Trouble::World, "sweep/exists", {file, ""},
                                                 fmt::format("the database holds {} of this sweep", points),
                                                 {"--resume goes on with it, --force begins anew"}));
        context.console.print(core::Diagnostics{core::makeWarning(
            core::Trouble::World, "sweep/anew", {file, ""},
            fmt::format("--force begins anew: {} of this sweep that were stored are given up", points),
            {"--resume --force goes on with them, and replaces only the file of -o"})});
        return core::forgetPoints(database, **sweep);
    }

    core::Result<void> tellOfOthers(const core::ProfileDatabase& database, const core::SweepRecord& record,
                                    const VerbContext& context) const {
        if (!m_resume)
            return {};
        const auto others = pointsOfChangedSweeps(database, record);
        if (!others)
            return core::failure(others.error());
        if (*others)
            context.console.print(core::Diagnostics{**others});
        return {};
    }

    core::Result<Report> submit(const ClusterSweep& sweep, const VerbContext& context) const {
        const auto job = m_slurm.jobOf(sweep);
        if (!job)
            return core::failure(job.error());
        if (m_dryRun)
            return slurmScriptReport(*job);
        if (auto checked = checkQueue(*job); !checked)
            return core::failure(std::move(checked.error()));
        std::vector<std::filesystem::path> files{job->shards.database};
        for (std::int64_t number = 1; number <= job->shards.count; ++number)
            files.push_back(job->shards.shard(number));
        for (const std::filesystem::path& file : files) {
            std::error_code error;
            if (!std::filesystem::exists(file, error))
                continue;
            const auto database = core::ProfileDatabase::open(file);
            if (!database)
                return core::failure(database.error());
            if (auto begun = beginAnew(*database, sweep.record.hash, context); !begun)
                return core::failure(begun.error());
        }
        return submitReport(*job);
    }

    core::Result<void> readShard() {
        if (m_shard.empty())
            return {};
        const std::size_t at = m_shard.find('/');
        std::int64_t shard = 0;
        std::int64_t count = 0;
        if (at == std::string::npos || !CLI::detail::lexical_cast(m_shard.substr(0, at), shard) ||
            !CLI::detail::lexical_cast(m_shard.substr(at + 1), count) || count < 1 || shard < 1 ||
            shard > count)
            return core::failure(usageError("usage/shard", "--shard",
                                            fmt::format("\"{}\" is no part I of N", m_shard.substr(0, 40)),
                                            "write for example 1/8 … 8/8"));
        m_options.shard = shard - 1;
        m_options.shardCount = count;
        return {};
    }

    [[nodiscard]] core::Result<std::size_t> readKeep() const {
        std::size_t count = 0;
        if (m_keep.empty())
            return count;
        if (m_keep.starts_with("best:") && CLI::detail::lexical_cast(m_keep.substr(5), count) && count > 0)
            return count;
        return core::failure(usageError("usage/keep", "--keep",
                                        fmt::format("\"{}\" does not say which points", m_keep.substr(0, 40)),
                                        "write for example best:10"));
    }

    [[nodiscard]] core::SweepRecord recordOf(const SweepSubject& subject) const {
        core::SweepRecord record;
        record.name = std::filesystem::path(inputName(m_file)).stem().string();
        record.hash = hashOf(subject);
        record.content = core::writeSweep(subject.sweep);
        record.paths = core::toText(core::Json(subject.sweep.paths()), -1);
        record.points = subject.sweep.pointCount();
        record.started = timeStamp();
        return record;
    }

    core::Result<Report> dryRun(const SweepSubject& subject, const VerbContext& context) {
        const std::vector<std::int64_t> points = openPoints(subject, m_options);
        const double seconds = secondsOf(subject, points, context.job);
        const double each = points.empty() ? 0 : seconds / static_cast<double>(points.size());
        const auto jobs = static_cast<double>(
            m_options.jobs > 0
                ? m_options.jobs
                : static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency())));
        const double total = seconds / jobs;
        Report report;
        report.json = reportJson("sweep");
        report.json["points"] = points.size();
        report.json["excluded"] = excluded(subject, points.size());
        report.json["seconds_per_point"] = finite(each);
        report.json["seconds"] = finite(total);
        report.text = fmt::format(
            "{} points ({} left out by \"where\"), {:.3g} ms each: about {} on {:.0f} threads\n",
            points.size(), excluded(subject, points.size()), 1e3 * each, durationText(total), jobs);
        return report;
    }

    [[nodiscard]] std::int64_t excluded(const SweepSubject& subject, std::size_t points) const {
        const std::int64_t all =
            (subject.sweep.pointCount() - m_options.shard + m_options.shardCount - 1) / m_options.shardCount;
        return all - static_cast<std::int64_t>(points);
    }

    core::Result<void> keepBest(const SweepSubject& subject, std::size_t count,
                                core::ProfileDatabase& database, std::int64_t sweep,
                                const VerbContext& context) {
        if (count == 0)
            return {};
        std::vector<core::SweepPointRecord> best;
        auto read = core::forEachFittingPoint(database, sweep, [&](const core::SweepPointRecord& record) {
            if (isEligible(subject, record))
                best.push_back(record);
            return best.size() < count;
        });
        if (!read)
            return read;
        DatasetFactsCache datasets;
        const PointProjects projects(subject);
        SimulationOptions options;
        options.numerics = subject.sweep.numerics;
        for (const core::SweepPointRecord& record : best) {
            if (record.run)
                continue;
            auto project = projects.wholeProject(subject.sweep.point(record.point));
            if (!project)
                return core::failure(project.error());
            project->name += fmt::format(" {}", record.point);
            auto prepared = prepareRun(std::move(*project), subject.file, subject.folder, options, datasets);
            if (!prepared)
                return core::failure(prepared.error());
            prepared->request.kept.push_back(database.path());
            auto run = recordRun(prepared->request, database, context.job);
            if (!run)
                return core::failure(withFile(std::move(run.error()), subject.file));
            if (auto stored = core::storeRunOfPoint(database, sweep, record.point, run->id); !stored)
                return stored;
        }
        return {};
    }

    std::filesystem::path m_file;
    SweepOptions m_options;
    std::string m_shard;
    std::string m_keep;
    bool m_allowOutside = false;
    bool m_resume = false;
    bool m_dryRun = false;
    bool m_status = false;
    SlurmArgument m_slurm;
    DatabaseArgument m_database;
};

} // namespace

VerbDefinition sweepVerb() {
    return {.name = "sweep",
            .summary = "Simulate many variations of a project and keep each as a row",
            .examples = {"sweep batch.sweep.json --dry-run", "sweep batch.sweep.json --csv",
                         "sweep batch.sweep.json --resume --keep best:10",
                         "sweep batch.sweep.json --shard 1/8 --database shard-1.sqlite",
                         "sweep batch.sweep.json --slurm --array 8 --time 2:00:00",
                         "sweep batch.sweep.json --status"},
            .make = makeVerb<SweepVerb>,
            .hasCsv = true};
}

} // namespace app
