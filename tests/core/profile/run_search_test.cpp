#include "core/profile/analysis/run_search.h"

#include "core/profile/queries/program_queries.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>

using namespace core;

class RunSearchTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;
    RunId m_run;

    [[nodiscard]] std::vector<SearchHit> find(std::string_view text, std::int64_t limit = 1000) const {
        return searchRun(*ProfileDatabase::open(m_runs.path(), {.access = DatabaseAccess::ReadOnly}), m_run,
                         text, limit)
            ->hits;
    }
    [[nodiscard]] static std::int64_t countOf(const std::vector<SearchHit>& hits, HitKind kind) {
        return std::ranges::count(hits, kind, &SearchHit::kind);
    }

private slots:
    void initTestCase() { m_run = m_runs.add(); }

    void aLayerIsFoundInEveryPhaseAtItsOwnCycles() {
        const auto hits = find("conv2_block1_1_conv");
        const auto database = ProfileDatabase::open(m_runs.path());
        const auto operations = *loadOperations(*database, m_run);
        int layers = 0;
        for (const SearchHit& hit : hits) {
            if (hit.kind != HitKind::Layer)
                continue;
            ++layers;
            QCOMPARE(hit.name, std::string("conv2_block1_1_conv"));
            QVERIFY(hit.span && hit.from >= hit.span->start &&
                    hit.to <= hit.span->start + hit.span->duration);
            // An independent way to the same length: its operation, of which there is one in a phase.
            const auto operation = std::ranges::find_if(operations, [&](const OperationRecord& one) {
                return one.layer == hit.layer && one.phase == *hit.phase;
            });
            QCOMPARE(hit.to - hit.from, operation->compute + operation->exchange + operation->sync);
        }
        // Forward, backward, recompute and update.
        QCOMPARE(layers, 4);
        QVERIFY(countOf(hits, HitKind::Operation) >= 4);
        QVERIFY(countOf(hits, HitKind::Tensor) >= 1);
        QVERIFY(countOf(hits, HitKind::Event) >= 1);
    }

    void moreWordsNarrowItToAPhaseOrAMicroBatch() {
        const auto hits = find("conv2_block1_1_conv B3");
        QCOMPARE(countOf(hits, HitKind::Layer), 1);
        QVERIFY(hits.front().phase == ProgramPhase::Backward);
        QCOMPARE(hits.front().span->microBatch, 3);
        QCOMPARE(countOf(hits, HitKind::Tensor), 0);
    }

    void wordsOfEventsFindEventsAlone() {
        const auto hits = find("B3");
        QCOMPARE(hits.size(), std::size_t(4));
        QCOMPARE(countOf(hits, HitKind::Event), 4);
        QVERIFY(find("nosuchthing").empty());
    }

    void blocksAreListedBySizeOnTheirIpu() {
        const auto hits = find("conv");
        Bytes last(std::numeric_limits<std::int64_t>::max());
        for (const SearchHit& hit : hits)
            if (hit.kind == HitKind::Tensor) {
                QVERIFY(hit.bytes <= last && hit.ipu.isValid());
                last = hit.bytes;
            }
    }

    void aLimitIsKeptForEachKindAndSaid() {
        const auto database = ProfileDatabase::open(m_runs.path());
        const auto cut = *searchRun(*database, m_run, "conv", 2);
        QVERIFY(cut.isCut);
        for (const HitKind kind : {HitKind::Layer, HitKind::Operation, HitKind::Event})
            QCOMPARE(countOf(cut.hits, kind), 2);
        QVERIFY(!searchRun(*database, m_run, "B3", 10)->isCut);
    }
};

REGISTER_TEST("run_search", RunSearchTest)
#include "run_search_test.moc"
