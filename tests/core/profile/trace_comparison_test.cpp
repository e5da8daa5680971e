#include "core/profile/exports/trace_comparison.h"

#include "core/profile/exports/chrome_trace.h"
#include "core/profile/exports/perfetto_trace.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>

using namespace core;

class TraceComparisonTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;
    PerfettoContent m_content;

    [[nodiscard]] std::vector<ComparedEvents> compared(const EventTrace& trace,
                                                       EventGrouping by = EventGrouping::Name) const {
        return compareEvents(eventsOf(m_content.trace), trace, by).value();
    }

private slots:
    void initTestCase() {
        const RunId run = m_runs.add();
        const auto database = ProfileDatabase::open(m_runs.path(), {DatabaseAccess::ReadOnly}).value();
        m_content = loadPerfettoTrace(database, run, PerfettoDetail::Spans).value();
    }

    void whatIsExportedIsReadAsTheRun() {
        const EventTrace run = eventsOf(m_content.trace);
        const auto chrome =
            readEventTrace(chromeTrace(m_content.trace, m_content.memory), "run.json").value();
        const auto perfetto = readEventTrace(perfettoTrace(m_content), "run.perfetto-trace").value();
        QVERIFY(chrome.warnings.empty() && perfetto.warnings.empty());
        std::vector<EventLane> ours = run.lanes;
        std::erase_if(ours, [](const EventLane& lane) { return lane.slices.empty(); });
        QVERIFY(chrome.lanes == ours);
        // Below the replica, which has the whole update.
        QCOMPARE(perfetto.lanes.size(), ours.size() + 1);
        for (std::size_t i = 0; i < ours.size(); ++i) {
            QVERIFY(perfetto.lanes[i + 1].name.ends_with("/" + ours[i].name));
            QVERIFY(perfetto.lanes[i + 1].slices == ours[i].slices);
        }
    }

    void aRunDiffersInNothingFromItsTrace() {
        const auto trace = readEventTrace(perfettoTrace(m_content), "run.perfetto-trace").value();
        std::size_t alone = 0;
        for (const ComparedEvents& row : compared(trace)) {
            alone += row.run.count == 0 ? 1 : 0;
            QVERIFY(row.run.count == 0 || row.run == row.trace);
        }
        QCOMPARE(alone, std::size_t(1));
    }

    void aSlowerTraceIsLongerByLaneAndName() {
        EventTrace slower = eventsOf(m_content.trace);
        for (EventLane& lane : slower.lanes) {
            if (lane.name != "IPU 1/compute")
                continue;
            for (EventSlice& slice : lane.slices)
                slice.duration += slice.category == "forward" ? 1000 : 0;
            // A second update.
            const std::vector<EventSlice> once = lane.slices;
            lane.slices.insert(lane.slices.end(), once.begin(), once.end());
        }
        for (const ComparedEvents& row : compared(slower, EventGrouping::Category)) {
            const bool isSlower = row.lane == "IPU 1/compute" && row.name == "forward";
            QCOMPARE(row.trace.mean() - row.run.mean(), isSlower ? 1000.0 : 0.0);
            QCOMPARE(row.trace.count, row.run.count * (row.lane == "IPU 1/compute" ? 2 : 1));
        }
    }

    void lanesOfOtherNamesStandWhereOneSays() {
        EventTrace hardware;
        hardware.lanes = {{"device/tile program", {{"F0", "forward", 0, 5000}}},
                          {"device/host thread", {{"poll", "", 0, 7}}}};
        const std::vector<LanePair> lanes{{"device/tile program", "IPU 2/compute"}};
        const auto rows =
            compareEvents(eventsOf(m_content.trace), hardware, EventGrouping::Name, lanes).value();
        const auto first = std::ranges::find_if(
            rows, [](const ComparedEvents& row) { return row.lane == "IPU 2/compute" && row.name == "F0"; });
        QVERIFY(first != rows.end());
        QVERIFY(first->run.count == 1 && first->trace == (EventFigures{1, 5000}));
        QVERIFY(rows.back() == (ComparedEvents{"device/host thread", "poll", {}, {1, 7}}));
    }

    void aLaneThatThereIsNotIsRefusedWithTheNearest() {
        const EventTrace run = eventsOf(m_content.trace);
        const auto refused = [&](LanePair pair) {
            return compareEvents(run, run, EventGrouping::Name, std::array{std::move(pair)}).error().front();
        };
        QCOMPARE(refused({"IPU 0/computes", "IPU 0/compute"}).message,
                 std::string("the trace has no lane \"IPU 0/computes\""));
        const Diagnostic ours = refused({"IPU 0/compute", "IPU 0/Compute"});
        QCOMPARE(ours.message, std::string("the run has no lane \"IPU 0/Compute\""));
        QCOMPARE(ours.hints.front(), std::string("did you mean \"IPU 0/compute\"?"));
        QVERIFY(ours.trouble == Trouble::Usage);
    }
};

REGISTER_TEST("trace_comparison", TraceComparisonTest)
#include "trace_comparison_test.moc"
