#include "core/profile/exports/perfetto_trace.h"

#include "core/profile/exports/chrome_trace.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/sql_query.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/records/span_label.h"
#include "tests/core/profile/perfetto_reader.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <zlib.h>

using namespace core;
using tests::ReadSlice;
using tests::ReadTrack;

namespace {

/// A row of an exported table by its columns; NULL is not there.
using CsvRow = std::map<std::string, std::string>;

std::vector<CsvRow> rowsOfTable(const ProfileDatabase& database, RunId run, const char* view) {
    const SqlTable table =
        querySql(database, fmt::format("SELECT * FROM {} WHERE run = {}", view, run.value()), 1000000)
            .value();
    std::vector<CsvRow> rows;
    for (const std::vector<SqlValue>& values : table.rows) {
        CsvRow& row = rows.emplace_back();
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (const auto* number = std::get_if<std::int64_t>(&values[i]))
                row[table.columns[i]] = std::to_string(*number);
            else if (const auto* text = std::get_if<std::string>(&values[i]))
                row[table.columns[i]] = *text;
        }
    }
    return rows;
}

/// Bytes that the counter has at a time.
std::int64_t valueAt(const ReadTrack& counter, std::int64_t time) {
    const auto after = std::ranges::upper_bound(counter.points, time, {}, &std::pair<long, long>::first);
    return after == counter.points.begin() ? -1 : std::prev(after)->second;
}

} // namespace

class PerfettoTraceTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;
    RunId m_run;
    std::unique_ptr<ProfileDatabase> m_database;
    RunSummary m_summary;
    /// What protoc makes of `bytes`; empty without it.
    tests::ReadTrace m_trace;

    [[nodiscard]] std::string bytes(PerfettoDetail detail = PerfettoDetail::Spans) const {
        return perfettoTrace(loadPerfettoTrace(*m_database, m_run, detail).value());
    }
    [[nodiscard]] std::int64_t time(std::int64_t cycles) const {
        return std::llround(static_cast<long double>(cycles) * 1e9L /
                            static_cast<long double>(m_summary.provenance.clockHz));
    }

private slots:
    void initTestCase() {
        m_run = m_runs.add();
        m_database = std::make_unique<ProfileDatabase>(
            ProfileDatabase::open(m_runs.path(), {DatabaseAccess::ReadOnly}).value());
        m_summary = loadRun(*m_database, m_run).value();
        if (!tests::protoc().isEmpty())
            m_trace = tests::readPerfettoTrace(bytes());
    }

    void theSameRunHasTheSameBytes() { QVERIFY(bytes() == bytes()); }

    void theTraceIsSmallerThanThePackedChromeTrace() {
        const PerfettoContent content = loadPerfettoTrace(*m_database, m_run, PerfettoDetail::Spans).value();
        const std::string chrome = chromeTrace(content.trace, content.memory);
        uLongf packed = compressBound(chrome.size());
        std::string bytes(packed, '\0');
        QCOMPARE(compress2(reinterpret_cast<Bytef*>(bytes.data()), &packed,
                           reinterpret_cast<const Bytef*>(chrome.data()), chrome.size(), Z_BEST_COMPRESSION),
                 Z_OK);
        QVERIFY(perfettoTrace(content).size() <= packed);
    }

    void theTracksAreReplicaIpusLanesAndCounters() {
        if (tests::protoc().isEmpty())
            QSKIP("protoc is not installed");
        const tests::ReadTrace& trace = m_trace;
        QVERIFY2(trace.problems.empty(), trace.problems.empty() ? "" : trace.problems.front().c_str());
        std::vector<std::string> paths;
        for (const ReadTrack& track : trace.tracks)
            paths.push_back(track.path);
        const std::string replica = "Replica 0 of 2, which do the same";
        QCOMPARE(paths.front(), replica);
        QCOMPARE(std::ranges::count(paths, replica + "/IPU 3/compute"), 1);
        const auto ipu = std::ranges::find(paths, replica + "/IPU 1");
        const std::vector<std::string> below(ipu + 1, ipu + 1 + laneKindCount);
        std::size_t lane = 0;
        for (std::size_t kind = 0; kind < laneKindCount; ++kind) {
            const auto path = fmt::format("{}/IPU 1/{}", replica, toString(static_cast<LaneKind>(kind)));
            if (std::ranges::count(paths, path) > 0) // an IPU without remote memory has no lane for it
                QCOMPARE(below[lane++], path);
        }
        QVERIFY(lane >= 4);
        QCOMPARE(trace.track("/IPU 1/live")->unit, std::string("size"));
        QCOMPARE(trace.track("/IPU 1/IPU links")->unit, std::string("B/s"));
        const ReadSlice& update = trace.tracks.front().slices.front();
        QCOMPARE(update.arguments.at("schedule"), std::string("Grouped"));
        QCOMPARE(update.arguments.at("target"), m_summary.provenance.targetName);
        QCOMPARE(std::stod(update.arguments.at("clock_hz")), m_summary.provenance.clockHz);
        QCOMPARE(update.end, time(m_summary.step.value()));
    }

    void theSlicesAreTheSpansOfTheDatabase() {
        if (tests::protoc().isEmpty())
            QSKIP("protoc is not installed");
        const tests::ReadTrace& trace = m_trace;
        const std::vector<CsvRow> rows = rowsOfTable(*m_database, m_run, "v_span");
        const std::vector<SpanRecord> spans = loadSpans(*m_database, m_run).value();
        QCOMPARE(rows.size(), spans.size());
        std::map<std::string, std::string> laneKinds;
        for (const CsvRow& row : rowsOfTable(*m_database, m_run, "v_lane"))
            laneKinds[row.at("lane")] = row.at("kind");
        std::map<std::string, std::size_t> next;
        std::size_t i = 0;
        for (CsvRow row : rows) {
            const std::string path = fmt::format("/IPU {}/{}", row.at("ipu"), laneKinds[row.at("lane")]);
            const ReadTrack* track = trace.track(path);
            QVERIFY2(track != nullptr && next[path] < track->slices.size(), path.c_str());
            const ReadSlice& slice = track->slices[next[path]++];
            QCOMPARE(slice.category, row.at("kind"));
            QCOMPARE(slice.name, spanLabel(spans[i++]));
            const std::int64_t start = std::stoll(row.at("start_cycles"));
            QCOMPARE(slice.start, time(start));
            QCOMPARE(slice.end, time(start + std::stoll(row.at("duration_cycles"))));
            QCOMPARE(slice.depth, std::size_t(0));
            for (const char* column :
                 {"run", "lane", "ipu", "kind", "start_ns", "duration_ns", "part", "offset_cycles"})
                row.erase(column);
            if (auto blame = row.extract("blame_stage")) {
                blame.key() = "waits_for_stage";
                row.insert(std::move(blame));
            }
            QVERIFY2(slice.arguments == row, slice.name.c_str());
        }
        std::size_t slices = 0;
        for (const ReadTrack& track : trace.tracks)
            slices += track.slices.size();
        // One more is the update.
        QCOMPARE(slices, spans.size() + 1);
    }

    void theCountersAreTheLivenessRecords() {
        if (tests::protoc().isEmpty())
            QSKIP("protoc is not installed");
        const tests::ReadTrace& trace = m_trace;
        for (const IpuMemorySummary& memory : m_summary.memory) {
            const ReadTrack* counter = trace.track(fmt::format("/IPU {}/live", memory.ipu.value()));
            QVERIFY(counter != nullptr);
            QVERIFY(std::ranges::max(counter->points, {}, &std::pair<long, long>::second).second ==
                    memory.peak.value());
            const std::vector<ProgramLiveness> records =
                programLiveness(*m_database, m_run, memory.ipu).value();
            const std::vector<SpanRecord> spans = loadSpans(*m_database, m_run).value();
            std::map<LaneId, IpuId> ipus;
            const std::vector<LaneRecord> lanes = loadLanes(*m_database, m_run).value();
            for (const LaneRecord& lane : lanes)
                ipus[lane.id] = lane.ipu;
            // Between the programs what is stashed stays, as the timeline shows it.
            const std::int64_t inFlight = leastInFlight(records)->live.value();
            QVERIFY(inFlight > memory.alwaysLive.value());
            Cycles lastWork;
            for (const SpanRecord& span : spans)
                if (ipus[span.lane] == memory.ipu && programPhaseOf(span.kind) &&
                    span.kind != SpanKind::WeightUpdate)
                    lastWork = std::max(lastWork, span.start + span.duration);
            std::size_t gaps = 0;
            for (const SpanRecord& span : spans)
                if (ipus[span.lane] == memory.ipu && span.kind == SpanKind::Idle && span.start > Cycles() &&
                    span.start + span.duration < lastWork) {
                    const std::int64_t middle = span.start.value() + span.duration.value() / 2;
                    if (valueAt(*counter, time(middle)) == inFlight)
                        ++gaps;
                }
            QVERIFY(gaps > 0);
            std::set<std::int64_t> known{memory.alwaysLive.value()};
            std::size_t compared = 0;
            for (const SpanRecord& span : spans) {
                std::map<std::int64_t, std::int64_t> highest;
                for (const ProgramLiveness& record : records)
                    if (record.stage == span.stage && programPhaseOf(span.kind) == record.phase) {
                        std::int64_t& at = highest[time(record.from.value())];
                        at = std::max(at, record.live.value());
                        known.insert(record.live.value());
                    }
                for (const auto& [from, live] : highest) {
                    QCOMPARE(valueAt(*counter, time(span.start.value()) + from), live);
                    ++compared;
                }
            }
            QVERIFY(compared > 0);
            for (const auto& [at, value] : counter->points)
                QVERIFY(known.contains(value));
        }
    }

    void trafficIsCountedWhileItLasts() {
        if (tests::protoc().isEmpty())
            QSKIP("protoc is not installed");
        const tests::ReadTrace& trace = m_trace;
        std::size_t copies = 0;
        for (const CsvRow& row : rowsOfTable(*m_database, m_run, "v_span")) {
            if (row.at("kind") != "inter_ipu_copy" || !row.contains("bytes"))
                continue;
            const ReadTrack* links = trace.track(fmt::format("/IPU {}/IPU links", row.at("ipu")));
            QVERIFY(links != nullptr);
            const double cycles = std::stod(row.at("duration_cycles"));
            QCOMPARE(valueAt(*links, time(std::stoll(row.at("start_cycles")))),
                     std::llround(std::stod(row.at("bytes")) * m_summary.provenance.clockHz / cycles));
            ++copies;
        }
        QVERIFY(copies > 0);
        for (const ReadTrack& track : trace.tracks)
            if (track.unit == "B/s")
                QCOMPARE(track.points.back().second, std::int64_t(0));
    }

    void aFlowGoesWithEveryMicroBatch() {
        if (tests::protoc().isEmpty())
            QSKIP("protoc is not installed");
        const tests::ReadTrace& trace = m_trace;
        std::map<std::uint64_t, std::set<std::string>> names;
        std::map<std::uint64_t, std::pair<std::int64_t, std::int64_t>> lastStarts;
        for (const ReadTrack& track : trace.tracks)
            for (const ReadSlice& slice : track.slices) {
                for (const std::uint64_t flow : slice.flows) {
                    names[flow].insert(slice.name);
                    lastStarts[flow].first = std::max(lastStarts[flow].first, slice.start);
                }
                for (const std::uint64_t flow : slice.endingFlows) {
                    names[flow].insert(slice.name);
                    QCOMPARE(lastStarts[flow].second, std::int64_t(0));
                    lastStarts[flow].second = slice.start;
                }
            }
        QCOMPARE(names.size(), std::size_t(8));
        for (const auto& [flow, ofFlow] : names) {
            QVERIFY(flow > 0);
            QVERIFY(ofFlow ==
                    (std::set<std::string>{fmt::format("F{}", flow - 1), fmt::format("B{}", flow - 1)}));
            QVERIFY(lastStarts[flow].second > lastStarts[flow].first);
        }
    }

    void operationsNestInTheProgramsOfTheirStages() {
        if (tests::protoc().isEmpty())
            QSKIP("protoc is not installed");
        const tests::ReadTrace trace = tests::readPerfettoTrace(bytes(PerfettoDetail::Operations));
        QVERIFY2(trace.problems.empty(), trace.problems.empty() ? "" : trace.problems.front().c_str());
        using Found = std::tuple<std::string, std::string, std::string, std::string>;
        std::multiset<Found> inside;
        for (const ReadTrack& track : trace.tracks) {
            const ReadSlice* program = nullptr;
            for (const ReadSlice& slice : track.slices) {
                if (slice.depth == 0) {
                    program = &slice;
                    continue;
                }
                QVERIFY(program != nullptr && slice.depth == 1);
                QVERIFY(slice.start >= program->start && slice.end <= program->end);
                inside.emplace(slice.name, slice.category, slice.arguments.at("start_cycles"),
                               slice.arguments.at("duration_cycles"));
            }
        }
        std::multiset<Found> expected;
        for (const CsvRow& row : rowsOfTable(*m_database, m_run, "v_operation_span"))
            expected.emplace(row.at("name"), row.at("step_kind"), row.at("start_cycles"),
                             row.at("duration_cycles"));
        QVERIFY(!expected.empty());
        QVERIFY(inside == expected);
    }
};

REGISTER_TEST("perfetto_trace", PerfettoTraceTest)
#include "perfetto_trace_test.moc"
