#include "app/services/sweep/sweep_runner.h"

#include "core/base/file.h"
#include "core/base/fingerprint.h"
#include "core/base/write_door.h"
#include "core/platform/work_scope.h"
#include "core/profile/writer/sweep_store.h"
#include "simulator/cost/cost_model_version.h"
#include "simulator/engine/records/engine_version.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>

namespace app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto storeInterval = std::chrono::seconds(1);
constexpr auto reportInterval = std::chrono::milliseconds(250);
/// More are stored at once, whatever the time; fewer towards the end, so that nobody waits long for the last.
constexpr std::size_t mostHeld = 20'000;
constexpr std::size_t leastHeld = 2'048;
/// Points that a thread keeps to itself, so that threads seldom wait for each other.
constexpr std::size_t mostUnseen = 256;
constexpr auto handOverInterval = std::chrono::milliseconds(50);
constexpr std::size_t mostMeasured = 4096;
constexpr double measuredSeconds = 2;
/// While most programs of the sample came once: nobody knows yet how many there are.
constexpr double mostMeasuredSeconds = 8;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Which points each thread does: a share of neighbours, as those have most in common, and when it has none
/// left, half of what the one that has most still has to do.
class PointShares {
public:
    PointShares(std::size_t points, std::size_t threads) {
        for (std::size_t thread = 0; thread < threads; ++thread)
            m_shares.push_back({points * thread / threads, points * (thread + 1) / threads});
    }

    struct Share {
        std::size_t next = 0;
        std::size_t end = 0;

        [[nodiscard]] std::size_t left() const { return end - next; }
    };

    /// A few of the thread's own at a time; none when all are given out.
    [[nodiscard]] Share next(std::size_t thread) {
        const std::scoped_lock lock(m_mutex);
        Share& own = m_shares[thread];
        if (own.left() == 0) {
            Share& largest = *std::ranges::max_element(m_shares, {}, &Share::left);
            const std::size_t taken = (largest.left() + 1) / 2;
            own = {largest.end - taken, largest.end};
            largest.end -= taken;
        }
        // Points that take long are given out one by one in the end.
        const std::size_t given =
            std::min(own.left(), std::max<std::size_t>(1, std::min(mostGiven, own.left() / 4)));
        own.next += given;
        return {own.next - given, own.next};
    }

private:
    static constexpr std::size_t mostGiven = 32;

    std::mutex m_mutex;
    std::vector<Share> m_shares;
};

/// The threads of a sweep: each takes points of its share, and stores what has come together when it is time
/// for that.
class PointWorkers {
public:
    PointWorkers(const SweepSubject& subject, const std::vector<std::int64_t>& points, std::size_t threads,
                 const core::ProfileDatabase& database, std::int64_t sweep, core::SharedText origin,
                 const core::JobContext& job)
        : m_subject(subject)
        , m_points(points)
        , m_database(database)
        , m_sweep(sweep)
        , m_origin(std::move(origin))
        , m_job{job.stopToken, {}}
        , m_shares(points.size(), threads)
        , m_working(threads) {
        for (std::size_t i = 0; i < threads; ++i)
            m_threads.emplace_back([this, i] { work(i); });
    }

    /// Waits until some time has passed or all is done.
    void wait() {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, reportInterval, [&] { return m_working == 0; });
    }

    [[nodiscard]] bool isDone() {
        const std::scoped_lock lock(m_mutex);
        return m_working == 0;
    }
    /// Points that are stored.
    [[nodiscard]] std::size_t stored() const { return m_stored; }
    [[nodiscard]] std::size_t evaluated() const { return m_evaluated; }
    /// Errors: those of the database. Asked when all is done.
    [[nodiscard]] const core::Result<void>& outcome() const { return m_outcome; }

private:
    void work(std::size_t thread) {
        PointEvaluator evaluator(m_subject, m_datasets);
        std::vector<core::SweepPointRecord> records;
        Clock::time_point handedOver = Clock::now();
        bool goesOn = true;
        while (goesOn) {
            const PointShares::Share share = m_shares.next(thread);
            if (share.left() == 0)
                break;
            for (std::size_t i = share.next; goesOn && i < share.end; ++i) {
                core::SweepPointRecord record = evaluator.evaluate(m_points[i], m_job);
                goesOn = !m_job.isCancelled() && !m_isBroken;
                // A point that was stopped half way is no result.
                if (!goesOn)
                    break;
                records.push_back(std::move(record));
                const Clock::time_point now = Clock::now();
                if (records.size() < mostUnseen && now - handedOver < handOverInterval)
                    continue;
                handOver(records);
                handedOver = now;
            }
        }
        handOver(records);
        const std::scoped_lock lock(m_mutex);
        --m_working;
        if (m_working == 0)
            store(std::exchange(m_records, {}));
        m_changed.notify_one();
    }

    /// The thread that finds that it is time stores, while the others go on.
    void handOver(std::vector<core::SweepPointRecord>& records) {
        std::vector<core::SweepPointRecord> due;
        {
            const std::scoped_lock lock(m_mutex);
            m_evaluated += records.size();
            std::ranges::move(records, std::back_inserter(m_records));
            records.clear();
            const std::size_t most = std::clamp((m_points.size() - m_evaluated) / 4, leastHeld, mostHeld);
            if (m_records.size() < most && Clock::now() - m_lastStored < storeInterval)
                return;
            m_lastStored = Clock::now();
            due.swap(m_records);
        }
        store(std::move(due));
    }

    void store(std::vector<core::SweepPointRecord> records) {
        const std::scoped_lock lock(m_storing);
        // One thread at a time counts who shares the text.
        for (core::SweepPointRecord& record : records)
            record.origin = m_origin;
        auto stored = core::storePoints(m_database, m_sweep, records);
        if (stored) {
            m_stored += records.size();
            return;
        }
        m_isBroken = true;
        m_outcome = std::move(stored);
    }

    const SweepSubject& m_subject;
    const std::vector<std::int64_t>& m_points;
    const core::ProfileDatabase& m_database;
    std::int64_t m_sweep;
    core::SharedText m_origin;
    core::JobContext m_job;
    DatasetFactsCache m_datasets;
    PointShares m_shares;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<core::SweepPointRecord> m_records;
    /// Never yet: the first points are stored at once.
    Clock::time_point m_lastStored = Clock::now() - storeInterval;
    std::size_t m_working;
    std::atomic<std::size_t> m_evaluated = 0;
    std::atomic<std::size_t> m_stored = 0;
    /// One at a time uses the database.
    std::mutex m_storing;
    std::atomic<bool> m_isBroken = false;
    core::Result<void> m_outcome;
    /// Last: joined before what they use goes.
    std::vector<std::jthread> m_threads;
};

std::size_t threadsOf(const SweepOptions& options, std::size_t points) {
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t wanted = options.jobs > 0 ? static_cast<std::size_t>(options.jobs) : cores;
    return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(points, 1));
}

} // namespace

std::string durationText(double seconds) {
    const auto whole = static_cast<std::int64_t>(seconds + 0.5);
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

namespace {

/// The conditions that need no figures, each asked once for all points that agree in the paths it names.
class PointFilter {
public:
    explicit PointFilter(const SweepSubject& subject)
        : m_subject(subject)
        , m_axes(subject.sweep) {
        const std::vector<std::string>& paths = m_axes.paths();
        for (const core::PointCondition& condition : subject.sweep.conditions) {
            if (condition.needsFigures())
                continue;
            std::vector<std::size_t> places;
            for (const std::string& name : condition.names())
                if (const auto path = std::ranges::find(paths, name); path != paths.end())
                    places.push_back(static_cast<std::size_t>(path - paths.begin()));
            m_conditions.push_back({&condition, PathMemo<bool>(std::move(places), mostAnswers)});
        }
    }

    [[nodiscard]] bool holds(std::int64_t point) {
        if (m_conditions.empty())
            return true;
        m_axes.numbersOf(point, m_numbers);
        return std::ranges::all_of(m_conditions, [&](Condition& condition) {
            if (const bool* known = condition.answers.find(m_numbers))
                return *known;
            const std::vector<core::ProjectSetting> settings = m_subject.sweep.point(point);
            return condition.answers.remember(condition.condition->holds(
                [&](const std::string& name) { return m_subject.valueAt(settings, name); }));
        });
    }

private:
    static constexpr std::size_t mostAnswers = 100'000;

    struct Condition {
        const core::PointCondition* condition = nullptr;
        PathMemo<bool> answers;
    };

    const SweepSubject& m_subject;
    core::SweepAxes m_axes;
    std::vector<std::uint64_t> m_numbers;
    std::vector<Condition> m_conditions;
};

} // namespace

std::vector<std::int64_t> openPoints(const SweepSubject& subject, const SweepOptions& options,
                                     const std::vector<std::int64_t>& done) {
    std::vector<std::int64_t> open;
    const std::int64_t count = subject.sweep.pointCount();
    PointFilter filter(subject);
    auto next = done.begin();
    for (std::int64_t point = options.shard; point < count; point += options.shardCount) {
        while (next != done.end() && *next < point)
            ++next;
        const bool isDone = next != done.end() && *next == point;
        if (!isDone && filter.holds(point))
            open.push_back(point);
    }
    return open;
}

core::Result<void> checkPaths(const SweepSubject& subject) {
    const core::Sweep& sweep = subject.sweep;
    // Points that set every path between them: the first of the grid and of the random ones, and of the list
    // those that bring another one.
    std::vector<std::int64_t> points;
    const std::int64_t count = sweep.pointCount();
    const auto listed = static_cast<std::int64_t>(sweep.list.size());
    const std::int64_t firstListed = count - listed - sweep.samples;
    if (firstListed > 0)
        points.push_back(0);
    std::set<std::string> seen;
    for (std::int64_t index = 0; index < listed; ++index) {
        bool isNew = false;
        for (const core::ProjectSetting& setting : sweep.list[static_cast<std::size_t>(index)])
            isNew = seen.insert(setting.path).second || isNew;
        if (isNew)
            points.push_back(firstListed + index);
    }
    if (sweep.samples > 0)
        points.push_back(firstListed + listed);
    const PointProjects projects(subject);
    for (const std::int64_t point : points) {
        auto project = projects.wholeProject(sweep.point(point));
        if (project)
            continue;
        std::erase_if(project.error(), [](const core::Diagnostic& finding) {
            return finding.code != "project/unknown-key" && finding.code != "template/unknown-key";
        });
        if (!project.error().empty())
            return core::failure(std::move(project.error()));
    }
    return {};
}

namespace {

/// What files that a sweep's values name hold: targets, tables of slots.
class NamedFiles {
public:
    explicit NamedFiles(std::filesystem::path folder)
        : m_folder(std::move(folder)) {}

    void add(const core::Json& value) {
        if (value.is_structured())
            for (const core::Json& part : value)
                add(part);
        else if (value.is_string())
            add(value.get_ref<const std::string&>());
    }
    /// The files by name, each with the fingerprint of its content.
    [[nodiscard]] std::string text() const {
        std::string text;
        for (const auto& [name, content] : m_files)
            text += fmt::format("\n{} {}", name, content);
        return text;
    }

private:
    void add(const std::string& name) {
        const bool isOne = name.ends_with(".json") || name.ends_with(".csv");
        if (!isOne || m_files.contains(name))
            return;
        const auto content = core::readFile(core::namedFile(m_folder, name), core::FileLimit::project);
        m_files.emplace(name, content ? core::fingerprint(*content) : std::string("unread"));
    }

    std::filesystem::path m_folder;
    std::map<std::string, std::string> m_files;
};

} // namespace

std::string hashOf(const SweepSubject& subject) {
    core::Json document = subject.document;
    NamedFiles files(subject.folder);
    // Where things are on the canvas, and what the project is called, change no figure.
    for (const char* key : {"canvas", "name"})
        if (document.is_object())
            document.erase(key);
    for (const char* section : {"system", "pipeline"})
        if (document.is_object() && document.contains(section))
            files.add(document[section]);
    const core::Sweep& sweep = subject.sweep;
    files.add(sweep.templateArguments);
    for (const auto& [path, values] : sweep.grid)
        for (const core::Json& value : values)
            files.add(value);
    for (const std::vector<core::ProjectSetting>& point : sweep.list)
        for (const core::ProjectSetting& setting : point)
            files.add(setting.value);
    for (const core::SweepRange& range : sweep.ranges)
        for (const core::Json& value : range.choices)
            files.add(value);
    return core::fingerprint(fmt::format("{}{}{}\nengine {}, cost model {}", core::writeSweep(sweep),
                                         core::toText(document, -1), files.text(), simulator::engineVersion,
                                         simulator::costModelVersion));
}

core::Result<void> runSweep(const SweepSubject& subject, const SweepOptions& options,
                            const std::vector<std::int64_t>& points, const core::ProfileDatabase& database,
                            const core::StoredSweep& sweep, const core::JobContext& job) {
    if (points.empty()) {
        job.report(1, "0 of 0 points");
        return {};
    }
    // Points that were simulated are stored when it is asked to stop.
    const core::WritingScope storing;
    const Clock::time_point start = Clock::now();
    const std::string part = options.shardCount > 1
                                 ? fmt::format(" shard {}/{}", options.shard + 1, options.shardCount)
                                 : std::string();
    PointWorkers workers(subject, points, threadsOf(options, points.size()), database, sweep.id,
                         sweep.recorder + part, job);
    bool isDone = false;
    do {
        workers.wait();
        isDone = workers.isDone();
        const std::size_t done = workers.evaluated();
        const double rate = static_cast<double>(done) / std::max(secondsSince(start), 1e-9);
        const double left = rate > 0 ? static_cast<double>(points.size() - done) / rate : 0;
        job.report(static_cast<double>(done) / static_cast<double>(points.size()),
                   fmt::format("{} of {} points, {:.1f} a second, {} left", done, points.size(), rate,
                               durationText(left)));
    } while (!isDone);
    if (!workers.outcome())
        return workers.outcome();
    const std::size_t done = workers.stored();
    if (job.isCancelled())
        return core::failure(core::makeError(
            core::Trouble::Interrupted, "interrupted", {database.path().string(), ""},
            fmt::format("stopped on request; {} of {} points are stored", done, points.size()),
            {"the same command with --resume goes on"}));
    return {};
}

namespace {

/// What points of a sample took, by whether they were the first with their programs.
struct SampledTimes {
    std::size_t firsts = 0;
    double firstSeconds = 0;
    std::size_t others = 0;
    double otherSeconds = 0;
    /// How often each programs came, by their number.
    std::map<std::uint64_t, std::size_t> programs;

    [[nodiscard]] std::size_t seen(std::size_t times) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(programs, [&](const auto& entry) { return entry.second == times; }));
    }
    [[nodiscard]] double newShare() const {
        const std::size_t sampled = firsts + others;
        return sampled > 0 ? static_cast<double>(seen(1)) / static_cast<double>(sampled) : 1;
    }
    [[nodiscard]] bool areMostNew() const {
        constexpr double most = 0.5;
        return newShare() > most;
    }
    /// How many of `points` are the first with their programs, as the sample lets one expect: by the share of
    /// programs that came once (Good and Turing), but no more programs than Chao's estimate where most have
    /// come already.
    [[nodiscard]] double expectedFirsts(std::size_t points) const {
        const double sampled = static_cast<double>(firsts + others);
        const auto once = static_cast<double>(seen(1));
        const auto twice = static_cast<double>(seen(2));
        const double byShare = static_cast<double>(programs.size()) +
                               newShare() * std::max(0.0, static_cast<double>(points) - sampled);
        if (areMostNew())
            return byShare;
        const double unseen = once * (once - 1) / (2 * (twice + 1));
        return std::min(byShare, static_cast<double>(programs.size()) + unseen);
    }
};

} // namespace

double secondsOf(const SweepSubject& subject, const std::vector<std::int64_t>& points,
                 const core::JobContext& job) {
    if (points.empty())
        return 0;
    DatasetFactsCache datasets;
    PointEvaluator evaluator(subject, datasets);
    SampledTimes times;
    // Any order but that of the file, in which neighbours have much in common.
    std::mt19937_64 random;
    std::uniform_int_distribution<std::size_t> place(0, points.size() - 1);
    const std::size_t most = std::min(points.size(), mostMeasured);
    const Clock::time_point start = Clock::now();
    Clock::time_point before = start;
    const auto isEnough = [&](double seconds) {
        return seconds >= measuredSeconds && (seconds >= mostMeasuredSeconds || !times.areMostNew());
    };
    for (std::size_t i = 0; i < most && !isEnough(secondsSince(start)) && !job.isCancelled(); ++i) {
        (void)evaluator.evaluate(points[points.size() == most ? i : place(random)], {job.stopToken, {}});
        const Clock::time_point now = Clock::now();
        const double took = std::chrono::duration<double>(now - before).count();
        before = now;
        const bool isFirst = ++times.programs[evaluator.latestPrograms()] == 1;
        ++(isFirst ? times.firsts : times.others);
        (isFirst ? times.firstSeconds : times.otherSeconds) += took;
    }
    const double firsts = std::min(times.expectedFirsts(points.size()), static_cast<double>(points.size()));
    const double ofFirst = times.firstSeconds / static_cast<double>(std::max<std::size_t>(times.firsts, 1));
    const double ofOther =
        times.others > 0 ? times.otherSeconds / static_cast<double>(times.others) : ofFirst;
    return firsts * ofFirst + (static_cast<double>(points.size()) - firsts) * ofOther;
}

} // namespace app
