#include "core/profile/analysis/time_tree.h"

#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <functional>

using namespace core;

namespace {

/// Whether the children of every node add up to it, longest first.
bool addsUp(const TimeNode& node) {
    if (node.children.empty())
        return true;
    Cycles sum;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        sum += node.children[i].cycles;
        if (i > 0 && node.children[i - 1].cycles < node.children[i].cycles)
            return false;
    }
    return sum == node.cycles &&
           std::ranges::all_of(node.children, [](const TimeNode& child) { return addsUp(child); });
}

/// All time of a phase, wherever it is in the tree.
Cycles timeOf(const TimeNode& node, const std::function<bool(const TimeNode&)>& isIt) {
    if (isIt(node))
        return node.cycles;
    Cycles sum;
    for (const TimeNode& child : node.children)
        sum += timeOf(child, isIt);
    return sum;
}

} // namespace

class TimeTreeTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;

    [[nodiscard]] ProfileDatabase database() const {
        return *ProfileDatabase::open(m_runs.path(), {.access = DatabaseAccess::ReadOnly});
    }

private slots:
    void everyGroupingDividesTheSameTimeWithoutRest() {
        const RunId run = m_runs.add();
        const auto pieces = loadTimePieces(database(), run);
        QVERIFY(pieces.has_value());
        QCOMPARE(pieces->ipus, 4);
        const Cycles all = pieces->ipus * loadRun(database(), run)->step;
        const auto statistics = areaStatistics(database(), run, Cycles(), pieces->step);
        Cycles idle;
        Cycles forward;
        for (const LaneStatistics& lane : *statistics) {
            idle += lane.idle();
            forward += lane.byKind[std::size_t(SpanKind::Forward)];
        }
        for (std::size_t i = 0; i < timeGroupingCount; ++i) {
            const TimeNode root = timeTree(*pieces, TimeGrouping(i));
            QCOMPARE(root.cycles, all);
            QVERIFY(addsUp(root));
            QCOMPARE(timeOf(root, [](const TimeNode& node) { return node.level == TimeLevel::Idle; }), idle);
            QCOMPARE(timeOf(root,
                            [](const TimeNode& node) {
                                return node.level == TimeLevel::Phase && node.phase == ProgramPhase::Forward;
                            }),
                     forward);
        }
    }

    void aPartOfTheTimeIsThatOfTheLanesThere() {
        const RunId run = m_runs.add();
        const Cycles step = loadRun(database(), run)->step;
        // From the middle of an update far into the next one but one.
        const CycleRange range{Cycles(step.value() / 3), Cycles(2 * step.value() + step.value() / 5)};
        const auto pieces = loadTimePieces(database(), run, range);
        QVERIFY(pieces.has_value());
        const TimeNode root = timeTree(*pieces, TimeGrouping::Ipu);
        QCOMPARE(root.cycles, 4 * (range.to - range.from));
        QVERIFY(addsUp(root));
        const auto lanes = areaStatistics(database(), run, range.from, range.to);
        QVERIFY(lanes.has_value());
        for (const LaneStatistics& lane : *lanes) {
            const auto node = std::ranges::find(root.children, lane.ipu, &TimeNode::ipu);
            QVERIFY(node != root.children.end());
            QCOMPARE(timeOf(*node, [](const TimeNode& one) { return one.level == TimeLevel::Idle; }),
                     lane.idle());
            for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
                QCOMPARE(timeOf(*node,
                                [&](const TimeNode& one) {
                                    return one.level == TimeLevel::Cause && one.cause == IdleCause(cause);
                                }),
                         lane.idleByCause[cause]);
        }
    }

    void aProgramIsDividedByItsLayersAndOperations() {
        const RunId run = m_runs.add();
        const TimeNode root = timeTree(*loadTimePieces(database(), run), TimeGrouping::Stage);
        const auto stage = std::ranges::find_if(root.children, [](const TimeNode& node) {
            return node.level == TimeLevel::Stage && node.stage == StageId(0);
        });
        QVERIFY(stage != root.children.end());
        QVERIFY(!stage->children.empty());
        const TimeNode& phase = stage->children.front();
        QVERIFY(phase.level == TimeLevel::Phase);
        // Eight micro-batches.
        QCOMPARE(phase.times, 8);
        const TimeNode& layer = phase.children.front();
        QVERIFY(layer.level == TimeLevel::Layer);
        QVERIFY(!layer.layer.empty());
        const TimeNode& operation = layer.children.front();
        QCOMPARE(operation.operation, operation.name);
        QVERIFY(operation.children.front().level == TimeLevel::Part);
    }

    void aRunThatIsNotThereIsSaidSo() {
        m_runs.add();
        QCOMPARE(loadTimePieces(database(), RunId(99)).error().front().code, std::string("run/unknown"));
    }
};

REGISTER_TEST("time_tree", TimeTreeTest)
#include "time_tree_test.moc"
