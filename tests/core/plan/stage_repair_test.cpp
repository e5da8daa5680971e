#include "core/plan/stage_repair.h"

#include "core/interchange/templates/template_project.h"
#include "core/plan/assignment_entries.h"
#include "core/project/validate.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>

using core::StageId;

namespace {

core::Project fourStages() {
    core::Json arguments = core::Json::object();
    arguments["stages"] = "4";
    return core::newProject("resnet", arguments, "net").value();
}

bool isInOrder(const core::Project& project) {
    const auto outcome = core::validateAll(project, core::RunMode::Train);
    return std::ranges::none_of(outcome.findings, [](const core::Diagnostic& finding) {
        return finding.code.starts_with("value-error/stage") || finding.code == "runtime-error/empty-stage";
    });
}

} // namespace

/// The smallest change that makes a split legal again.
class StageRepairTest : public QObject {
    Q_OBJECT

private slots:
    void aLegalSplitNeedsNone() {
        const core::Project project = fourStages();
        QVERIFY(isInOrder(project));
        QVERIFY(!core::repairStages(project.model, project.assignment));
    }

    void whatAPersonMovedStaysAndTakesAlongOnlyWhatItMust() {
        core::Project project = fourStages();
        auto& stages = project.assignment.stages;
        const auto boundary = std::size_t(std::ranges::find(stages, StageId(1)) - stages.begin());
        // Some calls before the boundary go to the next stage, and those after them would have to come too.
        const std::vector<std::size_t> moved{boundary - 12};
        stages[moved[0]] = StageId(1);
        QVERIFY(!isInOrder(project));
        const auto repair = core::repairStages(project.model, project.assignment, moved);
        QVERIFY(repair.has_value());
        QVERIFY(repair->assignment.stages[moved[0]] == StageId(1));
        QVERIFY(!repair->moved.empty() && repair->moved.size() < 12);
        core::Project mended = project;
        mended.assignment = repair->assignment;
        QVERIFY(isInOrder(mended));
        for (std::size_t entry = 0; entry < stages.size(); ++entry)
            if (!std::ranges::binary_search(repair->moved, entry))
                QVERIFY(repair->assignment.stages[entry] == stages[entry]);
    }

    void everySingleMoveIsMendedAroundIt() {
        const core::Project whole = fourStages();
        std::mt19937 engine(1);
        for (int trial = 0; trial < 40; ++trial) {
            core::Project project = whole;
            const std::size_t entry = engine() % project.assignment.stages.size();
            project.assignment.stages[entry] = StageId(engine() % 4);
            if (isInOrder(project))
                continue;
            const auto repair =
                core::repairStages(project.model, project.assignment, std::vector<std::size_t>{entry});
            QVERIFY(repair.has_value());
            core::Project mended = project;
            mended.assignment = repair->assignment;
            QVERIFY2(isInOrder(mended), std::to_string(entry).c_str());
        }
    }

    void anEmptyStageIsLeftOut() {
        core::Project project = fourStages();
        for (StageId& stage : project.assignment.stages)
            if (stage == StageId(1))
                stage = StageId(2);
        const auto repair = core::repairStages(project.model, project.assignment);
        QVERIFY(repair.has_value());
        QVERIFY(repair->moved.empty());
        QCOMPARE(repair->assignment.stageCount(), std::size_t(3));
    }

    void contradictingMovesHaveNone() {
        core::Project project = fourStages();
        project.assignment.stages.front() = StageId(3);
        project.assignment.stages.back() = StageId(0);
        const std::vector<std::size_t> both{0, project.assignment.stages.size() - 1};
        QVERIFY(!core::repairStages(project.model, project.assignment, both));
    }
};

REGISTER_TEST("stage_repair", StageRepairTest)
#include "stage_repair_test.moc"
