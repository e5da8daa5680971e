#include "core/profile/analysis/idle_gaps.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/sql_query.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/records/tee_sink.h"
#include "core/profile/schema/profile_schema.h"
#include "core/profile/schema/profile_tables.h"
#include "core/profile/writer/profile_writer.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QTest>
#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <random>
#include <set>

using namespace core;

namespace {

/// Lanes of one kind of behaviour each; every question about them is answered by looking at every span.
struct Lanes {
    std::vector<SpanRecord> spans;
    Cycles step;
    std::size_t lanes = 0;
    std::mt19937 random{7};

    std::int64_t number(std::int64_t from, std::int64_t to) {
        return std::uniform_int_distribution<std::int64_t>(from, to)(random);
    }

    /// Appends a span behind the last of the lane.
    void add(std::int64_t& now, SpanKind kind, std::int64_t duration, std::int64_t microBatch,
             std::int64_t slot) {
        SpanRecord span;
        span.lane = LaneId(lanes);
        span.kind = kind;
        span.start = Cycles(now);
        span.duration = Cycles(duration);
        span.microBatch = kind == SpanKind::Idle ? -1 : microBatch;
        span.slot = slot;
        span.stage = kind == SpanKind::Idle ? StageId() : StageId(lanes);
        if (kind == SpanKind::Idle) {
            span.cause = slot % 7 == 3 ? IdleCause::Host : IdleCause::Transfer;
            span.blame = StageId(1);
        }
        spans.push_back(span);
        now += duration;
    }

    void endLane(std::int64_t now) {
        step = std::max(step, Cycles(now));
        ++lanes;
    }

    /// A ramp, slots that are all alike, one that is not, and others again.
    void addPipeline(std::int64_t count, std::int64_t odd) {
        std::int64_t now = 0;
        for (std::int64_t slot = 0; slot < count; ++slot) {
            if (slot < 3)
                add(now, SpanKind::Idle, 150, -1, slot);
            add(now, SpanKind::Forward, 100, slot + 5, slot);
            if (slot % 7 == 3)
                add(now, SpanKind::Idle, 12, -1, slot);
            add(now, SpanKind::Sync, 0, -1, slot);
            add(now, SpanKind::Backward, slot == odd ? 222 : 200, slot, slot);
        }
        add(now, SpanKind::WeightUpdate, 1000, -1, -1);
        endLane(now);
    }

    void addIrregular(std::int64_t count) {
        std::int64_t now = 17;
        for (std::int64_t i = 0; i < count; ++i)
            add(now,
                i % 5 == 4   ? SpanKind::Idle
                : i % 2 != 0 ? SpanKind::Backward
                             : SpanKind::Forward,
                number(1, 1000), i / 5, i);
        endLane(now);
    }

    /// One span a slot, each like the one before it: more of them are looked at together than a block has
    /// turns.
    void addAlike(std::int64_t count) {
        std::int64_t now = 0;
        for (std::int64_t slot = 0; slot < count; ++slot)
            add(now, SpanKind::Sync, 40, slot, slot);
        endLane(now);
    }

    /// Few spans, some of which come before those that were told first.
    void addOutOfOrder() {
        std::int64_t now = 0;
        const std::size_t first = spans.size();
        for (std::int64_t i = 0; i < 600; ++i)
            add(now, i % 3 == 0 ? SpanKind::Exchange : SpanKind::InterIpuCopy, 10, i, -1);
        std::stable_partition(spans.begin() + static_cast<std::ptrdiff_t>(first), spans.end(),
                              [](const SpanRecord& span) { return span.kind == SpanKind::Exchange; });
        endLane(now);
    }

    [[nodiscard]] std::vector<SpanRecord> sorted() const {
        std::vector<SpanRecord> all = spans;
        std::stable_sort(all.begin(), all.end(), [](const SpanRecord& a, const SpanRecord& b) {
            return std::pair(a.lane, a.start) < std::pair(b.lane, b.start);
        });
        return all;
    }
};

bool isInside(const SpanRecord& span, Cycles from, Cycles to) {
    return span.start < to && (span.start + span.duration > from || span.start >= from);
}

} // namespace

class SpanBlocksTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    Lanes m_lanes;
    std::vector<SpanRecord> m_sorted;
    std::optional<ProfileDatabase> m_database;
    const RunId m_run{1};

    [[nodiscard]] std::string path(const char* name) const {
        return (m_folder.path() + "/" + name).toStdString();
    }

    void record(ProfileSink& sink) const {
        RunSummary summary;
        summary.provenance.projectName = "lanes";
        summary.provenance.clockHz = 1e9;
        summary.provenance.ipus = static_cast<std::int64_t>(m_lanes.lanes);
        summary.step = m_lanes.step;
        sink.begin(summary.provenance);
        std::vector<LaneRecord> lanes;
        for (std::size_t lane = 0; lane < m_lanes.lanes; ++lane)
            lanes.push_back({LaneId(lane), LaneKind::Compute, IpuId(lane)});
        sink.lanes(lanes);
        // In portions, as a run tells them.
        const std::span<const SpanRecord> all(m_lanes.spans);
        for (std::size_t at = 0; at < all.size(); at += 1000)
            sink.spans(all.subspan(at, std::min<std::size_t>(1000, all.size() - at)));
        sink.finish(summary);
    }

    [[nodiscard]] std::int64_t answer(const std::string& sql) const {
        return m_database->connection().execAndGet(sql).getInt64();
    }

    [[nodiscard]] static std::vector<std::vector<SpanBin>> binsOf(const ProfileDatabase& database,
                                                                  const TimelineRequest& request) {
        std::vector<std::vector<SpanBin>> bins;
        const TimelineWindow window = loadTimeline(database, request).value();
        for (const LaneWindow& lane : window.lanes)
            bins.push_back(lane.bins);
        return bins;
    }

private slots:
    void initTestCase() {
        m_lanes.addPipeline(9000, 4711);
        m_lanes.addPipeline(40, 12);
        m_lanes.addIrregular(60000);
        m_lanes.addOutOfOrder();
        m_lanes.addIrregular(10);
        m_lanes.addAlike(21'000);
        m_sorted = m_lanes.sorted();
        auto opened = ProfileDatabase::open(path("runs"));
        QVERIFY(opened.has_value());
        m_database.emplace(*std::move(opened));
        ProfileWriter writer(*m_database);
        record(writer);
        QVERIFY2(writer.outcome().has_value(), "stored");
    }

    void whatWasToldIsReadBack() { QVERIFY(loadSpans(*m_database, m_run).value() == m_sorted); }

    void whatRepeatsItselfIsStoredOnce() {
        // 9000 slots of 7 in a turn: far fewer rows than spans.
        QVERIFY(answer("SELECT count(*) FROM span_block WHERE lane = 0") < 40);
        QVERIFY(answer("SELECT max(turns) FROM span_block WHERE lane = 0") > 300);
        QVERIFY(answer("SELECT max(turns) FROM span_block") <= 4096);
        QCOMPARE(answer("SELECT sum(spans * turns) FROM span_block"),
                 static_cast<std::int64_t>(m_sorted.size()));
    }

    void theViewSaysEverySpan() {
        const SqlTable rows = querySql(*m_database,
                                       "SELECT lane, start_cycles, duration_cycles, kind, stage, "
                                       "micro_batch, slot, cause, blame_stage FROM v_span WHERE run = 1",
                                       1'000'000)
                                  .value();
        QCOMPARE(rows.rows.size(), m_sorted.size());
        const auto orNull = [](bool is, std::int64_t value) {
            return is ? SqlValue(value) : SqlValue(std::monostate());
        };
        for (std::size_t i = 0; i < m_sorted.size(); ++i) {
            const SpanRecord& span = m_sorted[i];
            const bool isIdle = span.kind == SpanKind::Idle;
            const std::vector<SqlValue> expected{
                static_cast<std::int64_t>(span.lane.value()),
                span.start.value(),
                span.duration.value(),
                std::string(toString(span.kind)),
                orNull(span.stage.isValid(),
                       span.stage.isValid() ? static_cast<std::int64_t>(span.stage.value()) : 0),
                orNull(span.microBatch >= 0, span.microBatch),
                orNull(span.slot >= 0, span.slot),
                isIdle ? SqlValue(std::string(toString(span.cause))) : SqlValue(std::monostate()),
                orNull(isIdle, 1)};
            QVERIFY2(rows.rows[i] == expected, fmt::format("row {}", i).c_str());
        }
    }

    void theTotalsOfTheViewsAreThoseOfTheSpans() {
        std::map<std::pair<std::int64_t, std::string>, std::pair<std::int64_t, std::int64_t>> idle;
        std::map<std::int64_t, std::int64_t> busy;
        for (const SpanRecord& span : m_sorted) {
            const auto ipu = static_cast<std::int64_t>(span.lane.value());
            if (span.kind != SpanKind::Idle) {
                busy[ipu] += span.duration.value();
                continue;
            }
            auto& [gaps, cycles] = idle[{ipu, std::string(toString(span.cause))}];
            ++gaps;
            cycles += span.duration.value();
        }
        const SqlTable gaps = querySql(*m_database, "SELECT ipu, cause, gaps, cycles FROM v_idle").value();
        QCOMPARE(gaps.rows.size(), idle.size());
        for (const std::vector<SqlValue>& row : gaps.rows) {
            const auto& expected = idle.at({std::get<std::int64_t>(row[0]), std::get<std::string>(row[1])});
            QVERIFY(row[2] == SqlValue(expected.first) && row[3] == SqlValue(expected.second));
        }
        const SqlTable use = querySql(*m_database, "SELECT ipu, busy_cycles FROM v_utilisation").value();
        QCOMPARE(use.rows.size(), m_lanes.lanes);
        for (const std::vector<SqlValue>& row : use.rows)
            QVERIFY(row[1] == SqlValue(busy.at(std::get<std::int64_t>(row[0]))));
    }

    void aWindowHasTheSpansAndSumsInIt() {
        const std::int64_t step = m_lanes.step.value();
        for (int round = 0; round < 60; ++round) {
            const std::int64_t from = m_lanes.number(0, step - 2);
            const std::int64_t to = std::min(step, from + 1 + m_lanes.number(1, step >> (round % 16)));
            const std::int64_t bins = m_lanes.number(1, 700);
            const TimelineRequest request{m_run, Cycles(from), Cycles(to), bins, {}};
            const TimelineWindow window = loadTimeline(*m_database, request).value();
            QCOMPARE(window.lanes.size(), m_lanes.lanes);
            const std::int64_t width = std::max<std::int64_t>(1, (to - from) / bins);
            std::int64_t all = 0;
            for (const LaneWindow& lane : window.lanes) {
                std::vector<SpanRecord> inside;
                for (const SpanRecord& span : m_sorted)
                    if (span.lane == lane.lane.id && isInside(span, request.from, request.to))
                        inside.push_back(span);
                all += static_cast<std::int64_t>(inside.size());
                if (static_cast<std::int64_t>(inside.size()) <= bins) {
                    QVERIFY(lane.spans == inside && lane.bins.empty());
                    continue;
                }
                SpanBinner binner(request.from, request.to, bins);
                std::vector<SpanRecord> wide;
                Cycles cycles;
                for (const SpanRecord& span : inside) {
                    cycles +=
                        std::min(span.start + span.duration, request.to) - std::max(span.start, request.from);
                    if (span.duration.value() >= width)
                        wide.push_back(span);
                    else
                        binner.add(span.kind, span.cause, span.start, span.duration);
                }
                Cycles shown;
                for (const SpanRecord& span : lane.spans)
                    shown +=
                        std::min(span.start + span.duration, request.to) - std::max(span.start, request.from);
                for (const SpanBin& bin : lane.bins)
                    shown += bin.cycles;
                QVERIFY(shown == cycles);
                // Where a lane stores very many spans, sums of blocks do; else it is exact to the bin.
                if (lane.lane.id != LaneId(2))
                    QVERIFY(lane.spans == wide && lane.bins == binner.bins());
            }
            QCOMPARE(window.spanCount, all);
        }
    }

    void anAreaHasTheCyclesInIt() {
        const std::int64_t step = m_lanes.step.value();
        for (int round = 0; round < 40; ++round) {
            const Cycles from(m_lanes.number(0, step - 2));
            const Cycles to(std::min(step, from.value() + m_lanes.number(1, step >> (round % 12))));
            std::map<std::pair<LaneId, SpanKind>, Cycles> byKind;
            std::map<std::pair<LaneId, IdleCause>, Cycles> byCause;
            for (const SpanRecord& span : m_sorted) {
                const Cycles inside = std::min(span.start + span.duration, to) - std::max(span.start, from);
                if (inside.value() <= 0)
                    continue;
                byKind[{span.lane, span.kind}] += inside;
                if (span.kind == SpanKind::Idle)
                    byCause[{span.lane, span.cause}] += inside;
            }
            const auto statistics = areaStatistics(*m_database, m_run, from, to);
            QVERIFY(statistics.has_value());
            for (const LaneStatistics& lane : *statistics) {
                for (std::size_t kind = 0; kind < spanKindCount; ++kind)
                    QVERIFY((lane.byKind[kind] == byKind[{lane.lane, static_cast<SpanKind>(kind)}]));
                for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
                    QVERIFY((lane.idleByCause[cause] == byCause[{lane.lane, static_cast<IdleCause>(cause)}]));
            }
        }
    }

    void gapsComeLongestFirst() {
        std::vector<SpanRecord> gaps;
        for (const SpanRecord& span : m_sorted)
            if (span.kind == SpanKind::Idle)
                gaps.push_back(span);
        const auto order = [](const SpanRecord& span) {
            return std::tuple(-span.duration.value(), span.start, span.lane);
        };
        std::ranges::sort(gaps, {}, order);
        QVERIFY(idleGaps(*m_database, m_run, -1).value().longest == gaps);
        const IdleGaps some = idleGaps(*m_database, m_run, 500).value();
        QCOMPARE(some.count, static_cast<std::int64_t>(gaps.size()));
        QVERIFY(some.longest == std::vector(gaps.begin(), gaps.begin() + 500));
        const std::vector<UpdatePiece> pieces{{Cycles(100'000), Cycles(300'000), 1}};
        std::erase_if(gaps, [&](const SpanRecord& gap) {
            return !isInside(gap, pieces[0].from, pieces[0].to) || gap.lane == LaneId(1);
        });
        const std::vector<LaneId> lanes{LaneId(0), LaneId(2)};
        QVERIFY(idleGapsWithin(*m_database, m_run, pieces, lanes, -1).value().longest == gaps);
    }

    void whatIsSearchedIsFound() {
        std::vector<SpanFilter> filters;
        for (int round = 0; round < 30; ++round) {
            SpanFilter filter;
            if (round % 2 == 0)
                filter.microBatch = m_lanes.number(0, 9100);
            if (round % 3 == 0)
                filter.slot = m_lanes.number(0, 9100);
            if (round % 5 == 0)
                filter.kind = SpanKind::Backward;
            if (round % 7 == 0)
                filter.stage = StageId(2);
            filters.push_back(filter);
        }
        filters.push_back({SpanKind::Idle, {}, {}, {}, IdleCause::Host, {}});
        for (const SpanFilter& filter : filters) {
            std::vector<SpanRecord> expected;
            for (const SpanRecord& span : m_sorted)
                if ((!filter.kind || span.kind == *filter.kind) &&
                    (!filter.microBatch || span.microBatch == *filter.microBatch) &&
                    (!filter.stage || span.stage == *filter.stage) &&
                    (!filter.slot || span.slot == *filter.slot) &&
                    (!filter.cause || (span.kind == SpanKind::Idle && span.cause == *filter.cause)))
                    expected.push_back(span);
            std::ranges::stable_sort(expected, {}, &SpanRecord::start);
            if (expected.size() > 1000)
                expected.resize(1000);
            QVERIFY(findSpans(*m_database, m_run, filter, 1000).value() == expected);
        }
    }

    void neighboursFollowEachOther() {
        for (const std::size_t lane : {0U, 1U, 3U, 4U}) {
            std::vector<SpanRecord> spans;
            for (const SpanRecord& span : m_sorted)
                if (span.lane == LaneId(lane) && span.duration.value() > 0)
                    spans.push_back(span);
            for (int round = 0; round < 200; ++round) {
                const auto i =
                    static_cast<std::size_t>(m_lanes.number(1, static_cast<std::int64_t>(spans.size()) - 2));
                const SpanRecord& span = spans[i];
                const Cycles middle = span.start + Cycles(span.duration.value() / 2);
                QVERIFY(spanAt(*m_database, m_run, span.lane, middle).value() == span);
                const auto next = neighbourSpan(*m_database, m_run, span.lane, span.start, true).value();
                const auto last = neighbourSpan(*m_database, m_run, span.lane, span.start, false).value();
                // Of spans that start together the first is next, and the last is before.
                QVERIFY(next->start == spans[i + 1].start || next->duration.value() == 0);
                QVERIFY(last->start == spans[i - 1].start || last->duration.value() == 0);
            }
        }
    }

    void slotsAreWhereTheirSpansAre() {
        std::map<std::int64_t, SlotTime> expected;
        for (const SpanRecord& span : m_sorted) {
            if (span.slot < 0)
                continue;
            const Cycles end = span.start + span.duration;
            SlotTime& slot =
                expected.try_emplace(span.slot, SlotTime{span.slot, span.start, end, false}).first->second;
            slot.start = std::min(slot.start, span.start);
            slot.end = std::max(slot.end, end);
            slot.hasWork |= span.kind == SpanKind::Forward || span.kind == SpanKind::Backward;
        }
        const auto times = loadSlots(*m_database, m_run).value();
        QCOMPARE(times.size(), expected.size());
        for (const SlotTime& slot : times) {
            const SlotTime& one = expected.at(slot.slot);
            QVERIFY(slot.start == one.start && slot.end == one.end && slot.hasWork == one.hasWork);
        }
    }

    /// A file of the version before, with a row for each span.
    void rowsOfOlderFilesBecomeBlocks() {
        const std::string file = path("rows.sqlite");
        {
            auto database = ProfileDatabase::open(file);
            ProfileWriter writer(*database);
            record(writer);
            SQLite::Database& connection = database->connection();
            connection.exec(
                "INSERT INTO span (run_id, lane, start_cycles, sequence, duration_cycles, kind, stage, "
                "micro_batch, slot, bytes, cause, blame_stage, part, offset_cycles) "
                "SELECT run, lane, start_cycles, row_number() OVER (), duration_cycles, kind, stage, "
                "micro_batch, slot, bytes, cause, blame_stage, part, offset_cycles FROM v_span_code");
            connection.exec("DROP VIEW v_tensor; ALTER TABLE live_range DROP COLUMN first_tile; "
                            "ALTER TABLE live_range DROP COLUMN tile_count; "
                            "ALTER TABLE live_range DROP COLUMN tile_bytes; "
                            "ALTER TABLE live_range DROP COLUMN last_tile_bytes");
            connection.exec("DROP VIEW v_sweep_point; DROP VIEW v_sweep; "
                            "ALTER TABLE sweep_point DROP COLUMN intervals_id; "
                            "ALTER TABLE sweep_point DROP COLUMN origin_id; "
                            "ALTER TABLE sweep DROP COLUMN recorder");
            connection.exec("DROP VIEW v_span_code; DROP TABLE span_block; DROP TABLE span_shape; "
                            "DROP TABLE number; PRAGMA user_version = 6");
        }
        const auto database = ProfileDatabase::open(file, {DatabaseAccess::ReadOnly});
        QVERIFY2(database.has_value(), database ? "" : database.error().front().message.c_str());
        QVERIFY(loadSpans(*database, m_run).value() == m_sorted);
        QCOMPARE(database->connection().execAndGet("SELECT count(*) FROM span").getInt(), 0);
        QVERIFY(QFile::exists(QString::fromStdString(path("rows.version-6.sqlite"))));
        SQLite::Statement lost(database->connection(), "PRAGMA foreign_key_check");
        QVERIFY(!lost.executeStep());
    }

    /// The index of heads is a way to what the table has, not a part of the file that could be missed.
    void headsAreReadWithoutTheirIndexToo() {
        const std::string file = path("heads");
        const TimelineRequest request{m_run, Cycles(), m_lanes.step, 200, {}};
        std::vector<std::vector<SpanBin>> expected;
        std::int64_t root = 0;
        {
            auto database = ProfileDatabase::open(file);
            ProfileWriter writer(*database);
            record(writer);
            expected = binsOf(*database, request);
            SQLite::Database& connection = database->connection();
            connection.exec("DROP INDEX span_block_head");
            QVERIFY(binsOf(*database, request) == expected);
        }
        {
            // Whoever opens the file makes it again.
            auto database = ProfileDatabase::open(file);
            root = database->connection()
                       .execAndGet("SELECT rootpage FROM sqlite_schema WHERE name = 'span_block_head'")
                       .getInt64();
            QVERIFY(binsOf(*database, request) == expected);
            database->connection().exec("PRAGMA wal_checkpoint(TRUNCATE)");
        }
        QFile bytes(QString::fromStdString(file));
        QVERIFY(bytes.open(QIODevice::ReadWrite));
        constexpr std::int64_t pageSize = 4096;
        QVERIFY(bytes.seek((root - 1) * pageSize));
        bytes.write(QByteArray(64, '\xff'));
        bytes.close();
        auto damaged =
            ProfileDatabase::open(file, {.access = DatabaseAccess::ReadOnly, .keepsWhatIsLeft = true});
        QVERIFY(binsOf(*damaged, request) == expected);
        QVERIFY(damaged->takeLosses().empty());
    }

    void blocksThatMakeNoSenseAreDamage() {
        for (const char* change :
             {"spans = 0", "spans = 5000", "turns = -1", "turns = 1000000", "durations = x'3132'",
              "starts = 'abc'", "stride_cycles = 9223372036854775807", "start_cycles = -9223372036854775807",
              "shapes = CAST(printf('%0.*d', 6 * spans, 0) AS BLOB) || '9'", "sums = 'x', turns = 0",
              "micro_batch_stride = 9223372036854775807"}) {
            const std::string file = path("damaged");
            QFile::remove(QString::fromStdString(file));
            auto database = ProfileDatabase::open(file);
            ProfileWriter writer(*database);
            record(writer);
            database->connection().exec(fmt::format("UPDATE OR IGNORE span_block SET {}", change));
            const auto spans = loadSpans(*database, m_run);
            QVERIFY2(!spans.has_value(), change);
            QCOMPARE(spans.error().front().code, std::string("database/damaged"));
            const auto window =
                loadTimeline(*database, {m_run, Cycles(5), m_lanes.step - Cycles(1), 100, {}});
            QVERIFY(window.has_value() || window.error().front().code == "database/damaged");
            QVERIFY(querySql(*database, "SELECT * FROM v_span", 10).has_value());
        }
    }

    /// A few bytes of a file may say that something comes again thousands of times, all at once.
    void whatIsTooMuchIsRefusedOrSummed() {
        const std::string file = path("much");
        auto database = ProfileDatabase::open(file);
        ProfileWriter writer(*database);
        record(writer);
        SQLite::Database& connection = database->connection();
        connection.exec("UPDATE span_block SET spans = 1, turns = 4096, stride_cycles = 1, starts = x'', "
                        "durations = CAST('900000' AS BLOB), micro_batches = x'', slots = x'', shapes = x''");
        const auto window = loadTimeline(*database, {m_run, Cycles(), m_lanes.step, 100, {}});
        QVERIFY(window.has_value());
        for (const LaneWindow& lane : window->lanes)
            QVERIFY(lane.spans.size() <= 400 + 4096);
        connection.exec("UPDATE span_block SET spans = 4096, durations = x''");
        const auto spans = loadSpans(*database, m_run);
        QVERIFY(!spans.has_value());
        QCOMPARE(spans.error().front().code, std::string("timeline/too-long"));
        QVERIFY(!loadSlots(*database, m_run).has_value());
    }

    void turnsAreSummedAsIfEachWereTold() {
        for (int round = 0; round < 400; ++round) {
            const Cycles from(m_lanes.number(0, 500));
            const Cycles to(from.value() + m_lanes.number(1, 3000));
            const std::int64_t bins = m_lanes.number(1, 40);
            const Cycles start(m_lanes.number(0, 1500));
            const Cycles stride(m_lanes.number(1, 60));
            const Cycles duration(m_lanes.number(0, round % 2 == 0 ? stride.value() : 400));
            const std::int64_t turns = m_lanes.number(1, 200);
            SpanBinner together(from, to, bins);
            together.addTurns(SpanKind::Forward, IdleCause::WarmUp, start, duration, stride, turns);
            SpanBinner each(from, to, bins);
            for (std::int64_t turn = 0; turn < turns; ++turn)
                each.add(SpanKind::Forward, IdleCause::WarmUp, start + turn * stride, duration);
            QVERIFY2(together.bins() == each.bins(), fmt::format("round {}", round).c_str());
        }
    }
};

REGISTER_TEST("span_blocks", SpanBlocksTest)
#include "span_blocks_test.moc"
