#include "core/model/graph/model_builder.h"
#include "core/plan/stage_summary_table.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

core::StageAssignment stages(std::initializer_list<std::size_t> numbers) {
    core::StageAssignment assignment;
    for (const std::size_t number : numbers)
        assignment.stages.emplace_back(number);
    return assignment;
}

const core::Json denseLayer = core::Json::object({{"units", 4}});

} // namespace

class StageSummaryTableTest : public QObject {
    Q_OBJECT

private slots:
    void printsASequentialModel() {
        const auto model = core::sequentialModel("sequential", {8},
                                                 {{"Flatten", "flatten"}, {"Dense", "dense", denseLayer}});
        QCOMPARE(core::stageSummaryTable(model, stages({0, 1})),
                 std::string("Model: \"sequential\"\n"
                             "____________________________________________________________\n"
                             "Layer (type)                  Pipeline Stage                \n"
                             "============================================================\n"
                             "flatten (Flatten)             0                             \n"
                             "____________________________________________________________\n"
                             "dense (Dense)                 1                             \n"
                             "============================================================\n"));
    }

    void printsAFunctionalModelWithFurtherInputsBelow() {
        core::ModelBuilder builder("model");
        const auto a = builder.input("input_a", {32});
        const auto b = builder.input("input_b", {32});
        const auto left = builder.call("Flatten", "flatten", core::Json::object(), {a});
        const auto right = builder.call("Flatten", "flatten_1", core::Json::object(), {b});
        const auto model = std::move(builder).build(
            {builder.call("Concatenate", "concatenate", core::Json::object(), {left, right})});
        QCOMPARE(
            core::stageSummaryTable(model, {}, 85),
            std::string("Model: \"model\"\n") + std::string(85, '_') + "\n" +
                "Layer (type) (node index)         Input Layers                      Pipeline Stage   \n" +
                std::string(85, '=') + "\n" +
                "flatten (Flatten) (0)             input_a                           None             \n" +
                std::string(85, '_') + "\n" +
                "flatten_1 (Flatten) (0)           input_b                           None             \n" +
                std::string(85, '_') + "\n" +
                "concatenate (Concatenate) (0)     flatten                           None             \n" +
                "                                  flatten_1                                          \n" +
                std::string(85, '=') + "\n");
    }

    void printsNestedModelsUnderTheirName() {
        core::ModelBuilder inner("inner");
        const auto x = inner.input("inner_in", {4});
        const auto innerModel = std::make_shared<const core::ModelGraph>(
            std::move(inner).build({inner.call("Dense", "p", denseLayer, {x})}));
        core::ModelBuilder outer("outer");
        const auto in = outer.input("in", {4});
        const auto first = outer.call("Dense", "a", denseLayer, {in});
        const auto model = std::move(outer).build(
            {outer.call("Dense", "b", denseLayer, {outer.callModel("inner", innerModel, {first})})});
        const std::string text = core::stageSummaryTable(model, stages({0, 0, 1}), 40);
        QCOMPARE(text, std::string() + "Model: \"outer\"\n" + std::string(40, '_') + "\n" +
                           "Layer (type) (n Input Layers    Pipeline\n" + std::string(40, '=') + "\n" +
                           "a (Dense) (0)   in              0       \n" + std::string(40, '=') + "\n" +
                           "Nested Model: \"inner\"\n" + std::string(40, '-') + "\n" +
                           "p (Dense) (0)   inner_in        0       \n" + std::string(40, '=') + "\n" +
                           "b (Dense) (0)   inner           1       \n" + std::string(40, '=') + "\n");
    }

    void cutsLongNamesAtTheirColumn() {
        const auto model = core::sequentialModel(
            "m", {8}, {{"Dense", "a_layer_with_a_name_that_is_far_too_long_for_it", denseLayer}});
        QVERIFY(core::stageSummaryTable(model, stages({3})).find("\na_layer_with_a_name_that_is_f 3 ") !=
                std::string::npos);
    }
};

REGISTER_TEST("stage_summary_table", StageSummaryTableTest)
#include "stage_summary_table_test.moc"
