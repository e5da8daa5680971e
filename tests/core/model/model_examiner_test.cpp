#include "core/model/graph/model_examiner.h"

#include "tests/core/project/project_fixture.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

core::InferenceOptions runWithBatch(std::int64_t batch) {
    core::InferenceOptions options;
    options.batchSize = batch;
    options.requiresKnownShapes = true;
    return options;
}

} // namespace

class ModelExaminerTest : public QObject {
    Q_OBJECT

private slots:
    void aModelIsExaminedOncePerBatchSize() {
        core::ModelExaminer examiner(tests::pipelinedProject().model);
        const auto first = examiner.examined(runWithBatch(2));
        const auto other = examiner.examined(runWithBatch(8));
        QCOMPARE(examiner.examined(runWithBatch(2)), first);
        QVERIFY(other != first);
        QCOMPARE(first->graph->invocations.size(), first->flattened->invocations.size());
        QVERIFY(first->findings.empty());
        const auto shapeOf = [](const auto& examined) {
            return core::toText(examined->graph->invocations.back().outputs.front().shape);
        };
        QCOMPARE(shapeOf(first), std::string("(2, 4)"));
        QCOMPARE(shapeOf(other), std::string("(8, 4)"));
    }

    void whatWasExaminedOutlivesManyOthers() {
        core::ModelExaminer examiner(tests::pipelinedProject().model);
        const auto first = examiner.examined(runWithBatch(1));
        for (std::int64_t batch = 2; batch < 40; ++batch)
            (void)examiner.examined(runWithBatch(batch));
        QCOMPARE(first->flattened->assignable().size(), std::size_t(4));
        QCOMPARE(first->flattened->layers.back().path, std::string("d"));
    }

    void aBrokenStructureHasFindingsAndNoShapes() {
        core::ModelGraph model = tests::pipelinedProject().model;
        model.invocations.back().inputs.front().invocation = core::InvocationId(99);
        core::ModelExaminer examiner(std::move(model));
        const auto examined = examiner.examined(runWithBatch(2));
        QVERIFY(!examined->findings.empty());
        QVERIFY(examined->graph == nullptr);
        QVERIFY(!examined->flattened);
    }
};

REGISTER_TEST("model_examiner", ModelExaminerTest)
#include "model_examiner_test.moc"
