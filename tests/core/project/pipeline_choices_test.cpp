#include "core/project/choices/pipeline_choices.h"

#include "core/project/validate.h"
#include "tests/core/project/project_fixture.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>

namespace {

bool isFound(const core::Project& project, const std::string& code) {
    const core::Diagnostics findings = core::validateAll(project, core::RunMode::Train).findings;
    return std::ranges::any_of(findings,
                               [&](const core::Diagnostic& finding) { return finding.code == code; });
}

} // namespace

class PipelineChoicesTest : public QObject {
    Q_OBJECT

private slots:
    void stagesThatShareWeightsAreOnOneIpu() {
        core::Project project = tests::sharedLayerProject();
        project.deviceMapping = {};
        QVERIFY(isFound(project, "unimplemented/shared-variable"));
        const auto together = core::withSharedWeightsTogether(project);
        QVERIFY(together.has_value());
        QCOMPARE(together->deviceMapping.ipuOf(core::StageId(0)),
                 together->deviceMapping.ipuOf(core::StageId(1)));
        QVERIFY(!isFound(*together, "unimplemented/shared-variable"));
        // The IPU that is free now makes no second replica.
        QCOMPARE(core::runFigures(*together, core::RunMode::Train, {}).replicas, std::int64_t(1));
    }

    void nothingIsMappedWhereNothingIsSharedOrSomebodyHasMapped() {
        QVERIFY(!core::withSharedWeightsTogether(tests::pipelinedProject()).has_value());
        core::Project mapped = tests::sharedLayerProject();
        mapped.deviceMapping = tests::mapping({1, 0});
        QVERIFY(!core::withSharedWeightsTogether(mapped).has_value());
        // This schedule has one IPU for each stage.
        core::Project interleaved = tests::sharedLayerProject();
        interleaved.deviceMapping = {};
        interleaved.pipeline.schedule = "Interleaved";
        QVERIFY(!core::withSharedWeightsTogether(interleaved).has_value());
    }

    void aFirstSplitBringsTheMapping() {
        core::Project whole = tests::sharedLayerProject();
        const core::StageAssignment stages = whole.assignment;
        whole.assignment = {};
        whole.deviceMapping = {};
        core::Project split = whole;
        split.assignment = stages;
        const auto needed = core::withPipelineNeeds(whole, split);
        QVERIFY(needed.has_value());
        QVERIFY(!needed->deviceMapping.ipus.empty());
        QVERIFY(!isFound(*needed, "unimplemented/shared-variable"));
    }
};

REGISTER_TEST("pipeline_choices", PipelineChoicesTest)
#include "pipeline_choices_test.moc"
