#include "core/interchange/templates/template_project.h"
#include "core/project/project_edit.h"
#include "tests/simulator/planner/search/advice_walk.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>

using namespace simulator;

namespace {

struct BadModel {
    const char* name;
    const char* model;
    std::vector<std::pair<const char*, const char*>> arguments;
};

const std::vector<BadModel>& badModels() {
    static const std::vector<BadModel> models{
        {"perceptron", "mlp", {{"inputs", "512"}, {"hidden", "2048,1024,512,512,256,128"}, {"stages", "2"}}},
        {"convolutions", "cnn", {{"image", "16"}, {"channels", "8"}, {"stages", "2"}}},
        {"recurrent", "lstm", {{"sequence", "8"}, {"vocabulary", "0"}, {"layers", "4"}, {"stages", "2"}}},
        {"transformer",
         "bert",
         {{"layers", "4"},
          {"hidden", "64"},
          {"heads", "2"},
          {"sequence", "16"},
          {"vocabulary", "256"},
          {"tied", "false"},
          {"stages", "4"}}},
    };
    return models;
}

/// A split that a person in a hurry would leave behind: cuts anywhere, any schedule, any micro-batch.
core::Project badSplit(const BadModel& model, unsigned seed) {
    std::mt19937 engine(seed);
    core::Json arguments = core::Json::object();
    for (const auto& [key, value] : model.arguments)
        arguments[key] = value;
    core::Project project = core::newProject(model.model, arguments, "bad").value();
    const std::size_t count = project.assignment.stageCount();
    project.training.dataset.reset();
    project.training.stepsPerEpoch.reset();
    project.training.batchSize = 4 << (engine() % 3);
    const auto steps = std::int64_t(4 * count);
    project.pipeline.gradientAccumulationSteps = steps;
    project.training.stepsPerExecution = steps;
    project.pipeline.schedule = std::array{"Grouped", "Interleaved", "Sequential"}[engine() % 3];
    project.pipeline.offloadWeightUpdateVariables = engine() % 2 == 0;
    // Each boundary somewhere between where the one before is and the end.
    const std::size_t entries = project.assignment.stages.size();
    for (std::size_t cut = 0; cut + 1 < count; ++cut) {
        for (int tries = 0; tries < 20; ++tries) {
            if (auto moved = core::moveCut(project, cut, 1 + engine() % (entries - 1))) {
                project = std::move(*moved);
                break;
            }
        }
    }
    return project;
}

} // namespace

/// The best advice taken again and again from twenty plans that are bad.
class BadSplitsTest : public QObject {
    Q_OBJECT

private slots:
    void theBestAdviceRepeatedComesNearTheOptimum_data() {
        QTest::addColumn<int>("model");
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 20; ++seed) {
            const int model = seed % int(badModels().size());
            QTest::addRow("%s %d", badModels()[std::size_t(model)].name, seed) << model << seed;
        }
    }

    void theBestAdviceRepeatedComesNearTheOptimum() {
        QFETCH(int, model);
        QFETCH(int, seed);
        const core::Project project = badSplit(badModels()[std::size_t(model)], unsigned(seed));
        CompilationCache cache;
        const tests::AdviceWalk walk = tests::followAdvice(project, cache, 10);
        QVERIFY2(walk.last.refusal.empty() && walk.last.fits, walk.last.refusal.c_str());
        const auto best = searchPlans({.project = project,
                                       .facts = {},
                                       .file = "p",
                                       .folder = {},
                                       .ipus = project.system.ipus,
                                       .simulations = 400},
                                      cache);
        QVERIFY(best.has_value() && !best->front.empty());
        const double optimum = best->front.front().samplesPerSecond;
        QVERIFY2(walk.last.samplesPerSecond >= 0.95 * optimum,
                 qPrintable(QString("%1 of %2 samples/s after %3 steps")
                                .arg(walk.last.samplesPerSecond)
                                .arg(optimum)
                                .arg(walk.steps)));
    }
};

REGISTER_TEST("bad_splits", BadSplitsTest)
#include "bad_splits_test.moc"
