#include "core/config/ipu_config/ipu_config_values.h"
#include "core/model/edit/graph_edit.h"
#include "core/project/project_edit.h"
#include "tests/core/project/project_fixture.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Project;
using core::StageId;

namespace {

/// Stages of all entries as digits; "-" where unset, "" for no pipeline.
QString stagesOf(const core::Result<Project>& project) {
    if (!project)
        return QString::fromStdString(project.error().front().code);
    QString text;
    for (const StageId stage : project->assignment.stages)
        text += stage.isValid() ? QString::number(stage.index()) : "-";
    return text;
}

} // namespace

class ProjectEditTest : public QObject {
    Q_OBJECT

private slots:
    void assignsEntriesToAStage() {
        const Project project = tests::pipelinedProject();
        const std::vector<std::size_t> entries{1, 2};
        QCOMPARE(stagesOf(core::assignToStage(project, entries, StageId(1))), "0111");
        QCOMPARE(stagesOf(core::assignToStage(project, std::vector<std::size_t>{9}, StageId(1))),
                 "edit/entry");
        Project plain = project;
        plain.assignment = {};
        QCOMPARE(stagesOf(core::assignToStage(plain, std::vector<std::size_t>{3}, StageId(1))), "0001");
    }

    void assignsLayersByName() {
        const Project project = tests::sharedLayerProject();
        QCOMPARE(stagesOf(core::assignLayersToStage(project, std::vector<std::string>{"shared"}, StageId(1))),
                 "11");
        QCOMPARE(stagesOf(core::assignLayersToStage(project, std::vector<std::string>{"in"}, StageId(1))),
                 "edit/layer");
    }

    void movesACut() {
        const Project project = tests::pipelinedProject();
        QCOMPARE(stagesOf(core::moveCut(project, 0, 1)), "0111");
        QCOMPARE(stagesOf(core::moveCut(project, 0, 3)), "0001");
        QCOMPARE(stagesOf(core::moveCut(project, 0, 0)), "edit/empty-stage");
        QCOMPARE(stagesOf(core::moveCut(project, 0, 4)), "edit/empty-stage");
        QCOMPARE(stagesOf(core::moveCut(project, 1, 2)), "edit/cut");
    }

    void splitsEvenly() {
        const Project project = tests::pipelinedProject();
        QCOMPARE(stagesOf(core::splitEvenly(project, 4)), "0123");
        QCOMPARE(stagesOf(core::splitEvenly(project, 3)), "0012");
        QVERIFY(core::splitEvenly(project, 3)->system.ipus >= 4);
        QCOMPARE(stagesOf(core::splitEvenly(project, 1)), "");
        QCOMPARE(stagesOf(core::splitEvenly(project, 5)), "edit/stage-count");
    }

    void refusesWhatMakesNoSense() {
        const Project project = tests::pipelinedProject();
        QVERIFY(!core::withMicroBatches(project, 0));
        QVERIFY(!core::withReplicas(project, -1));
        QVERIFY(!core::withName(project, ""));
        core::SystemOptions system;
        system.ipus = 0;
        QVERIFY(!core::withSystem(project, system));
        QVERIFY(!core::withStages(project, tests::stages({0, 1})));
        QVERIFY(!core::withIpuOption(project, "matmuls.clear_pas_type", true));
    }

    void setsAndUnsetsAnOption() {
        const Project project = tests::pipelinedProject();
        const auto on = core::withIpuOption(project, "allow_recompute", true);
        QVERIFY(core::optionIsOn(on->ipuConfig, "allow_recompute"));
        QVERIFY(*core::withIpuOption(*on, "allow_recompute", nullptr) == project);
    }

    void letsStagesFollowTheirLayers() {
        Project project = tests::pipelinedProject();
        project.canvas.positions = {{"a", {1, 2}}, {"b", {3, 4}}};
        // c is gone, "new" is between a and b, d is called e.
        auto model = core::sequentialModel("chain", {8},
                                           {{"Dense", "a", tests::dense()},
                                            {"Dense", "new", tests::dense()},
                                            {"Dense", "b", tests::dense()},
                                            {"Dense", "e", tests::dense()}});
        const Project next = core::withModel(project, std::move(model), {{"d", "e"}, {"b", "b"}});
        QCOMPARE(stagesOf(next), "0001");
        QCOMPARE(next.canvas.positions.size(), std::size_t{2});
    }

    void aNoteIsOneForItsLayersAndFollowsThem() {
        Project project = core::withNote(tests::pipelinedProject(), {"b", "a", "b"}, "one").value();
        project = core::withNoteColour(core::withNote(project, {"a", "b"}, "two").value(), {"b", "a"}, 99);
        QCOMPARE(project.canvas.notes.size(), std::size_t{1});
        QVERIFY((project.canvas.notes[0] == core::CanvasNote{"two", {"a", "b"}, core::noteColours - 1}));
        const Project renamed = core::withLayerName(project, "a", "z").value();
        QVERIFY((renamed.canvas.notes[0].layers == std::vector<std::string>{"b", "z"}));
        QVERIFY(core::withNote(project, {"a", "b"}, "").value().canvas.notes.empty());
        QVERIFY(!core::withNote(project, {}, "x").has_value());
        QVERIFY(!core::withNote(project, {"a"}, std::string(core::longestNote + 1, 'x')).has_value());
    }

    void lockedLayersStayLockedUnderTheirNewNamesAndInTheFile() {
        const Project project =
            core::withLocks(tests::pipelinedProject(), std::vector<std::string>{"b", "c"}, true);
        QVERIFY((core::lockedLayers(project) == std::set<std::string>{"b", "c"}));
        const auto stages = core::lockedStages(project);
        QCOMPARE(stages.size(), std::size_t{4});
        QVERIFY(!stages[0] && stages[1] == 0U && stages[2] == 1U && !stages[3]);
        const auto renamed = core::withLayerName(project, "b", "new");
        QVERIFY((core::lockedLayers(*renamed) == std::set<std::string>{"c", "new"}));
        const auto removed = core::editModel(project, [](const core::ModelGraph& graph) {
            return core::removeLayers(graph, {*graph.findLayer("c")}, core::Reconnect::Yes);
        });
        QVERIFY((core::lockedLayers(*removed) == std::set<std::string>{"b"}));
        const Project open = core::withLocks(project, std::vector<std::string>{"b", "c"}, false);
        QVERIFY(open == tests::pipelinedProject());
        QVERIFY(core::lockedStages(open).empty());
    }

    void aStageHasAnIpuAndAProportionOfItsOwn() {
        const Project project = tests::pipelinedProject();
        const auto moved = core::withStageOnIpu(project, core::StageId(1), core::IpuId(0));
        QVERIFY((moved->deviceMapping.ipus == std::vector<core::IpuId>{core::IpuId(0), core::IpuId(0)}));
        const Project small = *core::withStageProportion(project, core::StageId(1), "0.2");
        QVERIFY(!core::stageProportion(small, core::StageId(0)));
        QVERIFY(core::stageProportion(small, core::StageId(1)) == "0.2");
        QCOMPARE(small.pipeline.backwardStagesPoplarOptions.size(), std::size_t{2});
        QVERIFY(*core::withStageProportion(small, core::StageId(1), std::nullopt) == project);
        for (const char* impossible : {"-1", "2", "", "half"})
            QVERIFY(!core::withStageProportion(project, core::StageId(1), impossible));
    }

    void putsANewFirstLayerOnTheStageOfItsReader() {
        auto model = core::sequentialModel(
            "chain", {8}, {{"Dense", "first", tests::dense()}, {"Dense", "c", tests::dense()}});
        QCOMPARE(stagesOf(core::withModel(tests::pipelinedProject(), std::move(model))), "11");
    }

    void delegatesEditsOfTheGraph() {
        const Project project = tests::pipelinedProject();
        const auto removed = core::editModel(project, [](const core::ModelGraph& graph) {
            return core::removeLayers(graph, {*graph.findLayer("b")}, core::Reconnect::Yes);
        });
        QCOMPARE(stagesOf(removed), "011");
        const auto renamed = core::withLayerName(project, "d", "last");
        QCOMPARE(stagesOf(renamed), "0011");
        QVERIFY(renamed->model.findLayer("last").has_value());
        QVERIFY(!core::withLayerName(project, "d", "a"));
        QVERIFY(!core::withLayerName(project, "nobody", "x"));
    }
};

REGISTER_TEST("project_edit", ProjectEditTest)
#include "project_edit_test.moc"
