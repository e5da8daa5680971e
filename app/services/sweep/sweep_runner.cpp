#include "app/services/sweep/sweep_runner.h"

#include "core/base/fingerprint.h"
#include "core/profile/writer/sweep_store.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fmt/format.h>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>

namespace app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto storeInterval = std::chrono::seconds(1);
/// More are stored at once, whatever the time.
constexpr std::size_t mostHeld = 20'000;
/// Points that a thread keeps to itself, so that threads seldom wait for each other.
constexpr std::size_t mostUnseen = 256;
constexpr auto handOverInterval = std::chrono::milliseconds(50);
constexpr std::size_t measuredPoints = 8;
constexpr double measuredSeconds = 2;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string duration(double seconds) {
    const auto whole = static_cast<std::int64_t>(seconds + 0.5);
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

/// Which points each thread does: a share of neighbours, as those have most in common, and when it has none
/// left, half of what the one that has most still has to do.
class PointShares {
public:
    PointShares(std::size_t points, std::size_t threads) {
        for (std::size_t thread = 0; thread < threads; ++thread)
            m_shares.push_back({points * thread / threads, points * (thread + 1) / threads});
    }

    /// Nothing when all are given out.
    [[nodiscard]] std::optional<std::size_t> next(std::size_t thread) {
        const std::scoped_lock lock(m_mutex);
        Share& own = m_shares[thread];
        if (own.left() == 0) {
            Share& largest = *std::ranges::max_element(m_shares, {}, &Share::left);
            const std::size_t taken = (largest.left() + 1) / 2;
            own = {largest.end - taken, largest.end};
            largest.end -= taken;
            if (taken == 0)
                return std::nullopt;
        }
        return own.next++;
    }

private:
    struct Share {
        std::size_t next = 0;
        std::size_t end = 0;

        [[nodiscard]] std::size_t left() const { return end - next; }
    };

    std::mutex m_mutex;
    std::vector<Share> m_shares;
};

/// The threads of a sweep: each takes the next point of its share and hands its record over.
class PointWorkers {
public:
    PointWorkers(const SweepSubject& subject, const std::vector<std::int64_t>& points, std::size_t threads,
                 const core::JobContext& job)
        : m_subject(subject)
        , m_points(points)
        , m_job{job.stopToken, {}}
        , m_shares(points.size(), threads)
        , m_working(threads) {
        for (std::size_t i = 0; i < threads; ++i)
            m_threads.emplace_back([this, i] { work(i); });
    }

    /// Waits until `storeInterval` has passed, much has come together or all is done; what is there then.
    [[nodiscard]] std::vector<core::SweepPointRecord> take() {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, storeInterval,
                           [&] { return m_records.size() >= mostHeld || m_working == 0; });
        return std::exchange(m_records, {});
    }

    [[nodiscard]] bool isDone() {
        const std::scoped_lock lock(m_mutex);
        return m_working == 0 && m_records.empty();
    }

private:
    void work(std::size_t thread) {
        PointEvaluator evaluator(m_subject, m_datasets);
        std::vector<core::SweepPointRecord> records;
        Clock::time_point handedOver = Clock::now();
        while (!m_job.isCancelled()) {
            const std::optional<std::size_t> next = m_shares.next(thread);
            if (!next)
                break;
            core::SweepPointRecord record = evaluator.evaluate(m_points[*next], m_job);
            // A point that was stopped half way is no result.
            if (m_job.isCancelled())
                break;
            records.push_back(std::move(record));
            if (records.size() < mostUnseen && Clock::now() - handedOver < handOverInterval)
                continue;
            handOver(records);
            handedOver = Clock::now();
        }
        handOver(records);
        const std::scoped_lock lock(m_mutex);
        --m_working;
        m_changed.notify_one();
    }

    void handOver(std::vector<core::SweepPointRecord>& records) {
        const std::scoped_lock lock(m_mutex);
        std::ranges::move(records, std::back_inserter(m_records));
        records.clear();
        if (m_records.size() >= mostHeld)
            m_changed.notify_one();
    }

    const SweepSubject& m_subject;
    const std::vector<std::int64_t>& m_points;
    core::JobContext m_job;
    DatasetFactsCache m_datasets;
    PointShares m_shares;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<core::SweepPointRecord> m_records;
    std::size_t m_working;
    /// Last: joined before what they use goes.
    std::vector<std::jthread> m_threads;
};

std::size_t threadsOf(const SweepOptions& options, std::size_t points) {
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t wanted = options.jobs > 0 ? static_cast<std::size_t>(options.jobs) : cores;
    return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(points, 1));
}

} // namespace

std::vector<std::int64_t> openPoints(const SweepSubject& subject, const SweepOptions& options,
                                     const std::vector<std::int64_t>& done) {
    std::vector<std::int64_t> open;
    const std::int64_t count = subject.sweep.pointCount();
    const bool hasConditions =
        std::ranges::any_of(subject.sweep.conditions,
                            [](const core::PointCondition& condition) { return !condition.needsFigures(); });
    for (std::int64_t point = options.shard; point < count; point += options.shardCount) {
        if (std::ranges::binary_search(done, point))
            continue;
        if (!hasConditions || subject.isPoint(subject.sweep.point(point)))
            open.push_back(point);
    }
    return open;
}

std::string hashOf(const SweepSubject& subject) {
    core::Json document = subject.document;
    // Where things are on the canvas, and what the project is called, change no figure.
    for (const char* key : {"canvas", "name"})
        if (document.is_object())
            document.erase(key);
    return core::fingerprint(core::writeSweep(subject.sweep) + core::toText(document, -1));
}

core::Result<void> runSweep(const SweepSubject& subject, const SweepOptions& options,
                            const std::vector<std::int64_t>& points, const core::ProfileDatabase& database,
                            std::int64_t sweep, const core::JobContext& job) {
    const Clock::time_point start = Clock::now();
    PointWorkers workers(subject, points, threadsOf(options, points.size()), job);
    std::size_t done = 0;
    do {
        const std::vector<core::SweepPointRecord> records = workers.take();
        if (auto stored = core::storePoints(database, sweep, records); !stored)
            return stored;
        done += records.size();
        const double rate = static_cast<double>(done) / std::max(secondsSince(start), 1e-9);
        const double left = rate > 0 ? static_cast<double>(points.size() - done) / rate : 0;
        job.report(points.empty() ? 1 : static_cast<double>(done) / static_cast<double>(points.size()),
                   fmt::format("{} of {} points, {:.1f} a second, {} left", done, points.size(), rate,
                               duration(left)));
    } while (!workers.isDone());
    if (job.isCancelled())
        return core::failure(core::makeError(
            core::Trouble::Interrupted, "interrupted", {database.path().string(), ""},
            fmt::format("stopped on request; {} of {} points are stored", done, points.size()),
            {"the same command with --resume goes on"}));
    return {};
}

double secondsPerPoint(const SweepSubject& subject, const std::vector<std::int64_t>& points,
                       const core::JobContext& job) {
    DatasetFactsCache datasets;
    PointEvaluator evaluator(subject, datasets);
    const std::size_t count = std::min(points.size(), measuredPoints);
    if (count == 0)
        return 0;
    // The first one plans what the others find planned.
    (void)evaluator.evaluate(points.front(), job);
    const Clock::time_point start = Clock::now();
    std::size_t measured = 0;
    while (measured < count && (measured == 0 || secondsSince(start) < measuredSeconds) && !job.isCancelled())
        (void)evaluator.evaluate(points[measured++ * points.size() / count], job);
    return secondsSince(start) / static_cast<double>(measured);
}

} // namespace app
