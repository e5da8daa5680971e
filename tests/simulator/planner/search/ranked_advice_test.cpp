#include "simulator/planner/search/ranked_advice.h"

#include "core/interchange/project/project_file.h"
#include "tests/simulator/planner/search/advice_walk.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using namespace simulator;

/// What is advised where a plan does not fit.
class RankedAdviceTest : public QObject {
    Q_OBJECT

private slots:
    void whatDoesNotFitIsRepairedByWhatItNeedsAndNothingElse() {
        const auto file = core::loadProject(tests::projectRoot() / "projects/too-large/too-large.ipuproj");
        QVERIFY(file.has_value());
        const core::Project& project = file->project;
        CompilationCache cache;
        const core::PlanEstimate present = tests::estimateAnew(project, cache);
        QVERIFY(present.refusal.empty() && !present.fits);
        std::vector<Advice> early;
        const auto [advice, remedies] =
            recommend({project, present, {}, "p", {}}, cache, {},
                      [&](const Recommendations& found) { early = found.advice; });
        // What makes it fit is what lowers its peak.
        QVERIFY(!remedies.empty() && remedies.size() <= 3);
        for (const Advice& one : remedies)
            QVERIFY2(one.repairs && one.peak < core::peakOf(present), one.text.c_str());
        QVERIFY(remedies.front().project == advice.front().project);
        QVERIFY(!early.empty() && early.size() <= advice.size());
        std::int64_t ipus = 0;
        for (const Advice& one : advice) {
            QVERIFY(one.repairs);
            QVERIFY2(one.changesBatch || one.ipus >= ipus, one.text.c_str());
            ipus = one.changesBatch ? ipus : one.ipus;
            const core::PlanEstimate repaired = tests::estimateAnew(one.project, cache);
            QVERIFY2(repaired.refusal.empty() && repaired.fits, one.text.c_str());
            QCOMPARE(repaired.samplesPerSecond, one.samplesPerSecond);
            QCOMPARE(effectiveBatchOf(one.project) != effectiveBatchOf(project), one.changesBatch);
        }
    }

    void aPlanThatIsTooLargeIsFollowedToAGoodOne() {
        const auto file = core::loadProject(tests::projectRoot() / "projects/too-large/too-large.ipuproj");
        CompilationCache cache;
        const tests::AdviceWalk walk = tests::followAdvice(file->project, cache, 10);
        QVERIFY2(walk.last.refusal.empty() && walk.last.fits, walk.last.refusal.c_str());
        const auto best = searchPlans({.project = file->project,
                                       .facts = {},
                                       .file = "p",
                                       .folder = {},
                                       .ipus = walk.project.system.ipus,
                                       .simulations = 150},
                                      cache);
        QVERIFY(best.has_value() && !best->front.empty());
        QVERIFY(walk.last.samplesPerSecond >= 0.95 * best->front.front().samplesPerSecond);
    }
};

REGISTER_TEST("ranked_advice", RankedAdviceTest)
#include "ranked_advice_test.moc"
