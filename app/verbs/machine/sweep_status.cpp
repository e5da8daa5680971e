#include "app/verbs/machine/sweep_status.h"

#include "app/reports/report_table.h"
#include "app/services/sweep/slurm_queue.h"
#include "core/profile/queries/sweep_queries.h"
#include "core/profile/schema/profile_database.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace app {

namespace fs = std::filesystem;

namespace {

using Points = std::vector<std::int64_t>;

Points together(const Points& some, const Points& others) {
    Points all;
    std::ranges::set_union(some, others, std::back_inserter(all));
    return all;
}

/// The parts of a sweep, one row each.
class PartsTable {
public:
    PartsTable(const SweepSubject& subject, const core::SweepRecord& record)
        : m_subject(subject)
        , m_record(record) {}

    void add(const SweepShards& shards) {
        const std::vector<SlurmTask> tasks =
            slurmTasks(slurmJobName(m_record.name, m_record.hash, shards.count));
        for (const SlurmTask& task : tasks) {
            if (task.shard == 0)
                m_merges.push_back(task);
        }
        for (std::int64_t number = 1; number <= shards.count; ++number) {
            const auto task = std::ranges::find(tasks, number, &SlurmTask::shard);
            addPart(shards, number, task == tasks.end() ? nullptr : &*task);
        }
    }

    /// Points that any part holds, ascending.
    [[nodiscard]] const Points& done() const { return m_done; }

    void writeTo(Report& report) {
        Report parts;
        m_table.writeTo(parts, "shards");
        report.json["shards"] = m_table.json();
        report.csv = parts.csv;
        if (!m_table.json().empty())
            report.text += "\n" + parts.text;
        report.json["merges"] = core::Json::array();
        for (const SlurmTask& merge : m_merges) {
            report.json["merges"].push_back({{"job", merge.job}, {"state", merge.state}});
            report.text += fmt::format("Job {}, which merges them: {}\n", merge.job, merge.state);
        }
        std::ranges::move(m_diagnostics, std::back_inserter(report.diagnostics));
    }

private:
    void addPart(const SweepShards& shards, std::int64_t number, const SlurmTask* task) {
        const fs::path file = shards.shard(number);
        auto done = storedPoints(file, m_record.hash);
        if (!done) {
            std::ranges::move(done.error(), std::back_inserter(m_diagnostics));
            done = Points();
        }
        SweepOptions part;
        part.shard = number - 1;
        part.shardCount = shards.count;
        const std::size_t points = openPoints(m_subject, part).size();
        const char* const stored = done->size() >= points ? "complete" : done->empty() ? "empty" : "partial";
        m_table.add({fmt::format("{}/{}", number, shards.count),
                     task == nullptr ? std::string(stored) : task->state,
                     task == nullptr ? "database" : "slurm", done->size(), points,
                     task == nullptr ? ReportTable::Cell(core::Json()) : ReportTable::Cell(task->job),
                     ReportTable::Cell(file.string(), file.filename().string())});
        m_done = together(m_done, *done);
    }

    const SweepSubject& m_subject;
    const core::SweepRecord& m_record;
    ReportTable m_table{{{"shard"},
                         {"state"},
                         {"state_from"},
                         {"done", TextTable::Align::Right},
                         {"points", TextTable::Align::Right},
                         {"job"},
                         {"database"}}};
    std::vector<SlurmTask> m_merges;
    Points m_done;
    core::Diagnostics m_diagnostics;
};

} // namespace

core::Result<Points> storedPoints(const fs::path& file, const std::string& hash) {
    std::error_code error;
    if (!fs::exists(file, error))
        return Points();
    const auto database = core::ProfileDatabase::open(file, {.access = core::DatabaseAccess::ReadOnly});
    if (!database)
        return core::failure(database.error());
    const auto sweep = core::findSweep(*database, hash);
    if (!sweep)
        return core::failure(sweep.error());
    return *sweep ? core::donePoints(*database, **sweep) : Points();
}

core::Result<std::optional<core::Diagnostic>> pointsOfChangedSweeps(const core::ProfileDatabase& database,
                                                                    const core::SweepRecord& record) {
    const auto sweeps = core::listSweeps(database);
    if (!sweeps)
        return core::failure(sweeps.error());
    std::int64_t others = 0;
    for (const core::SweepRow& row : *sweeps) {
        if (row.record.hash == record.hash && row.done > 0)
            return std::nullopt;
        if (row.record.name == record.name && row.record.hash != record.hash)
            others += row.done;
    }
    if (others == 0)
        return std::nullopt;
    return core::makeWarning(
        core::Trouble::Input, "sweep/changed", {database.path().string(), ""},
        fmt::format("{} of \"{}\" were simulated from another sweep file, project, target file or version of "
                    "the engine: all points are simulated anew, beside them",
                    counted(others, "point"), record.name),
        {"`sql \"SELECT * FROM v_sweep\"` lists what is stored"});
}

core::Result<Report> sweepStatus(const SweepSubject& subject, const SweepOptions& options,
                                 const core::SweepRecord& record, const fs::path& file) {
    PartsTable parts(subject, record);
    const std::vector<SweepShards> families = findShards(file, record.hash);
    for (const SweepShards& shards : families)
        parts.add(shards);
    Report report;
    report.json = reportJson("sweep");
    core::Json number;
    Points done = parts.done();
    std::vector<core::PointsOfOrigin> origins;
    std::error_code error;
    // The parts are there before what they are merged into.
    if (families.empty() || fs::exists(file, error)) {
        const auto database = core::ProfileDatabase::open(file, {.access = core::DatabaseAccess::ReadOnly});
        if (!database)
            return core::failure(database.error());
        const auto sweep = core::findSweep(*database, record.hash);
        if (!sweep)
            return core::failure(sweep.error());
        const auto others = pointsOfChangedSweeps(*database, record);
        if (!others)
            return core::failure(others.error());
        if (*others)
            report.diagnostics.push_back(**others);
        if (*sweep) {
            const auto points = core::donePoints(*database, **sweep);
            if (!points)
                return core::failure(points.error());
            number = **sweep;
            done = together(done, *points);
            auto counted = core::pointsByOrigin(*database, **sweep);
            if (!counted)
                return core::failure(counted.error());
            origins = *std::move(counted);
        }
    }
    const std::size_t open = openPoints(subject, options, done).size();
    report.json["sweep"] = number;
    report.json["done"] = done.size();
    report.json["open"] = open;
    report.text = fmt::format("{} points are done, {} are not\n", done.size(), open);
    parts.writeTo(report);
    // Of the database that the parts are merged into.
    ReportTable recorded({{"merged_from"}, {"points", TextTable::Align::Right}});
    for (const core::PointsOfOrigin& origin : origins)
        recorded.add({origin.origin.empty() ? ReportTable::Cell(core::Json(), "recorded here")
                                            : ReportTable::Cell(core::Json(origin.origin)),
                      origin.points});
    report.json["origins"] = recorded.json();
    if (!origins.empty())
        report.text += "\n" + recorded.text();
    return report;
}

} // namespace app
