#include "core/project/options/option_sections.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Json;

namespace {

core::PipelineOptions read(const char* text, core::Diagnostics& findings) {
    const Json json = Json::parse(text);
    core::ObjectReader reader(json, "p", "/pipeline", findings);
    core::Project project;
    core::readPipelineOptions(reader, project);
    reader.finish();
    return project.pipeline;
}

} // namespace

class PipelineSectionTest : public QObject {
    Q_OBJECT

private slots:
    void writesBackExactlyWhatDiffersFromTheDefaults() {
        const char* text =
            R"({"schedule":"Interleaved","recomputation_mode":"RecomputeThenBackpropagate",)"
            R"("gradient_accumulation_steps_per_replica":8,"gradient_accumulation_reduction_method":"running_mean",)"
            R"("gradient_accumulation_dtype":"float16","accumulate_outfeed_dtype":"float32","repeat_count":2,)"
            R"("batch_serialization_iterations":4,)"
            R"("forward_propagation_stages_poplar_options":[{"matmul_options":{"availableMemoryProportion":"0.3"}},{}],)"
            R"("weight_update_poplar_options":{"convolution_options":{"partialsType":"half"}},)"
            R"("replicated_optimizer_state_sharding":true,"offload_activations":false,"outfeed_loss":true,)"
            R"("outfeed_mask":[true,false]})";
        core::Diagnostics findings;
        const core::PipelineOptions options = read(text, findings);
        QVERIFY(findings.empty());
        Json written = Json::object();
        core::Project project;
        project.pipeline = options;
        core::writePipelineOptions(project, written);
        QCOMPARE(core::toText(written, -1), std::string(text));
        QCOMPARE(read(core::toText(written, -1).c_str(), findings), options);
    }

    void readsTheLongNameOfTheSchedule() {
        core::Diagnostics findings;
        QVERIFY(read(R"({"pipeline_schedule": "PipelineSchedule.Sequential"})", findings).schedule ==
                "Sequential");
        QVERIFY(findings.empty());
    }

    void readsTheReductionMethodInAnyCase() {
        core::Diagnostics findings;
        QVERIFY(read(R"({"gradient_accumulation_reduction_method": "MEAN"})", findings).reductionMethod ==
                core::ReductionMethod::Mean);
        QVERIFY(findings.empty());
    }

    void refusesWithTheKindOfErrorOfTheProgrammingSystem_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* text, const char* code) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(code);
        };
        row(R"({"schedule": "Groupped"})", "type-error/schedule");
        row(R"({"schedule": 1})", "type-error/schedule");
        row(R"({"recomputation_mode": "auto"})", "type-error/recomputation-mode");
        row(R"({"gradient_accumulation_reduction_method": "median"})", "value-error/reduction-method");
        row(R"({"gradient_accumulation_steps_per_replica": 0})",
            "value-error/gradient-accumulation-steps-per-replica");
        row(R"({"gradient_accumulation_steps_per_replica": 1000000000000})",
            "value-error/gradient-accumulation-steps-per-replica");
        row(R"({"gradient_accumulation_count": 8})", "value-error/forbidden-key");
        row(R"({"infeed_queue": {}})", "value-error/forbidden-key");
        row(R"({"gradient_accumulation_dtype": "int32"})", "type-error/data-type");
        row(R"({"forward_propagation_stages_poplar_options": {}})", "type-error/stage-options");
        row(R"({"forward_propagation_stages_poplar_options": [{"matmul": {}}]})", "project/unknown-key");
        row(R"({"schedule": "Grouped", "pipeline_schedule": "Grouped"})", "project/duplicate-key");
        row(R"({"offload_weights": "yes"})", "project/wrong-type");
        row(R"({"outfeed_mask": [1]})", "type-error/outfeed-mask");
        row(R"({"ofload_weights": true})", "project/unknown-key");
    }

    void refusesWithTheKindOfErrorOfTheProgrammingSystem() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, code);
        core::Diagnostics findings;
        (void)read(text.constData(), findings);
        QCOMPARE(findings.size(), std::size_t{1});
        QCOMPARE(findings[0].code, code.toStdString());
        QVERIFY(!findings[0].hints.empty());
    }
};

REGISTER_TEST("pipeline_section", PipelineSectionTest)
#include "pipeline_section_test.moc"
