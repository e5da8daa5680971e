#include "simulator/planner/partition_check.h"

#include "core/interchange/templates/template_project.h"
#include "core/project/validate.h"
#include "simulator/planner/estimate.h"
#include "simulator/planner/stage_plan.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using namespace simulator;

namespace {

core::Project twoStages() {
    core::Json arguments = core::Json::object();
    arguments["stages"] = "2";
    return core::newProject("mlp", arguments, "small").value();
}

/// A partition whose stages cost what the compiler says.
Partition asCompiled(const core::PlanEstimate& plan) {
    Partition partition;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        StageCost stage;
        stage.cycles = (plan.stages[i].forward + plan.stages[i].backward + plan.stages[i].recompute).value();
        stage.peakBytes = plan.ipus[i].peak.value();
        partition.stages.push_back(stage);
    }
    return partition;
}

} // namespace

/// Whether the planner's model and the compiler's agree is asked of the compiler, stage by stage.
class PartitionCheckTest : public QObject {
    Q_OBJECT

private slots:
    void agreesOnlyWhereEveryStageCostsWhatTheCompilerSays() {
        const core::Project project = twoStages();
        CompilationCache cache;
        const auto validated = core::validate(project, core::RunMode::Train);
        QVERIFY(validated.has_value());
        const core::PlanEstimate plan = estimate(*validated, cache);
        QCOMPARE(plan.stages.size(), std::size_t(2));
        const Partition same = asCompiled(plan);
        const auto compiled = compilePartition(project, same, {}, "p", {}, cache);
        QVERIFY2(compiled.has_value(), compiled ? "" : compiled.error().front().message.c_str());
        QVERIFY(compiled->agrees);
        QCOMPARE(compiled->slowestStageCycles, std::max(same.stages[0].cycles, same.stages[1].cycles));
        QCOMPARE(compiled->peakBytes, std::max(same.stages[0].peakBytes, same.stages[1].peakBytes));
        for (const int stage : {0, 1}) {
            Partition other = same;
            other.stages[std::size_t(stage)].cycles += 1;
            QVERIFY(!compilePartition(project, other, {}, "p", {}, cache)->agrees);
            other = same;
            other.stages[std::size_t(stage)].peakBytes -= 1;
            QVERIFY(!compilePartition(project, other, {}, "p", {}, cache)->agrees);
        }
    }

    void stagesThatShareAnIpuAreNotCompared() {
        core::Project project = twoStages();
        project.pipeline.schedule = "Sequential";
        project.deviceMapping.ipus = {core::IpuId(0), core::IpuId(0)};
        CompilationCache cache;
        const auto validated = core::validate(project, core::RunMode::Train);
        QVERIFY(validated.has_value());
        core::PlanEstimate plan = estimate(*validated, cache);
        QVERIFY(!plan.ipus.empty());
        plan.ipus.resize(2, plan.ipus.front());
        QVERIFY(!compilePartition(project, asCompiled(plan), {}, "p", {}, cache)->agrees);
    }

    void aPlanThatBreaksARuleIsRefused() {
        core::Project project = twoStages();
        project.pipeline.gradientAccumulationSteps = 3;
        CompilationCache cache;
        QVERIFY(!compilePartition(project, {}, {}, "p", {}, cache).has_value());
    }
};

REGISTER_TEST("partition_check", PartitionCheckTest)
#include "partition_check_test.moc"
