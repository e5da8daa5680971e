#include "simulator/planner/search/plan_search.h"

#include "core/interchange/templates/template_project.h"
#include "core/project/validate.h"
#include "simulator/planner/estimate.h"
#include "tests/simulator/planner/search/split_cases.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <functional>
#include <random>
#include <set>
#include <tuple>

using namespace simulator;

namespace {

/// A perceptron of random widths with what decides about plans at random too.
struct SmallProblem {
    core::Project project;
    std::int64_t ipus = 2;
    std::int64_t batch = 4;
    std::size_t layers = 2;
    std::optional<std::int64_t> memoryLimit;
};

SmallProblem smallProblem(unsigned seed) {
    std::mt19937 engine(seed);
    const auto random = [&](std::int64_t below) { return static_cast<std::int64_t>(engine() % below); };
    SmallProblem problem;
    problem.layers = static_cast<std::size_t>(2 + random(2));
    std::string hidden;
    for (std::size_t layer = 0; layer + 1 < problem.layers; ++layer)
        hidden += (layer > 0 ? "," : "") + std::to_string(16 << random(6));
    core::Json arguments = core::Json::object();
    arguments["inputs"] = std::to_string(32 << random(4));
    arguments["hidden"] = hidden;
    problem.project = core::newProject("mlp", arguments, "small").value();
    if (random(2) == 0)
        problem.project.training.optimizer = core::KerasObject{"Adam", core::Json::object()};
    problem.project.training.dataset.reset();
    problem.project.training.stepsPerEpoch.reset();
    problem.project.training.stepsPerExecution = 1;
    problem.project.pipeline.gradientAccumulationSteps.reset();
    problem.ipus = 2 + random(2);
    problem.batch = std::array{2, 4, 6, 8}[static_cast<std::size_t>(random(4))];
    if (random(3) > 0)
        problem.memoryLimit = 23'000'000 + random(4'000'000);
    return problem;
}

using Locks = std::vector<std::optional<std::size_t>>;

bool obeys(const Ends& ends, const Locks& locks) {
    for (std::size_t layer = 0; layer < locks.size(); ++layer)
        if (locks[layer] &&
            static_cast<std::size_t>(std::ranges::upper_bound(ends, layer) - ends.begin()) != *locks[layer])
            return false;
    return true;
}

/// Throughput, bytes of the fullest IPU, IPUs.
using PlanPoint = std::tuple<double, std::int64_t, std::int64_t>;

/// All plans that fit, each simulated.
std::vector<PlanPoint> allPlans(const SmallProblem& problem, const Locks& locks = {},
                                const PlanFreedom& freedom = {}) {
    std::vector<PlanPoint> points;
    CompilationCache cache;
    for (const PlanChoice& choice :
         planChoices(problem.project, problem.ipus, problem.batch, problem.layers, false))
        forEachSplit(problem.layers, choice.stages, [&](const Ends& ends) {
            if (!keeps(choice, freedom, problem.project) || !obeys(ends, locks))
                return;
            const auto project = withPlanChoice(problem.project, choice, ends, {});
            const auto validated = core::validate(project.value(), core::RunMode::Train);
            if (!validated)
                return;
            const core::PlanEstimate plan = estimateTotals(*validated, cache);
            const auto exceeds = [&](const core::IpuEstimate& ipu) {
                return problem.memoryLimit && ipu.peak.value() > *problem.memoryLimit;
            };
            if (!plan.refusal.empty() || !plan.fits || std::ranges::any_of(plan.ipus, exceeds))
                return;
            core::Bytes peak;
            for (const core::IpuEstimate& ipu : plan.ipus)
                peak = std::max(peak, ipu.peak);
            points.emplace_back(plan.samplesPerSecond, peak.value(),
                                validated->ipusPerReplica() * validated->replicas());
        });
    return points;
}

/// The best of them; 0 where none fits.
double bestOf(const std::vector<PlanPoint>& points) {
    double best = 0;
    for (const PlanPoint& point : points)
        best = std::max(best, std::get<0>(point));
    return best;
}
double bestOfAll(const SmallProblem& problem, const Locks& locks = {}, const PlanFreedom& freedom = {}) {
    return bestOf(allPlans(problem, locks, freedom));
}

/// Those that no other one matches in all three.
std::set<PlanPoint> frontOf(const std::vector<PlanPoint>& points) {
    std::set<PlanPoint> front;
    for (const PlanPoint& point : points)
        if (std::ranges::none_of(points, [&](const PlanPoint& other) {
                return other != point && std::get<0>(other) >= std::get<0>(point) &&
                       std::get<1>(other) <= std::get<1>(point) && std::get<2>(other) <= std::get<2>(point);
            }))
            front.insert(point);
    return front;
}

PlanSearchRequest requestOf(const SmallProblem& problem) {
    return {.project = problem.project,
            .facts = {},
            .file = "p",
            .folder = {},
            .ipus = problem.ipus,
            .effectiveBatch = problem.batch,
            .memoryLimit = problem.memoryLimit,
            .simulations = 100'000};
}

} // namespace

/// The search over everything against the enumeration of everything.
class PlanSearchTest : public QObject {
    Q_OBJECT

private slots:
    void findsWhatEnumerationFindsAndProvesIt() {
        std::size_t limited = 0;
        std::size_t points = 0;
        for (unsigned seed = 0; seed < 50; ++seed) {
            const SmallProblem problem = smallProblem(seed);
            CompilationCache cache;
            const auto outcome = searchPlans(requestOf(problem), cache);
            QVERIFY(outcome.has_value());
            const std::vector<PlanPoint> all = allPlans(problem);
            const double best = bestOf(all);
            const std::string of = "seed " + std::to_string(seed);
            std::set<PlanPoint> front;
            for (const SearchedPlan& plan : outcome->front)
                front.emplace(plan.samplesPerSecond, plan.peak.value(), plan.ipus);
            QVERIFY2(outcome->isFrontWhole, of.c_str());
            QVERIFY2(front == frontOf(all), of.c_str());
            points += front.size();
            if (outcome->front.empty()) {
                QVERIFY2(best == 0, of.c_str());
                QVERIFY2(outcome->bound == 0, of.c_str());
                ++limited;
                continue;
            }
            QVERIFY2(outcome->isProven, of.c_str());
            QVERIFY2(outcome->front.front().samplesPerSecond == best, of.c_str());
            QCOMPARE(outcome->bound, best);
        }
        QVERIFY2(limited < 25, "the limits leave something to find");
        QVERIFY2(points > 100, std::to_string(points).c_str());
    }

    /// A perceptron is fastest with all of its samples at once.
    void takesMicroBatchesAsLargeAsTheyFit() {
        SmallProblem problem = smallProblem(3);
        problem.batch = 1024;
        problem.memoryLimit.reset();
        CompilationCache cache;
        // As many as by default: the whole front of so many micro-batches is not what is asked.
        PlanSearchRequest request = requestOf(problem);
        request.simulations = 400;
        const auto outcome = searchPlans(request, cache);
        QVERIFY(outcome.has_value() && outcome->isProven && !outcome->front.empty());
        QVERIFY(outcome->front.front().choice.batchSize > 32);
        QCOMPARE(outcome->front.front().samplesPerSecond, bestOfAll(problem));
    }

    void offloadsNoActivationsWhereNoneWait() {
        std::size_t plans = 0;
        for (unsigned seed = 0; seed < 10; ++seed) {
            const SmallProblem problem = smallProblem(seed);
            CompilationCache cache;
            PlanSearchRequest request = requestOf(problem);
            bool isIdle = false;
            request.found = [&](const SearchedPlan& plan) {
                ++plans;
                isIdle = isIdle || (plan.choice.accumulation == 1 && plan.choice.offload.activations);
            };
            QVERIFY(searchPlans(request, cache).has_value());
            QVERIFY2(!isIdle, std::to_string(seed).c_str());
        }
        QVERIFY(plans > 10);
    }

    void everyPlanOfTheFrontIsWhatItsProjectGives() {
        const SmallProblem problem = smallProblem(3);
        CompilationCache cache;
        const auto outcome = searchPlans(requestOf(problem), cache);
        QVERIFY(outcome.has_value() && !outcome->front.empty());
        double before = std::numeric_limits<double>::infinity();
        for (const SearchedPlan& plan : outcome->front) {
            CompilationCache fresh;
            const auto validated = core::validate(plan.project, core::RunMode::Train);
            QVERIFY(validated.has_value());
            const core::PlanEstimate estimate = simulator::estimate(*validated, fresh);
            QCOMPARE(estimate.samplesPerSecond, plan.samplesPerSecond);
            QCOMPARE(estimate.step.value(), plan.step.value());
            QCOMPARE(validated->effectiveBatch(), problem.batch);
            QCOMPARE(validated->ipusPerReplica() * validated->replicas(), plan.ipus);
            QVERIFY(plan.ipus <= problem.ipus);
            QVERIFY(plan.samplesPerSecond <= before);
            before = plan.samplesPerSecond;
        }
    }

    void aSearchThatMaySimulateOnePlanSaysTheGap() {
        const SmallProblem problem = smallProblem(3);
        PlanSearchRequest request = requestOf(problem);
        CompilationCache cache;
        const auto whole = searchPlans(request, cache);
        request.simulations = 1;
        const auto cut = searchPlans(request, cache);
        QVERIFY(whole.has_value() && cut.has_value());
        QVERIFY(!cut->isCut);
        QVERIFY(cut->bound >= whole->bound);
        QVERIFY(cut->isProven || cut->gap > 0);
    }

    void aLockedLayerStaysOnItsStageAndTheRestIsStillTheBest() {
        std::size_t found = 0;
        for (unsigned seed = 0; seed < 20; ++seed) {
            const SmallProblem problem = smallProblem(seed);
            PlanSearchRequest request = requestOf(problem);
            request.locks.assign(problem.layers, std::nullopt);
            request.locks[seed % problem.layers] = seed % 3;
            CompilationCache cache;
            const auto outcome = searchPlans(request, cache);
            QVERIFY(outcome.has_value());
            const double best = bestOfAll(problem, request.locks);
            const std::string of = "seed " + std::to_string(seed);
            QVERIFY2(outcome->front.empty() == (best == 0), of.c_str());
            if (outcome->front.empty())
                continue;
            ++found;
            QVERIFY2(outcome->isProven, of.c_str());
            QCOMPARE(outcome->front.front().samplesPerSecond, best);
            for (const SearchedPlan& plan : outcome->front)
                QVERIFY2(obeys(plan.ends, request.locks), of.c_str());
        }
        QVERIFY(found > 5);
    }

    void whatMayNotChangeStays() {
        for (unsigned seed = 0; seed < 10; ++seed) {
            const SmallProblem problem = smallProblem(seed);
            PlanSearchRequest request = requestOf(problem);
            request.freedom.recompute = false;
            request.freedom.offload = false;
            request.freedom.schedule = seed % 2 == 0;
            request.freedom.memoryProportion = false;
            CompilationCache cache;
            std::size_t told = 0;
            request.found = [&](const SearchedPlan& plan) {
                told += keeps(plan.choice, request.freedom, problem.project) ? 1 : 1000;
            };
            const auto outcome = searchPlans(request, cache);
            QVERIFY(outcome.has_value());
            QVERIFY(told >= outcome->front.size() && told < 1000);
            const double best = bestOfAll(problem, {}, request.freedom);
            QCOMPARE(outcome->front.empty() ? 0 : outcome->front.front().samplesPerSecond, best);
        }
    }

    void sharedWeightsBringStagesToOneIpu() {
        const std::pair<std::size_t, std::size_t> shared[]{{0, 5}};
        const Ends ends{2, 4, 6};
        QCOMPARE(ipusOfSplit(ends, shared), (std::vector<std::size_t>{0, 1, 0}));
        QCOMPARE(ipusOfSplit(ends, {}), (std::vector<std::size_t>{0, 1, 2}));
    }
};

REGISTER_TEST("plan_search", PlanSearchTest)
#include "plan_search_test.moc"
