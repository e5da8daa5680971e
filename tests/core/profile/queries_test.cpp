#include "core/base/file.h"
#include "core/base/json.h"

#include "core/profile/analysis/compared/layer_times.h"
#include "core/profile/exports/chrome_trace.h"
#include "core/profile/exports/csv.h"
#include "core/profile/notes/store/note_store.h"
#include "core/profile/queries/comparison.h"
#include "core/profile/queries/memory_queries.h"
#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/schedule_bands.h"
#include "core/profile/queries/sql_query.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/queries/training_queries.h"
#include "core/profile/records/tee_sink.h"
#include "core/profile/writer/profile_writer.h"
#include "tests/support/shared_data.h"
#include "tests/support/synthetic_run.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest/QTest>
#include <map>
#include <optional>

using namespace core;

namespace {

template <class Record, class Less>
std::vector<Record> sorted(std::vector<Record> records, Less less) {
    std::stable_sort(records.begin(), records.end(), less);
    return records;
}

bool spanBefore(const SpanRecord& a, const SpanRecord& b) {
    return std::pair(a.lane, a.start) < std::pair(b.lane, b.start);
}

Cycles cyclesOf(const LaneWindow& window, Cycles from, Cycles to) {
    Cycles total;
    for (const SpanRecord& span : window.spans)
        total += std::min(span.start + span.duration, to) - std::max(span.start, from);
    for (const SpanBin& bin : window.bins)
        total += bin.cycles;
    return total;
}

} // namespace

class QueriesTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::optional<ProfileDatabase> m_database;
    MemoryProfile m_profile;
    const RunId m_run{1};

    [[nodiscard]] const ProfileDatabase& database() const { return *m_database; }

    RunId addRun(const tests::SyntheticRun& run) {
        ProfileWriter writer(*m_database);
        tests::record(run, writer);
        return writer.outcome().value();
    }

private slots:
    void initTestCase() {
        auto opened = ProfileDatabase::open((m_folder.path() + "/runs").toStdString());
        QVERIFY(opened.has_value());
        m_database.emplace(*std::move(opened));
        ProfileWriter writer(*m_database);
        TeeSink both({&m_profile, &writer});
        tests::record({}, both);
        QVERIFY(writer.outcome().has_value());
        QVERIFY(storeNotes(*m_database, m_run, std::vector<NoteRecord>{{Cycles(3), "here"}}).has_value());
    }

    void everythingRecordedReadsBack() {
        QVERIFY(loadLanes(database(), m_run).value() == m_profile.lanes());
        QVERIFY(loadOperations(database(), m_run).value() == m_profile.operations());
        QVERIFY(loadProgram(database(), m_run).value() == m_profile.programSteps());
        QCOMPARE(querySql(database(), "SELECT * FROM v_transfer WHERE run = 1")->rows.size(),
                 m_profile.transfers().size());
        QVERIFY(loadSpans(database(), m_run).value() == sorted(m_profile.spans(), spanBefore));
        QVERIFY(loadExecutions(database(), m_run).value() == m_profile.executions());
        QVERIFY(loadMetrics(database(), m_run).value() ==
                sorted(m_profile.metrics(), [](const MetricRecord& a, const MetricRecord& b) {
                    // The series of the summary, in its order.
                    const auto rank = [](const std::string& name) {
                        return name == "loss" ? 0 : name == "accuracy" ? 1 : name == "val_loss" ? 2 : 3;
                    };
                    return rank(a.name) < rank(b.name);
                }));
        const TrainingRecords& training = m_profile.trainingRecords();
        QVERIFY(!training.images.empty());
        QVERIFY(loadTensorStatistics(database(), m_run).value() == training.tensors);
        QVERIFY(loadConfusion(database(), m_run).value() == training.confusion);
        QVERIFY(loadSamplePredictions(database(), m_run).value() == training.predictions);
        QVERIFY(loadSampleImages(database(), m_run).value() == training.images);
        std::vector<LiveRangeRecord> ranges;
        std::vector<LivenessStepRecord> steps;
        for (const IpuMemorySummary& memory : m_profile.summary().memory) {
            const IpuId ipu = memory.ipu;
            const auto someRanges = liveRanges(database(), m_run, ipu).value();
            const auto someSteps = loadLivenessSteps(database(), m_run, ipu).value();
            ranges.insert(ranges.end(), someRanges.begin(), someRanges.end());
            steps.insert(steps.end(), someSteps.begin(), someSteps.end());
            QVERIFY(loadTileMemory(database(), m_run, ipu).value() == m_profile.tileMemory()[ipu.index()]);
        }
        QVERIFY(ranges == m_profile.liveRanges());
        QVERIFY(steps == m_profile.livenessSteps());
    }

    void aWindowAtFullResolutionAnswersTheSpansInside() {
        const Cycles step = m_profile.summary().step;
        const Cycles from(step.value() / 3);
        const Cycles to(step.value() / 2);
        const auto window = loadTimeline(database(), {m_run, from, to, 100000, {LaneKind::Compute}});
        std::size_t expected = 0;
        for (const SpanRecord& span : m_profile.spans()) {
            const bool isCompute = m_profile.lanes()[span.lane.index()].kind == LaneKind::Compute;
            expected += isCompute && span.start < to && span.start + span.duration > from ? 1 : 0;
        }
        std::size_t found = 0;
        for (const LaneWindow& lane : window->lanes) {
            QVERIFY(lane.bins.empty());
            QVERIFY(cyclesOf(lane, from, to) == to - from);
            found += lane.spans.size();
        }
        QCOMPARE(found, expected);
        QCOMPARE(window->spanCount, static_cast<std::int64_t>(expected));
    }

    void aCoarseWindowKeepsEveryCycleInFewRows() {
        const Cycles step = m_profile.summary().step;
        std::map<LaneId, Cycles> recorded;
        for (const SpanRecord& span : m_profile.spans())
            recorded[span.lane] += span.duration;
        for (const std::int64_t bins : {1, 7, 40, 300}) {
            const auto window = loadTimeline(database(), {m_run, Cycles(), step, bins, {}});
            for (const LaneWindow& lane : window->lanes) {
                QVERIFY(cyclesOf(lane, Cycles(), step) == recorded[lane.lane.id]);
                QVERIFY(static_cast<std::int64_t>(lane.spans.size()) <= 2 * bins);
                QVERIFY(static_cast<std::int64_t>(lane.bins.size()) <=
                        bins * static_cast<std::int64_t>(spanKindCount + idleCauseCount));
            }
            QCOMPARE(window->spanCount, static_cast<std::int64_t>(m_profile.spans().size()));
        }
    }

    void binsDivideAWindowWithoutLossWhateverItsLength() {
        for (const std::int64_t length : {1, 2, 3, 10, 997, 1000003}) {
            for (const std::int64_t count : {1, 2, 3, 7, 64, 1000}) {
                SpanBinner binner(Cycles(5), Cycles(5 + length), count);
                binner.add(SpanKind::Forward, IdleCause::Drain, Cycles(0), Cycles(length + 100));
                Cycles total;
                const auto bins = binner.bins();
                for (const SpanBin& bin : bins)
                    total += bin.cycles;
                QVERIFY(total == Cycles(length));
                for (std::int64_t cycle = 5; cycle < std::min<std::int64_t>(5 + length, 300); ++cycle) {
                    const std::int64_t bin = binner.binOf(Cycles(cycle));
                    QVERIFY(binner.edge(bin) <= Cycles(cycle) && Cycles(cycle) < binner.edge(bin + 1));
                }
            }
        }
    }

    /// A hundred times the spans must not cost ten times the rows, nor the time.
    void rowsDoNotGrowWithTheTrace() {
        std::array<std::size_t, 2> rows{};
        std::array<qint64, 2> times{};
        for (std::size_t i = 0; i < 2; ++i) {
            auto dense =
                ProfileDatabase::open((m_folder.path() + "/dense" + QString::number(i)).toStdString());
            ProfileWriter writer(*dense);
            tests::recordDenseRun(1, i == 0 ? 5000 : 500000, writer);
            const Cycles step = loadRun(*dense, RunId(1))->step;
            QElapsedTimer timer;
            timer.start();
            const auto window = loadTimeline(*dense, {RunId(1), Cycles(), step, 1000, {}});
            times[i] = timer.nsecsElapsed();
            QVERIFY(cyclesOf(window->lanes[0], Cycles(), step) == step);
            rows[i] = window->lanes[0].spans.size() + window->lanes[0].bins.size();
        }
        qInfo("rows %zu and %zu, time ratio %.1f", rows[0], rows[1],
              static_cast<double>(times[1]) / static_cast<double>(times[0]));
        QVERIFY(rows[1] < 3 * rows[0]);
    }

    void anAreaSumsToItsLength() {
        const Cycles step = m_profile.summary().step;
        const auto at = [&](double updates) {
            return Cycles(static_cast<std::int64_t>(updates * static_cast<double>(step.value())));
        };
        const std::vector<std::pair<double, double>> areas{
            {0, 1}, {0.2, 0.7}, {0.9, 1.1}, {0.5, 3.25}, {2, 4}};
        for (const auto& [from, to] : areas) {
            const auto lanes = areaStatistics(database(), m_run, at(from), at(to)).value();
            QCOMPARE(lanes.size(), std::size_t{4});
            for (const LaneStatistics& lane : lanes) {
                QVERIFY(lane.unrecorded == Cycles());
                QVERIFY(lane.busy() + lane.idle() == at(to) - at(from));
            }
        }
        const auto all = areaStatistics(database(), m_run, Cycles(), step).value();
        std::array<Cycles, idleCauseCount> idle{};
        for (const LaneStatistics& lane : all) {
            for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
                idle[cause] += lane.idleByCause[cause];
        }
        for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
            QVERIFY(idle[cause] == m_profile.summary().idleByCause[cause]);
    }

    void aMicroBatchIsFollowedThroughAllStages() {
        const auto spans = microBatchSpans(database(), m_run, 3).value();
        QCOMPARE(spans.size(), std::size_t{4 + 4 + 3});
        QCOMPARE(spans.front().stage, StageId(0));
        QVERIFY(spans.back().kind == SpanKind::Backward && spans.back().stage == StageId(0));
        QVERIFY(std::is_sorted(spans.begin(), spans.end(),
                               [](const SpanRecord& a, const SpanRecord& b) { return a.start < b.start; }));
    }

    void searchesReadWhatPeopleType() {
        using F = SpanFilter;
        const auto is = [](const char* text, const F& filter) { return parseSpanFilter(text) == filter; };
        QVERIFY(is("B3", {SpanKind::Backward, 3, {}, {}, {}, ""}));
        QVERIFY(is("f 12", {SpanKind::Forward, 12, {}, {}, {}, ""}));
        QVERIFY(is("Recompute stage 2", {SpanKind::Recompute, {}, StageId(2), {}, {}, ""}));
        QVERIFY(is("slot9", {{}, {}, {}, 9, {}, ""}));
        QVERIFY(is("micro-batch 3", {{}, 3, {}, {}, {}, ""}));
        QVERIFY(is("drain", {SpanKind::Idle, {}, {}, {}, IdleCause::Drain, ""}));
        QVERIFY(is("conv3_block1_2", {{}, {}, {}, {}, {}, "conv3_block1_2"}));
        QVERIFY(is("b conv5", {SpanKind::Backward, {}, {}, {}, {}, "conv5"}));
        QCOMPARE(findSpans(database(), m_run, parseSpanFilter("B3")).value().size(), std::size_t{4});
        QCOMPARE(findSpans(database(), m_run, parseSpanFilter("f predictions")).value().size(),
                 std::size_t{8});
        QCOMPARE(findSpans(database(), m_run, parseSpanFilter("infeed")).value().size(), std::size_t{8});
        QCOMPARE(findSpans(database(), m_run, parseSpanFilter("no such layer")).value().size(),
                 std::size_t{0});
        QCOMPARE(findSpans(database(), m_run, parseSpanFilter("b"), 5).value().size(), std::size_t{5});
    }

    void neighboursEndAtTheEnds() {
        const auto first = spanAt(database(), m_run, LaneId(0), Cycles(0)).value();
        QVERIFY(first.has_value());
        QVERIFY(!neighbourSpan(database(), m_run, LaneId(0), first->start, false).value().has_value());
        std::size_t count = 1;
        auto span = first;
        while (auto next = neighbourSpan(database(), m_run, LaneId(0), span->start, true).value()) {
            QVERIFY(next->start == span->start + span->duration);
            span = next;
            ++count;
        }
        QVERIFY(span->start + span->duration == m_profile.summary().step);
        QVERIFY(count > 20);
        QVERIFY(!spanAt(database(), m_run, LaneId(0), m_profile.summary().step).value().has_value());
    }

    void idleGapsComeLongestFirst() {
        const auto gaps = idleGaps(database(), m_run).value().longest;
        QVERIFY(gaps.size() > 20);
        QVERIFY(std::is_sorted(gaps.begin(), gaps.end(), [](const SpanRecord& a, const SpanRecord& b) {
            return a.duration > b.duration;
        }));
        Cycles total;
        for (const SpanRecord& gap : gaps)
            total += gap.duration;
        Cycles expected;
        for (const Cycles cycles : m_profile.summary().idleByCause)
            expected += cycles;
        QVERIFY(total == expected);
    }

    void slotsFollowOneAnother() {
        const auto times = loadSlots(database(), m_run).value();
        QCOMPARE(times.size(), std::size_t{15});
        for (std::size_t i = 1; i < times.size(); ++i)
            QVERIFY(times[i].start == times[i - 1].end);
        QVERIFY(times.front().hasWork);
    }

    void bandsCoverTheUpdate() {
        const auto bands = loadBands(database(), m_run).value();
        QCOMPARE(bands.size(), std::size_t{3});
        QVERIFY(bands[0].band == ScheduleBand::RampUp && bands[1].band == ScheduleBand::RampDown &&
                bands[2].band == ScheduleBand::Update);
        QVERIFY(bands[0].from == Cycles() && bands[2].to == m_profile.summary().step);
        const auto times = loadSlots(database(), m_run).value();
        QVERIFY(bands[0].to == bands[1].from && bands[0].to == times[8].start);
        tests::SyntheticRun longer;
        longer.microBatches = 16;
        const auto longerBands = loadBands(database(), addRun(longer)).value();
        QCOMPARE(longerBands.size(), std::size_t{4});
        QVERIFY(longerBands[1].band == ScheduleBand::Main);
        tests::SyntheticRun sequential;
        sequential.schedule = "Sequential";
        const auto sequentialBands = loadBands(database(), addRun(sequential)).value();
        QVERIFY(sequentialBands.front().band == ScheduleBand::Whole);
    }

    void programLivenessFollowsTheStageProgram() {
        const auto rows = programLiveness(database(), m_run, IpuId(1)).value();
        QCOMPARE(rows.size(), loadLivenessSteps(database(), m_run, IpuId(1)).value().size());
        Bytes highest;
        for (const ProgramLiveness& row : rows) {
            QVERIFY(row.to > row.from);
            highest = std::max(highest, row.live);
        }
        QVERIFY(highest == m_profile.summary().memory[1].peak);
    }

    void theLivenessCurveIsTheSumOfWhatIsLive() {
        for (const IpuMemorySummary& memory : m_profile.summary().memory) {
            const LivenessCurve curve = livenessCurve(database(), m_run, memory.ipu).value();
            QVERIFY(curve.points[curve.peak.value()].live == memory.peak);
            QVERIFY(curve.alwaysLive == memory.alwaysLive && curve.limit == memory.limit);
            for (const LivenessPoint& point : curve.points)
                QVERIFY(point.unnamed == Bytes());
            const LivenessPoint& middle = curve.points[curve.points.size() / 2];
            Bytes live;
            for (const LiveRangeRecord& block : m_profile.liveRanges())
                if (block.ipu == memory.ipu &&
                    (block.alwaysLive || (block.firstStep <= middle.step && middle.step <= block.lastStep)))
                    live += block.bytes;
            QVERIFY(live == middle.live);
            const LivenessCurve coarse = livenessCurve(database(), m_run, memory.ipu, 20).value();
            QCOMPARE(coarse.points.size(), std::size_t{20});
            QVERIFY(coarse.points[coarse.peak.value()].live == memory.peak);
            QCOMPARE(coarse.stepCount, curve.stepCount);
        }
    }

    void aStageProgramIsTheSumOfItsLayers() {
        const StageSummary& stage = m_profile.summary().stages[1];
        Cycles total;
        const StageProgramMap programs = loadStagePrograms(database(), m_run).value();
        const StageProgramShares& program = programs.at({stage.stage, ProgramPhase::Backward});
        const std::vector<LayerShare>& layers = program.layers;
        for (const LayerShare& layer : layers)
            total += layer.total();
        QVERIFY(total == program.work());
        QCOMPARE((total + program.streamed).value(), stage.backward.value());
        QVERIFY(layers.front().layer > layers.back().layer);
    }

    void identicalRunsDifferInNothing() {
        const RunId twin = addRun({});
        const std::vector<RunId> runs{m_run, twin};
        const RunComparison comparison = compareRuns(database(), runs, m_run).value();
        for (const ComparedMetric& metric : comparison.metrics) {
            QVERIFY2(metric.deltas[1] == 0.0, metric.name.c_str());
            QVERIFY2(metric.relative[1] == 0.0, metric.name.c_str());
        }
        QVERIFY(std::ranges::none_of(comparison.layers, &ComparedLayer::isMoved));
        const std::vector<LayerTimes> times = compareLayers(database(), comparison).value();
        QCOMPARE(times.size(), comparison.layers.size());
        for (const LayerTimes& layer : times)
            QVERIFY(layer[0] && layer[0] == layer[1]);
        for (const ComparedFact& fact : comparison.facts)
            QVERIFY(!fact.differs());
        QVERIFY(comparison.differences[1].options.empty() && comparison.differences[1].layers.empty());
    }

    void aSlowerStageShowsInMetricsAndLayers() {
        tests::SyntheticRun slow;
        slow.firstStageScale = 1.5;
        slow.schedule = "Interleaved";
        const RunId other = addRun(slow);
        const std::vector<RunId> runs{m_run, other};
        const RunComparison comparison = compareRuns(database(), runs, m_run).value();
        const auto metric = [&](const char* name) {
            for (const ComparedMetric& m : comparison.metrics) {
                if (m.name == name)
                    return m;
            }
            return ComparedMetric{};
        };
        QVERIFY(metric("step_ns").relative[1].value() > 0);
        QVERIFY(metric("samples_per_second").deltas[1].value() < 0);
        QCOMPARE(metric("loss").deltas[1].value(), 0.0);
        std::size_t changed = 0;
        const std::vector<LayerTimes> times = compareLayers(database(), comparison).value();
        for (const LayerTimes& layer : times)
            changed += layer[0] != layer[1] ? 1 : 0;
        QVERIFY(changed > 20 && changed < comparison.layers.size() / 2);
        QVERIFY(std::any_of(comparison.facts.begin(), comparison.facts.end(), [](const ComparedFact& fact) {
            return fact.name == "schedule" && fact.differs();
        }));
        QCOMPARE(compareRuns(database(), runs, RunId(99)).error().front().code,
                 std::string("compare/baseline"));
    }

    void projectsDifferByOptionAndLayer() {
        const char* before =
            R"({"format": "x", "name": "a", "pipeline": {"schedule": "Grouped", "stages": [0, 1]},
            "replicas": null, "model": {"class_name": "Sequential", "config": {"name": "m", "layers": [
            {"class_name": "Dense", "config": {"name": "one", "units": 4}},
            {"class_name": "Dense", "config": {"name": "two", "units": 5}}]}}})";
        const char* after =
            R"({"format": "x", "name": "a", "pipeline": {"schedule": "Interleaved", "stages": [1, 1],
            "repeat_count": 2}, "model": {"class_name": "Sequential", "config": {"name": "m", "layers": [
            {"class_name": "Dense", "config": {"name": "one", "units": 8}},
            {"class_name": "Dense", "config": {"name": "three", "units": 5}}]}}})";
        const ProjectDifference difference = differenceOf(before, after);
        QVERIFY((difference.options ==
                 std::vector<OptionDifference>{{"pipeline.schedule", "\"Grouped\"", "\"Interleaved\""},
                                               {"pipeline.repeat_count", std::nullopt, "2"}}));
        QVERIFY((difference.layers ==
                 std::vector<LayerDifference>{{"one", LayerChange::Changed, "config.units", "4", "8"},
                                              {"two", LayerChange::Removed, "", "", ""},
                                              {"three", LayerChange::Added, "", "", ""}}));
        QVERIFY(!differenceOf("{", after).trouble.empty());
    }

    void theExampleQueriesOfTheReadmeAnswer() {
        const std::string readme = readFile(tests::projectRoot() / "core/profile/README.md").value();
        std::size_t count = 0;
        for (std::size_t at = readme.find("```sql\n"); at != std::string::npos;
             at = readme.find("```sql\n", at + 1)) {
            const std::size_t begin = at + 7;
            const std::string query = readme.substr(begin, readme.find("```", begin) - begin);
            const auto table = querySql(database(), query);
            QVERIFY2(table.has_value(), table ? "" : (query + table.error().front().message).c_str());
            QVERIFY2(!table->rows.empty(), query.c_str());
            ++count;
        }
        QCOMPARE(count, std::size_t{10});
    }

    void everyDocumentedViewAnswers() {
        const std::string readme = readFile(tests::projectRoot() / "core/profile/README.md").value();
        const auto views =
            querySql(database(), "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name").value();
        QVERIFY(views.rows.size() >= 19);
        for (const std::vector<SqlValue>& row : views.rows) {
            const auto& name = std::get<std::string>(row.front());
            QVERIFY2(readme.find("`" + name + "`") != std::string::npos, name.c_str());
            const bool isOfARun = !name.starts_with("v_sweep");
            const auto table =
                querySql(database(), "SELECT * FROM " + name + (isOfARun ? " WHERE run = 1" : ""));
            QVERIFY2(table.has_value(), name.c_str());
            QVERIFY2(!isOfARun || !table->rows.empty(), name.c_str());
        }
    }

    void sqlOnlyReads() {
        const auto code = [&](const char* sql) {
            const auto table = querySql(database(), sql);
            return table ? std::string("answered") : table.error().front().code;
        };
        QCOMPARE(code("SELECT 1; "), std::string("answered"));
        QCOMPARE(code("WITH t(x) AS (VALUES (1), (2)) SELECT sum(x) FROM t"), std::string("answered"));
        QCOMPARE(code("SELECT name FROM pragma_table_info('run')"), std::string("answered"));
        for (const char* sql : {"DELETE FROM run", "DROP VIEW v_run", "ATTACH 'x.db' AS x", "BEGIN",
                                "PRAGMA journal_mode = DELETE", "SELECT load_extension('x')", "VACUUM",
                                "CREATE TEMP TABLE x (a)", "INSERT INTO text (value) VALUES ('x')"})
            QVERIFY2(code(sql) == "sql/not-read-only", (sql + (": " + code(sql))).c_str());
        QCOMPARE(code("SELECT 1; SELECT 2"), std::string("sql/one-statement"));
        QCOMPARE(code(""), std::string("sql/one-statement"));
        const Diagnostic wrong = querySql(database(), "SELECT x\nFROM spans").error().front();
        QCOMPARE(wrong.code, std::string("sql/error"));
        QVERIFY(wrong.trouble == Trouble::Input);
        QCOMPARE(wrong.hints.at(0), std::string("did you mean span?"));
        QCOMPARE(querySql(database(), "SELECT 1 AS a, 2.5, NULL, 'x', x'0aff'")->rows[0],
                 (std::vector<SqlValue>{std::int64_t{1}, 2.5, std::monostate(), "x", "x'0aff'"}));
        QVERIFY(querySql(database(), "SELECT * FROM v_span", 10)->isCut);
    }

    void sqlStopsWhenAsked() {
        std::stop_source stop;
        stop.request_stop();
        const auto table = querySql(database(),
                                    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
                                    "SELECT count(*) FROM n",
                                    10, {stop.get_token(), {}});
        QVERIFY(table.error().front().trouble == Trouble::Interrupted);
    }

    void everyTableExportsAsCsv() {
        for (const std::string& name : exportTableNames()) {
            const auto table = exportTable(database(), m_run, name);
            QVERIFY2(table.has_value(), name.c_str());
            const std::string csv = toCsv(*table);
            QCOMPARE(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')),
                     table->rows.size() + 1);
        }
        QCOMPARE(toCsv({{"a", "b,c"}, {{"x\"y", std::int64_t{1}}, {std::monostate(), 0.1}}, false}),
                 std::string("a,\"b,c\"\r\n\"x\"\"y\",1\r\n,0.1\r\n"));
        const Diagnostic unknown = exportTable(database(), m_run, "span").error().front();
        QCOMPARE(unknown.hints.front(), std::string("did you mean spans?"));
    }

    void theTraceHasNoOverlapAndConnectedFlows() {
        const TraceContent content = loadTrace(database(), m_run).value();
        const std::string text = chromeTrace(content, loadTraceMemory(database(), content, m_run).value());
        const auto json = parseJson(text, "trace");
        QVERIFY2(json.has_value(), json ? "" : json.error().front().message.c_str());
        std::map<std::pair<int, int>, std::int64_t> lastEnd;
        std::map<int, std::string> flows;
        std::map<int, std::int64_t> counters;
        std::size_t slices = 0;
        const auto ns = [](const Json& value) { return std::llround(value.get<double>() * 1000); };
        for (const Json& event : (*json)["traceEvents"]) {
            const std::string phase = event["ph"];
            if (phase == "X") {
                const std::pair<int, int> thread{event["pid"], event["tid"]};
                QVERIFY(ns(event["ts"]) >= lastEnd[thread]);
                lastEnd[thread] = ns(event["ts"]) + ns(event["dur"]);
                ++slices;
            } else if (phase == "C") {
                QVERIFY(counters[event["pid"]] <= ns(event["ts"]) || event["name"] != "live");
                if (event["name"] == "live")
                    counters[event["pid"]] = ns(event["ts"]);
            } else if (phase != "M") {
                flows[event["id"]] += phase;
            }
        }
        QCOMPARE(slices, m_profile.spans().size());
        QCOMPARE(flows.size(), std::size_t{8});
        QCOMPARE(counters.size(), std::size_t{4});
        for (const auto& [microBatch, phases] : flows)
            QCOMPARE(phases, std::string("sttttttf"));
    }
};

REGISTER_TEST("queries", QueriesTest)
#include "queries_test.moc"
