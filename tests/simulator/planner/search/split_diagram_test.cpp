#include "simulator/planner/search/split_diagram.h"

#include "simulator/planner/search/choice_bounds.h"
#include "simulator/planner/search/split_search.h"
#include "tests/simulator/planner/search/split_cases.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <limits>

using namespace simulator;

namespace {

/// Every stage that has room.
StageParts partsOf(const StageBounds& stages) {
    const std::size_t row = stages.layers() + 1;
    const std::vector<std::int64_t> limits(stages.count(), stages.problem().memoryLimit);
    StageParts parts(stages.count() * row);
    for (std::size_t stage = 0; stage < stages.count(); ++stage)
        for (std::size_t first = stage; first < (stage == 0 ? 1 : stages.lastEnd(stage)); ++first)
            for (std::size_t end = stages.firstEnd(stage, first); end <= stages.lastEnd(stage); ++end)
                if (stages.fits(stage, first, end, limits))
                    parts[stage * row + first].push_back({end, 0, 0, 0});
    return parts;
}

} // namespace

class SplitDiagramTest : public QObject {
    Q_OBJECT

private slots:
    void theBoundIsThatOfAllSplitsGoneThroughOneByOne_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<bool>("narrowMerges");
        QTest::newRow("chain") << "mlp"
                               << R"({"hidden": "512,256,2048,512,128,64,700"})" << true;
        QTest::newRow("ends on one IPU")
            << "gpt2"
            << R"({"layers": 1, "hidden": 64, "heads": 2, "vocabulary": 1000, "sequence": 32})" << false;
    }

    void theBoundIsThatOfAllSplitsGoneThroughOneByOne() {
        QFETCH(QString, name);
        QFETCH(QString, arguments);
        QFETCH(bool, narrowMerges);
        const core::Project project =
            projectOf(name.toStdString(), core::Json::parse(arguments.toStdString()));
        const PlanSearchRequest request{
            .project = project, .facts = {}, .file = "p", .folder = {}, .ipus = 4, .effectiveBatch = 48};
        CompilationCache cache;
        PricedChains chains(request, cache);
        const ChainTable& any = **chains.of({.accumulation = 2});
        int compared = 0;
        int merged = 0;
        double share = 0;
        for (const PlanChoice& choice : planChoices(project, 4, 48, any.layers(), any.isTied())) {
            if (choice.stages < 3 || choice.batchSize > 4 || choice.memoryProportion)
                continue;
            const ChainTable& chain = **chains.of(choice);
            auto bounds = choiceBounds(request, chains, chain, choice);
            if (!bounds)
                continue;
            const SplitSearch search(bounds->problem, bounds->slotBound);
            std::int64_t least = std::numeric_limits<std::int64_t>::max();
            forEachSplit(chain.layers(), choice.stages,
                         [&](const Ends& ends) { least = std::min(least, search.cycles(ends)); });
            const StageParts parts = partsOf(search.stages());
            const double limit = std::numeric_limits<double>::infinity();
            const DiagramBound wide = diagramBound({search.stages(), parts, {}, {}, limit, 100'000});
            QVERIFY(wide.isExact);
            QCOMPARE(static_cast<std::int64_t>(wide.cycles), least);
            QCOMPARE(search.cycles(wide.ends), least);
            // A narrow one may be too good, never too bad.
            const DiagramBound narrow = diagramBound({search.stages(), parts, {}, {}, limit, 1});
            QVERIFY(static_cast<std::int64_t>(narrow.cycles) <= least);
            merged += narrow.isExact ? 0 : 1;
            share += narrow.cycles / static_cast<double>(least);
            // Nothing is below the least.
            const DiagramBound none =
                diagramBound({search.stages(), parts, {}, {}, static_cast<double>(least) - 1, 100'000});
            QVERIFY(none.ends.empty());
            const DiagramBound poor = diagramBound({search.stages(), parts, {}, {}, limit, 100'000, 0, 1});
            QVERIFY(poor.ends.empty() && poor.cycles == 0 && !poor.isExact);
            ++compared;
        }
        QVERIFY2(compared > 20, qPrintable(QString::number(compared)));
        // With the first stage given, few parts of a short chain are neither better nor worse than others.
        QVERIFY(merged > 0 || !narrowMerges);
        QVERIFY2(share > 0.6 * compared, qPrintable(QString::number(share / compared)));
    }
};

REGISTER_TEST("split_diagram", SplitDiagramTest)
#include "split_diagram_test.moc"
