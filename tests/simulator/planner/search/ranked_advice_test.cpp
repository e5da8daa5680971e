#include "simulator/planner/search/ranked_advice.h"

#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_project.h"
#include "core/project/validate.h"
#include "simulator/planner/estimate.h"
#include "simulator/planner/search/plan_search.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>

using namespace simulator;

namespace {

/// A perceptron on two IPUs with a split that a person in a hurry would leave behind.
core::Project badSplit(unsigned seed) {
    std::mt19937 engine(seed);
    core::Json arguments = core::Json::object();
    arguments["inputs"] = "512";
    arguments["hidden"] = "2048,1024,512,512,256,128";
    arguments["stages"] = "2";
    core::Project project = core::newProject("mlp", arguments, "bad").value();
    project.training.dataset.reset();
    project.training.batchSize = 8 << (engine() % 3);
    project.training.stepsPerEpoch.reset();
    project.pipeline.gradientAccumulationSteps = 8;
    project.training.stepsPerExecution = 8;
    project.pipeline.schedule = std::array{"Grouped", "Interleaved", "Sequential"}[engine() % 3];
    project.pipeline.offloadWeightUpdateVariables = engine() % 2 == 0;
    auto& stages = project.assignment.stages;
    const std::size_t cut = 1 + engine() % (stages.size() - 1);
    for (std::size_t entry = 0; entry < stages.size(); ++entry)
        stages[entry] = core::StageId(entry < cut ? 0 : 1);
    return project;
}

core::PlanEstimate estimateOf(const core::Project& project, CompilationCache& cache) {
    const auto validated = core::validate(project, core::RunMode::Train);
    if (validated)
        return estimate(*validated, cache);
    core::PlanEstimate refused;
    refused.refusal = "the project is not valid";
    return refused;
}

struct Walk {
    core::Project project;
    core::PlanEstimate last;
    int steps = 0;
};

/// Takes the first advice that keeps the training as it is, again and again.
Walk followAdvice(core::Project project, CompilationCache& cache, int most) {
    Walk walk{std::move(project), {}, 0};
    walk.last = estimateOf(walk.project, cache);
    while (walk.steps < most && walk.last.refusal.empty()) {
        const auto advice = rankedAdvice({walk.project, walk.last, {}, "p", {}}, cache);
        if (advice.empty() || advice.front().changesBatch)
            break;
        ++walk.steps;
        walk.project = advice.front().project;
        walk.last = estimateOf(walk.project, cache);
        // What was promised is what is got.
        if (walk.last.samplesPerSecond != advice.front().samplesPerSecond)
            walk.last.refusal = "advice does not hold: " + advice.front().text;
    }
    return walk;
}

} // namespace

/// The best advice taken again and again, from plans that are bad.
class RankedAdviceTest : public QObject {
    Q_OBJECT

private slots:
    void fromABadSplitItComesNearTheOptimum() {
        for (unsigned seed = 0; seed < 8; ++seed) {
            const core::Project project = badSplit(seed);
            CompilationCache cache;
            const auto best = searchPlans({.project = project,
                                           .facts = {},
                                           .file = "p",
                                           .folder = {},
                                           .ipus = project.system.ipus,
                                           .simulations = 1500},
                                          cache);
            QVERIFY(best.has_value() && !best->front.empty());
            const Walk walk = followAdvice(project, cache, 10);
            const std::string of = "seed " + std::to_string(seed) + " " + walk.last.refusal;
            QVERIFY2(walk.last.refusal.empty() && walk.last.fits, of.c_str());
            QVERIFY2(walk.last.samplesPerSecond >= 0.95 * best->front.front().samplesPerSecond, of.c_str());
        }
    }

    void whatDoesNotFitIsRepairedByWhatItNeedsAndNothingElse() {
        const auto file = core::loadProject(tests::projectRoot() / "projects/too-large/too-large.ipuproj");
        QVERIFY(file.has_value());
        const core::Project& project = file->project;
        CompilationCache cache;
        const core::PlanEstimate present = estimateOf(project, cache);
        QVERIFY(present.refusal.empty() && !present.fits);
        std::vector<Advice> early;
        const auto advice = rankedAdvice({project, present, {}, "p", {}}, cache, {},
                                         [&](const std::vector<Advice>& found) { early = found; });
        QVERIFY(!early.empty() && early.size() <= advice.size());
        std::int64_t ipus = 0;
        for (const Advice& one : advice) {
            QVERIFY(one.repairs);
            QVERIFY2(one.changesBatch || one.ipus >= ipus, one.text.c_str());
            ipus = one.changesBatch ? ipus : one.ipus;
            const core::PlanEstimate repaired = estimateOf(one.project, cache);
            QVERIFY2(repaired.refusal.empty() && repaired.fits, one.text.c_str());
            QCOMPARE(repaired.samplesPerSecond, one.samplesPerSecond);
            QCOMPARE(effectiveBatchOf(one.project) != effectiveBatchOf(project), one.changesBatch);
        }
    }

    void aPlanThatIsTooLargeIsFollowedToAGoodOne() {
        const auto file = core::loadProject(tests::projectRoot() / "projects/too-large/too-large.ipuproj");
        CompilationCache cache;
        const Walk walk = followAdvice(file->project, cache, 10);
        QVERIFY2(walk.last.refusal.empty() && walk.last.fits, walk.last.refusal.c_str());
        const auto best = searchPlans({.project = file->project,
                                       .facts = {},
                                       .file = "p",
                                       .folder = {},
                                       .ipus = walk.project.system.ipus,
                                       .simulations = 150},
                                      cache);
        QVERIFY(best.has_value());
        if (!best->front.empty())
            QVERIFY(walk.last.samplesPerSecond >= 0.95 * best->front.front().samplesPerSecond);
    }
};

REGISTER_TEST("ranked_advice", RankedAdviceTest)
#include "ranked_advice_test.moc"
