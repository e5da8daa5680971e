#include "core/project/sound_part.h"

#include "core/model/edit/graph_edit.h"
#include "core/model/graph/model_builder.h"
#include "core/project/validate.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

core::Project chain() {
    core::Project project;
    project.model = core::sequentialModel(
        "m", {8},
        {{"Dense", "a", {{"units", 4}}}, {"Dense", "b", {{"units", 4}}}, {"Dense", "c", {{"units", 2}}}});
    return project;
}

core::InvocationId callOf(const core::ModelGraph& graph, const char* name) {
    for (const core::LayerInvocation& invocation : graph.invocations) {
        if (graph.layer(invocation.layer).name == name)
            return invocation.id;
    }
    return {};
}

} // namespace

class SoundPartTest : public QObject {
    Q_OBJECT

private slots:
    void aWholeModelHasNoPartOfItsOwn() { QVERIFY(!core::soundPart(chain())); }

    void whatFollowsACutIsLeftOutAndTheRestCanBePlanned() {
        core::Project project = chain();
        project.model = core::disconnect(project.model, {callOf(project.model, "b"), 0}).value();
        QVERIFY(!core::validate(project, core::RunMode::Train));
        const auto part = core::soundPart(project);
        QVERIFY(part.has_value());
        QCOMPARE(part->leftOut, (std::vector<std::string>{"b", "c"}));
        QVERIFY(part->project.model.findLayer("a").has_value());
        QVERIFY(core::validate(part->project, core::RunMode::Train).has_value());
    }

    void stagesStayWithTheirLayers() {
        core::Project project = chain();
        project.assignment.stages = {core::StageId(0), core::StageId(1), core::StageId(1)};
        project.model = core::disconnect(project.model, {callOf(project.model, "c"), 0}).value();
        const auto part = core::soundPart(project);
        QVERIFY(part.has_value());
        QCOMPARE(part->project.assignment.stages,
                 (std::vector<core::StageId>{core::StageId(0), core::StageId(1)}));
    }

    void oneLossIsLeftWhereOutputsAreGone() {
        core::Project project = chain();
        project.model = core::setOutputs(project.model,
                                         {{callOf(project.model, "a"), 0}, {callOf(project.model, "c"), 0}})
                            .value();
        project.training.losses = {{"MeanSquaredError", core::Json::object()},
                                   {"MeanAbsoluteError", core::Json::object()}};
        project.model = core::disconnect(project.model, {callOf(project.model, "b"), 0}).value();
        const auto part = core::soundPart(project);
        QVERIFY(part.has_value());
        QCOMPARE(part->project.training.losses.size(), part->project.model.outputs.size());
    }

    void nothingSoundIsNoPart() {
        core::Project project = chain();
        project.model = core::disconnect(project.model, {callOf(project.model, "a"), 0}).value();
        QVERIFY(!core::soundPart(project));
    }
};

REGISTER_TEST("sound_part", SoundPartTest)
#include "sound_part_test.moc"
