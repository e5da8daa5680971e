#include "core/interchange/keras/keras_json.h"
#include "core/interchange/templates/template_catalogue.h"
#include "core/interchange/templates/template_project.h"
#include "core/model/graph/graph_structure.h"
#include "core/model/graph/model_summary.h"
#include "core/project/validate.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <set>

namespace {

using core::Json;

Json parse(const QString& text) {
    return core::parseJson(text.toStdString(), "test").value();
}

QString firstText(const core::Diagnostics& findings) {
    return findings.empty() ? QString() : QString::fromStdString(core::toText(findings.front()));
}

/// Calls per stage.
QString stageSizes(const core::Project& project) {
    std::vector<int> sizes(project.assignment.stageCount(), 0);
    for (const core::StageId stage : project.assignment.stages)
        ++sizes[stage.index()];
    QStringList texts;
    for (const int size : sizes)
        texts << QString::number(size);
    return texts.join(",");
}

QString mapping(const core::Project& project) {
    QStringList texts;
    for (const core::IpuId ipu : project.deviceMapping.ipus)
        texts << QString::number(ipu.index());
    return texts.join(",");
}

} // namespace

class TemplateCatalogueTest : public QObject {
    Q_OBJECT

private slots:
    void everyTemplateSaysWhatItTakes() {
        std::set<std::string> names;
        for (const core::ModelTemplate& entry : core::templateCatalogue()) {
            QVERIFY2(names.insert(entry.name).second, entry.name.c_str());
            QVERIFY2(entry.documentation.ends_with('.'), entry.name.c_str());
            std::set<std::string> keys;
            for (const auto& list : {entry.parameters, core::commonTemplateParameters()}) {
                for (const core::TemplateParameter& parameter : list) {
                    QVERIFY2(keys.insert(parameter.name).second, (entry.name + "." + parameter.name).c_str());
                    QVERIFY2(parameter.documentation.ends_with('.'), parameter.name.c_str());
                }
            }
        }
    }

    void everyTemplateMakesAProjectThatIsValid_data() { listTemplates(); }
    void everyTemplateMakesAProjectThatIsValid() {
        QFETCH(QString, name);
        const auto project = core::newProject(name.toStdString(), Json::object());
        QVERIFY2(project.has_value(), qPrintable(project ? QString() : firstText(project.error())));
        const core::ValidationOutcome outcome = core::validateAll(*project, core::RunMode::Train);
        QVERIFY2(!core::hasErrors(outcome.findings), qPrintable(firstText(outcome.findings)));
        QVERIFY(outcome.project.has_value());
    }

    void everyTemplateIsAKerasModel_data() { listTemplates(); }
    void everyTemplateIsAKerasModel() {
        QFETCH(QString, name);
        const auto project = core::newProject(name.toStdString(), Json::object());
        QVERIFY(core::checkStructure(project->model).empty());
        core::Diagnostics warnings;
        const auto again = core::readKerasModel(core::writeKerasModel(project->model), "", warnings);
        QVERIFY2(again.has_value(), qPrintable(again ? QString() : firstText(again.error())));
        QVERIFY2(warnings.empty(), qPrintable(firstText(warnings)));
        QVERIFY(*again == project->model);
    }

    void parametersAreThePublishedOnes_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<qint64>("parameters");
        QTest::addColumn<qint64>("trainable");
        const auto row = [](const char* name, const char* arguments, qint64 parameters, qint64 trainable) {
            QTest::addRow("%s %s", name, qPrintable(QString(arguments).simplified()))
                << QString(name) << QString(arguments) << parameters << trainable;
        };
        // keras.applications: all parameters; torchvision: trainable ones. 0: not published.
        row("resnet", R"({"depth": 50, "version": "v1"})", 25636712, 25583592);
        row("resnet", R"({"depth": 101, "version": "v1"})", 44707176, 0);
        row("resnet", R"({"depth": 152, "version": "v1"})", 60419944, 0);
        row("resnet", R"({"depth": 18})", 0, 11689512);
        row("resnet", R"({"depth": 34})", 0, 21797672);
        row("resnet", R"({"depth": 50})", 0, 25557032);
        row("resnet", R"({"depth": 101})", 0, 44549160);
        row("resnet", R"({"depth": 152})", 0, 60192808);
        // Two blocks, the first convolution and the logits: 2 · 2 · 9 · 64² + 49 · 4 · 64 + 64 · 1000 + 1000.
        row("resnet", R"({"depth": 18, "blocks": 2, "channels": 4, "norm": "none", "pooling": "max"})",
            225000, 225000);
        row("resnext", R"({"depth": 50})", 0, 25028904);
        row("resnext", R"({"depth": 101, "groups": 32, "width": 8})", 0, 88791336);
        row("vgg", R"({"depth": 16})", 138357544, 138357544);
        row("vgg", R"({"depth": 19})", 143667240, 143667240);
        row("mobilenet", R"({"version": 1})", 4253864, 4231976);
        row("mobilenet", R"({"version": 2})", 3538984, 3504872);
        row("efficientnet", R"({"size": "B0"})", 5330571, 5288548);
        row("efficientnet", R"({"size": "B1"})", 7856239, 7794184);
        row("efficientnet", R"({"size": "B2"})", 9177569, 9109994);
        row("efficientnet", R"({"size": "B3"})", 12320535, 12233232);
        row("efficientnet", R"({"size": "B4"})", 19466823, 19341616);
        row("efficientnet", R"({"size": "B5"})", 30562527, 30389784);
        row("efficientnet", R"({"size": "B6"})", 43265143, 43040704);
        row("efficientnet", R"({"size": "B7"})", 66658687, 66347960);
        row("bert", R"({"task": "encoder"})", 109482240, 109482240);
        row("bert", R"({"task": "encoder", "layers": 24, "hidden": 1024, "heads": 16})", 335141888,
            335141888);
        row("gpt2", "{}", 124439808, 124439808);
        row("gpt2", R"({"layers": 24, "hidden": 1024, "heads": 16})", 354823168, 354823168);
        row("vit", "{}", 86567656 - 768, 86567656 - 768);
        row("unet", R"({"classes": 1})", 0, 31037633);
        // In each of two blocks a key of 16 numbers for every one of 8 positions.
        constexpr const char* small = R"({"blocks": 2, "hidden": 16, "heads": 2, "intermediate": 32,
            "decoder_blocks": 0, "vocab": 20, "frames": 16, "mel": 8, "positions": "%1",
            "subsampling": "1 conv 3x3 stride 2, 4 channels"})";
        row("conformer", qPrintable(QString(small).arg("none")), 9708, 9644);
        row("conformer", qPrintable(QString(small).arg("relative")), 9708 + 2 * 8 * 16, 9644 + 2 * 8 * 16);
    }
    void parametersAreThePublishedOnes() {
        QFETCH(QString, name);
        QFETCH(QString, arguments);
        QFETCH(qint64, parameters);
        QFETCH(qint64, trainable);
        const auto project = core::newProject(name.toStdString(), parse(arguments));
        QVERIFY2(project.has_value(), qPrintable(project ? QString() : firstText(project.error())));
        const auto summary = core::summarize(project->model, 1);
        QVERIFY2(summary.has_value(), qPrintable(summary ? QString() : firstText(summary.error())));
        if (parameters != 0)
            QCOMPARE(static_cast<qint64>(summary->parameters), parameters);
        if (trainable != 0)
            QCOMPARE(static_cast<qint64>(summary->trainableParameters), trainable);
    }

    void argumentsOfMeasuredModelsAreUnderstood_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("output");
        const auto row = [](const char* name, const char* arguments, const char* output) {
            QTest::addRow("%s %s", name, qPrintable(QString(arguments).simplified()))
                << QString(name) << QString(arguments) << QString(output);
        };
        row("bert",
            R"({"layers": 24, "hidden": 1024, "heads": 16, "intermediate": 4096, "sequence": 512, "vocabulary": 30400,
                "masked_tokens": 76, "task": "pretrain"})",
            "(None, 76, 30400)");
        row("bert",
            R"({"layers": 24, "hidden": 1024, "heads": 16, "intermediate": 4096, "sequence": 128, "vocabulary": 30522,
                "micro_batch": 1, "mode": "infer", "precision": "float16", "partials": "float16",
                "available_memory_proportion": 0.6})",
            "(None, 19, 30522)");
        row("bert-tiny",
            R"({"layers": 3, "hidden": 64, "heads": 8, "sequence": 128, "vocabulary": 30522, "micro_batch": 1,
                "grad_accum": 16, "mode": "train"})",
            "(None, 19, 30522)");
        row("resnet",
            R"({"depth": 50, "image": 224, "version": "v1.5", "norm": "batch", "recompute_checkpoints":
                ["stage1/unit1", "stage3/unit4"]})",
            "(None, 1000)");
        row("efficientnet",
            R"({"size": "B4", "image": 380, "group_dim": 16, "expand_ratio": 4, "norm": "group 4 groups"})",
            "(None, 1000)");
        row("vit",
            R"({"layers": 12, "hidden": 768, "heads": 12, "intermediate": 3072, "patch": 16, "image": 224,
                "tokens": 197})",
            "(None, 1000)");
        row("conformer",
            R"({"blocks": 12, "hidden": 256, "ff": 2048, "heads": 4, "conv_kernel": 15, "decoder_blocks": 6,
                "vocab": 4233, "frames": 1220, "mel": 80, "target_tokens": 48,
                "subsampling": "2 conv 3x3 stride 2, 256 channels"})",
            "(None, 48, 4233)");
        row("small_cnn",
            R"({"layers": "conv1->5 3x3, maxpool2, conv5->12 5x5, groupnorm, relu, fc 41772->100->10", "image": 128,
                "channels": 1})",
            "(None, 10)");
    }
    void argumentsOfMeasuredModelsAreUnderstood() {
        QFETCH(QString, name);
        QFETCH(QString, arguments);
        const auto project = core::newProject(name.toStdString(), parse(arguments));
        QVERIFY2(project.has_value(), qPrintable(project ? QString() : firstText(project.error())));
        const auto summary = core::summarize(project->model, 1);
        QVERIFY2(summary.has_value(), qPrintable(summary ? QString() : firstText(summary.error())));
        QTEST(QString::fromStdString(core::toText(summary->outputShapes.front())), "output");
    }

    void splitsGiveStages_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("sizes");
        QTest::addColumn<QString>("devices");
        const auto row = [](const char* name, const char* arguments, const char* sizes, const char* devices) {
            QTest::addRow("%s %s", name, qPrintable(QString(arguments).simplified()))
                << QString(name) << QString(arguments) << QString(sizes) << QString(devices);
        };
        row("mlp", R"({"hidden": "8,8,8", "split": "1,2"})", "1,3", "");
        row("mlp", R"({"hidden": [8, 8, 8], "split": "hidden2,logits"})", "1,2,1", "");
        row("mlp", R"({"hidden": "8,8,8", "stages": 3})", "1,1,2", "");
        row("resnet", R"({"split": ["conv4_block2_add"]})", "98,76", "");
        // Tied embeddings: the heads are a stage of their own on the first IPU.
        row("bert", R"({"layers": 4, "split": "2,2", "dropout": 0})", "19,14,8", "0,1,0");
        row("bert", R"({"layers": 4, "split": "2,2", "dropout": 0, "tied": false})", "19,22", "");
        row("bert", R"({"layers": 4, "attention_split": "2,2", "ffn_split": "1,3", "dropout": 0})", "15,18,8",
            "0,1,0");
        row("gpt2", R"({"layers": 4, "split": "2,2", "tied": false, "dropout": 0})", "17,16", "");
        row("vgg", R"({"split": "block4"})", "10,12", "");
        row("mlp", R"({"hidden": [8, 8, 8], "split_after": "hidden1,hidden2"})", "1,1,2", "");
        row("mlp", R"({"hidden": [8, 8, 8], "split_after": [0, 1]})", "1,1,2", "");
        row("resnet", R"({"split_after": ["conv4_block2_add"]})", "99,75", "");
        row("bert", R"({"layers": 4, "split_after": [1], "dropout": 0, "tied": false})", "19,22", "");
        row("bert", R"({"layers": 4, "split_after": "layer1", "dropout": 0, "tied": false})", "19,22", "");
        row("cnn", R"({})", "", "");
    }
    void splitsGiveStages() {
        QFETCH(QString, name);
        QFETCH(QString, arguments);
        const auto project = core::newProject(name.toStdString(), parse(arguments));
        QVERIFY2(project.has_value(), qPrintable(project ? QString() : firstText(project.error())));
        QTEST(stageSizes(*project), "sizes");
        QTEST(mapping(*project), "devices");
        const core::ValidationOutcome outcome = core::validateAll(*project, core::RunMode::Train);
        QVERIFY2(!core::hasErrors(outcome.findings), qPrintable(firstText(outcome.findings)));
    }

    void blocksGoByTheNamesOfOtherPrograms() {
        const auto ours = core::newProject("resnet", parse(R"({"split_after": "conv3_block4"})"));
        const auto theirs = core::newProject("resnet", parse(R"({"split_after": "stage2/unit4"})"));
        const auto next = core::newProject("resnet", parse(R"({"split": "stage3/unit1"})"));
        QVERIFY(ours && theirs && next);
        QCOMPARE(theirs->assignment, ours->assignment);
        QCOMPARE(next->assignment, ours->assignment);
    }

    void withoutMaskedTokensThereIsNoMaskedLanguageModel() {
        const auto project = core::newProject("bert", parse(R"({"layers": 1, "masked_tokens": 0})"));
        QVERIFY2(project.has_value(), qPrintable(project ? QString() : firstText(project.error())));
        QCOMPARE(project->training.losses.size(), std::size_t{1});
        for (const auto& layer : project->model.layers)
            QVERIFY2(!layer.name.starts_with("masked"), layer.name.c_str());
        const core::ValidationOutcome outcome = core::validateAll(*project, core::RunMode::Train);
        QVERIFY2(outcome.project.has_value(), qPrintable(firstText(outcome.findings)));
    }

    void commonParametersReachTheProject() {
        const auto project = core::newProject(
            "bert", parse(R"({"layers": 4, "split": "2,2", "micro_batch": 3, "grad_accum": 12, "replicas": 4,
                "precision": "float16", "partials": "float16", "recompute": true, "schedule": "Grouped",
                "available_memory_proportion": [0.2, 0.3], "optimizer_state_offchip": true, "optimizer": "SGD",
                "learning_rate": 0.5})"),
            "mine");
        QVERIFY2(project.has_value(), qPrintable(project ? QString() : firstText(project.error())));
        QCOMPARE(project->name, std::string("mine"));
        QCOMPARE(project->training.batchSize, std::int64_t{3});
        QCOMPARE(*project->pipeline.gradientAccumulationSteps, std::int64_t{12});
        QCOMPARE(project->system.ipus, std::int64_t{8});
        QCOMPARE(project->training.precision, std::string("float16"));
        QVERIFY(project->ipuConfig.values.at("allow_recompute") == true);
        QCOMPARE(project->ipuConfig.values.at("matmuls.poplar_options").dump(),
                 std::string(R"({"partialsType":"half"})"));
        QCOMPARE(project->pipeline.forwardStagesPoplarOptions.size(), std::size_t{3});
        QCOMPARE(project->pipeline.forwardStagesPoplarOptions[2].matmul[0].second, std::string("0.2"));
        QCOMPARE(project->training.optimizer->className, std::string("SGD"));
        const core::ValidationOutcome outcome = core::validateAll(*project, core::RunMode::Train);
        QVERIFY2(outcome.project.has_value(), qPrintable(firstText(outcome.findings)));
        const auto inference = core::newProject("mlp", {{"mode", "infer"}});
        QVERIFY(!inference->training.optimizer.has_value());
    }

    void whatIsWrongIsNamed_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* name, const char* arguments, const char* code, const char* place) {
            QTest::addRow("%s %s", name, qPrintable(QString(arguments).simplified()))
                << QString(name) << QString(arguments) << QString(code) << QString(place);
        };
        row("resnett", "{}", "template/unknown-template", "resnett");
        row("resnet", R"({"dept": 50})", "template/unknown-key", "dept");
        row("resnet", R"({"depth": 51})", "template/value", "depth");
        row("resnet", R"({"norm": "fancy"})", "template/value", "norm");
        row("resnet", R"({"recompute_checkpoints": "stage9/unit1"})", "template/value",
            "recompute_checkpoints");
        row("bert", R"({"heads": 7})", "template/value", "heads");
        row("bert", R"({"layers": 0})", "template/value", "layers");
        row("bert", R"({"layers": 24, "split": "3,7,7,6"})", "template/value", "split");
        row("bert", R"({"split": "no_such_block"})", "template/value", "split");
        row("bert", R"({"split_after": "no_such_block"})", "template/value", "split_after");
        row("bert", R"({"layers": 4, "split_after": [9]})", "template/value", "split_after");
        row("resnet", R"({"split_after": "predictions"})", "template/value", "split_after");
        row("mlp", R"({"stages": 9})", "template/value", "stages");
        row("mlp", R"({"hidden": "a,b"})", "template/value", "hidden");
        row("vit", R"({"image": 225})", "template/value", "patch");
        row("small_cnn", R"({"layers": "magic"})", "template/value", "layers");
        row("conformer", R"({"subsampling": "none"})", "template/value", "subsampling");
        row("bert", R"({"layers": 4, "split": "2,2", "available_memory_proportion": "0.1,0.2,0.3,0.4"})",
            "template/value", "available_memory_proportion");
    }
    void whatIsWrongIsNamed() {
        QFETCH(QString, name);
        QFETCH(QString, arguments);
        const auto project = core::newProject(name.toStdString(), parse(arguments));
        QVERIFY(!project.has_value());
        QTEST(QString::fromStdString(project.error().front().code), "code");
        QTEST(QString::fromStdString(project.error().front().location.place), "place");
        QVERIFY(!project.error().front().hints.empty());
    }

private:
    static void listTemplates() {
        QTest::addColumn<QString>("name");
        for (const core::ModelTemplate& entry : core::templateCatalogue())
            QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name);
    }
};

REGISTER_TEST("template_catalogue", TemplateCatalogueTest)
#include "template_catalogue_test.moc"
