#include "simulator/planner/search/choice_bounds.h"

#include "core/project/validate.h"
#include "simulator/planner/estimate.h"
#include "tests/simulator/planner/search/split_cases.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <random>
#include <set>

using namespace simulator;

namespace {

/// Models with branches, shared weights, statistics and large activations.
core::Project modelOf(unsigned index) {
    switch (index % 5) {
    case 0:
        return projectOf("bert", {{"layers", 2}, {"hidden", 768}, {"heads", 12}, {"sequence", 384}});
    case 1:
        return projectOf("resnet", {{"depth", 18}, {"image", 64}, {"classes", 10}});
    case 2:
        return projectOf("gpt2", {{"layers", 2},
                                  {"hidden", 128},
                                  {"heads", 4},
                                  {"vocabulary", 4000},
                                  {"sequence", 128},
                                  {"tied", false}});
    case 3:
        return projectOf("unet", {{"image", 128}, {"filters", 32}, {"depth", 2}});
    default:
        return projectOf("mlp", {{"hidden", "512,256,512,128"}});
    }
}

Ends randomEnds(std::mt19937& engine, std::size_t layers, std::size_t stages) {
    std::set<std::size_t> cuts;
    while (cuts.size() + 1 < stages)
        cuts.insert(1 + engine() % (layers - 1));
    Ends ends(cuts.begin(), cuts.end());
    ends.push_back(layers);
    return ends;
}

/// The bounds of random plans of a model beside what their simulation gives.
struct Comparison {
    int plans = 0;
    int full = 0;
    /// How much of the simulated figures the bounds reach, on average.
    double cycles = 0;
    double bytes = 0;
    std::string broken;
};

void compare(std::mt19937& engine, const PlanSearchRequest& request, const PlanChoice& choice,
             PricedChains& chains, CompilationCache& cache, Comparison& comparison) {
    const ChainTable& chain = **chains.of(choice);
    auto bounds = choiceBounds(request, chains, chain, choice);
    if (!bounds)
        return;
    const SplitSearch search(bounds->problem, bounds->slotBound);
    const Ends ends = randomEnds(engine, chain.layers(), choice.stages);
    const auto& shared = chain.bounds().sharedWeights;
    const auto project = withPlanChoice(request.project, choice, ends, shared);
    const auto validated = core::validate(project.value(), core::RunMode::Train);
    if (!validated)
        return;
    const core::PlanEstimate plan = estimateTotals(*validated, cache);
    if (!plan.refusal.empty())
        return;
    const std::vector<std::size_t> ipus = ipusOfSplit(ends, shared);
    // Which values take a shortcut on an IPU with two stages is only bounded for stages that fit.
    if (!plan.fits && bounds->problem.wraps)
        return;
    const auto step = static_cast<double>(plan.step.value());
    const auto cycles = static_cast<double>(search.cycles(ends));
    if (cycles > step + 1)
        comparison.broken += "cycles ";
    double bytes = 0;
    for (std::size_t stage = 0; stage < ends.size(); ++stage) {
        const std::int64_t least = search.stages().ipuBytes(ends, stage);
        const core::IpuEstimate& ipu = plan.ipus[ipus[stage]];
        if (least > ipu.peak.value())
            comparison.broken += "bytes ";
        bytes += static_cast<double>(least) / static_cast<double>(ipu.peak.value());
        comparison.full += ipu.worstTileBytes.value() > chains.target().memoryPerTileBytes / 2 ? 1 : 0;
    }
    ++comparison.plans;
    comparison.cycles += cycles / step;
    comparison.bytes += bytes / static_cast<double>(ends.size());
}

} // namespace

/// What the search counts on against what is simulated.
class ChoiceBoundsTest : public QObject {
    Q_OBJECT

private slots:
    void noSimulatedPlanTakesLessThanItsBound_data() {
        QTest::addColumn<unsigned>("model");
        for (unsigned model = 0; model < 5; ++model)
            QTest::addRow("model %u", model) << model;
    }

    void noSimulatedPlanTakesLessThanItsBound() {
        QFETCH(unsigned, model);
        std::mt19937 engine(model + 1);
        const core::Project project = modelOf(model);
        const PlanSearchRequest request{
            .project = project, .facts = {}, .file = "p", .folder = {}, .ipus = 8, .effectiveBatch = 96};
        PricedChains chains(request, m_cache);
        const ChainTable& chain = **chains.of({.accumulation = 2});
        const auto choices = planChoices(project, 8, 96, chain.layers(), chain.isTied());
        Comparison comparison;
        for (int attempt = 0; attempt < 300; ++attempt) {
            const PlanChoice& choice = choices[engine() % choices.size()];
            // A few sizes, so that a few chains are priced.
            if (choice.batchSize == 1 || choice.batchSize == 12 || choice.batchSize == 32)
                compare(engine, request, choice, chains, m_cache, comparison);
            QVERIFY2(comparison.broken.empty(), qPrintable(QStringLiteral("%1 of plan %2 of model %3")
                                                               .arg(QString::fromStdString(comparison.broken))
                                                               .arg(comparison.plans)
                                                               .arg(model)));
        }
        QVERIFY(comparison.plans >= 15);
        m_full += comparison.full;
        // Bounds that hold and say little are no use.
        QVERIFY2(comparison.cycles > 0.6 * comparison.plans, qPrintable(QString::number(comparison.cycles)));
        QVERIFY2(comparison.bytes > 0.6 * comparison.plans, qPrintable(QString::number(comparison.bytes)));
    }

    void someOfThePlansFillTheMemory() { QVERIFY(m_full > 5); }

private:
    CompilationCache m_cache;
    int m_full = 0;
};

REGISTER_TEST("choice_bounds", ChoiceBoundsTest)
#include "choice_bounds_test.moc"
