#include "core/model/graph/model_builder.h"
#include "core/model/graph/model_summary.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

using core::TensorRef;

core::ModelGraph mlp() {
    return core::sequentialModel("mnist", {28, 28},
                                 {{"Flatten", "flatten"},
                                  {"Dense", "dense256", {{"units", 256}, {"activation", "relu"}}},
                                  {"Dense", "dense10", {{"units", 10}}}});
}

} // namespace

class ModelSummaryTest : public QObject {
    Q_OBJECT

private slots:
    void aRowReadsAsTheContractSays() {
        const auto summary = core::summarize(mlp(), 32);
        const std::vector<std::int64_t> stages{0, 0, 1};
        const core::Json json = core::toJson(*summary, stages);
        QCOMPARE(json["layers"][2].dump(),
                 std::string(R"({"index":2,"name":"dense256","class_name":"Dense","output_shape":[null,256],)"
                             R"("parameters":200960,"trainable_parameters":200960,"flops_forward":401408,)"
                             R"("activation_bytes":32768,"inbound":["flatten"],"stage":0})"));
        QVERIFY(json["layers"][0]["stage"].is_null());
        QCOMPARE(json["total_parameters"].get<std::int64_t>(), std::int64_t{203530});
        QCOMPARE(json["layer_count"].get<int>(), 4);
        QCOMPARE(json["output_shapes"].dump(), std::string("[[null,10]]"));
        QCOMPARE(json["stage_assignment"][2].dump(),
                 std::string(R"({"invocation":2,"layer":"dense10","call":0,"stage":1})"));
    }

    void sharedLayersCountOnceAndTheirWorkTwice() {
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {8});
        const TensorRef a = builder.call("Dense", "shared", {{"units", 8}}, {x});
        const TensorRef b = builder.callAgain("shared", {a});
        const auto summary = core::summarize(std::move(builder).build({b}), 1);
        QCOMPARE(summary->parameters, std::int64_t{72});
        QCOMPARE(*summary->layers[1].flops, std::int64_t{256});
        QCOMPARE(*summary->layers[1].activationBytes, std::int64_t{64});
        QCOMPARE(summary->assignable.size(), std::size_t{2});
        QCOMPARE(summary->assignable[1].inbound.front(), std::string("shared"));
    }

    void aNestedModelRepeatsTheSumOfItsRows() {
        core::ModelBuilder builder("outer");
        const TensorRef x = builder.input("x", {28, 28});
        core::ModelGraph inner = mlp();
        const TensorRef y = builder.callModel("inner", std::make_shared<const core::ModelGraph>(inner), {x});
        const TensorRef z = builder.call("Softmax", "p", {}, {y});
        const auto summary = core::summarize(std::move(builder).build({z}), 1);
        const core::LayerSummary& row = summary->layers[1];
        QCOMPARE(row.className, std::string("Sequential"));
        QCOMPARE(row.parameters, std::int64_t{203530});
        QCOMPARE(row.layers.size(), std::size_t{4});
        QCOMPARE(core::toJson(row.layers[0].outputShapes.at(0)).dump(), std::string("[null,28,28]"));
        QCOMPARE(core::toJson(row.outputShapes.at(0)).dump(), std::string("[null,10]"));
        QCOMPARE(summary->parameters, std::int64_t{203530});
        const std::vector<std::int64_t> stages{0, 1, 1, 1};
        const core::Json json = core::toJson(*summary, stages);
        QVERIFY(json["layers"][1]["stage"].is_null());
        QCOMPARE(json["layers"][1]["layers"][2]["stage"].get<int>(), 1);
    }

    void freeExtentsGiveNoSizes() {
        const core::ModelGraph model = core::sequentialModel(
            "m", {std::nullopt, std::nullopt, 3}, {{"Conv2D", "c", {{"filters", 4}, {"kernel_size", 3}}}});
        const core::Json json = core::toJson(*core::summarize(model, 8));
        QVERIFY(json["layers"][1]["flops_forward"].is_null());
        QVERIFY(json["layers"][1]["activation_bytes"].is_null());
        QCOMPARE(json["total_parameters"].get<int>(), 112);
    }
};

REGISTER_TEST("model_summary", ModelSummaryTest)
#include "model_summary_test.moc"
