#include "views/inspector/inspector_view.h"

#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "core/project/choices/muted_layers.h"
#include "core/project/project_edit.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/document/layer_drag.h"
#include "views/inspector/form/fact_list.h"
#include "views/inspector/form/property_form.h"
#include "views/inspector/layer_palette.h"
#include "views/inspector/option_view.h"
#include "views/inspector/project_tree.h"
#include "views/inspector/setting_rows.h"
#include "views/inspector/setting_view.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QTreeView>
#include <QtTest/QTest>

using namespace views;

namespace {

core::Project mnist() {
    core::Project project;
    project.name = "mnist";
    project.model = core::sequentialModel("mnist", {28, 28, 1},
                                          {{"Conv2D", "conv", {{"filters", 8}, {"kernel_size", {3, 3}}}},
                                           {"Flatten", "flatten"},
                                           {"Dense", "hidden", {{"units", 64}, {"activation", "relu"}}},
                                           {"Dense", "logits", {{"units", 10}}}});
    project.assignment.stages = {core::StageId(0), core::StageId(0), core::StageId(1), core::StageId(1)};
    project.pipeline.gradientAccumulationSteps = 8;
    project.system.ipus = 2;
    return project;
}

struct Fixture {
    Document document;
    Selection selection;

    Fixture() {
        QObject::connect(&document, &Document::projectChanged, &document, [this] {
            const core::InferredModel inferred = core::inferKnownShapes(document.project().model, {});
            document.setAnalysis(document.snapshot(),
                                 {std::make_shared<core::TypedGraph>(inferred.graph), inferred.findings});
        });
        document.open(mnist(), {});
    }
    const core::Json& config(const std::string& layer) {
        const core::ModelGraph& model = document.project().model;
        return model.layer(*model.findLayer(layer)).config;
    }
};

void keep(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
    QApplication::processEvents();
    QApplication::processEvents();
    if (!folder.isEmpty())
        widget.grab().save(folder + "/" + name + ".png");
}

void type(QWidget* editor, const QString& text) {
    auto* field = qobject_cast<QLineEdit*>(editor);
    QVERIFY(field != nullptr);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
}

} // namespace

class InspectorViewTest : public QObject {
    Q_OBJECT

private slots:
    void init() { applyTheme(*qApp, Theme(ThemeKind::Light)); }

    void nothingSelectedSaysSo() {
        Fixture f;
        InspectorView view(f.document, f.selection);
        view.resize(280, 700);
        view.show();
        QVERIFY(view.form().row("units") == nullptr);
        keep(view, "inspector-empty");
    }

    void typingAnAttributeChangesTheLayer() {
        Fixture f;
        InspectorView view(f.document, f.selection);
        view.resize(280, 720);
        view.show();
        f.selection.selectLayer("hidden");
        type(view.form().row("units")->editor(), "128");
        QVERIFY(f.config("hidden")["units"] == core::Json(128));
        QCOMPARE(f.document.undoStack().count(), 1);
        QCOMPARE(f.document.undoStack().undoText(), "Set units of hidden");
        f.document.undoStack().undo();
        QVERIFY(f.config("hidden")["units"] == core::Json(64));
        QCOMPARE(qobject_cast<QLineEdit*>(view.form().row("units")->editor())->text(), "64");
    }

    void aBypassedLayerSaysWhatItWasAndIsNotChanged() {
        Fixture f;
        InspectorView view(f.document, f.selection);
        view.resize(320, 600);
        view.show();
        f.document.apply("Bypass", [](const core::Project& project) {
            const std::vector<std::string> layers{"hidden"};
            return core::withMuted(project, layers, true);
        });
        f.selection.selectInvocation({"hidden", 0});
        QCoreApplication::processEvents();
        QStringList texts;
        for (const QLabel* label : view.findChildren<QLabel*>()) {
            if (label->isVisible())
                texts.append(label->text());
        }
        QVERIFY(texts.contains("Dense, bypassed"));
        QVERIFY(texts.join(u' ').contains("Press M"));
        QVERIFY(!texts.contains("activation"));
        QVERIFY(!texts.contains("units"));
    }

    void aNodeOfOnnxShowsItsOperatorAndIsChanged() {
        Fixture f;
        core::Project project = mnist();
        project.model = core::sequentialModel(
            "onnx", {8},
            {{"OnnxNode",
              "pad",
              {{"op_type", "Pad"},
               {"opset", 13},
               {"attributes", {{"mode", "reflect"}}},
               {"operands", {0, {{"type", "int64"}, {"shape", {4}}, {"values", {0, 1, 0, 1}}}}}}}});
        project.assignment.stages.clear();
        f.document.open(project, {});
        InspectorView view(f.document, f.selection);
        view.resize(280, 720);
        view.show();
        f.selection.selectLayer("pad");
        QCOMPARE(qobject_cast<QLineEdit*>(view.form().row("op_type")->editor())->text(), "Pad");
        type(view.form().row("attributes")->editor(), R"({"mode": "edge"})");
        QVERIFY(f.config("pad")["attributes"] == (core::Json{{"mode", "edge"}}));
        QVERIFY(f.document.analysis().diagnostics.empty());
        // What it cannot compute is a finding of the layer.
        type(view.form().row("op_type")->editor(), "Loop");
        QCOMPARE(f.document.analysis().diagnostics.size(), std::size_t{1});
        QVERIFY(f.document.analysis().diagnostics.front().message.find("Loop") != std::string::npos);
        f.document.undoStack().undo();
        QVERIFY(f.document.analysis().diagnostics.empty());
        keep(view, "inspector-onnx-node");
    }

    void rowsOfAClassComeBackWithTheValuesOfTheNextLayer() {
        Fixture f;
        InspectorView view(f.document, f.selection);
        view.resize(280, 720);
        view.show();
        f.selection.selectLayer("hidden");
        PropertyRow* const units = view.form().row("units");
        QTest::keyClicks(units->editor(), "7 or so");
        QTest::keyClick(units->editor(), Qt::Key_Return);
        f.selection.selectLayer("conv");
        QVERIFY(view.form().row("units") == nullptr);
        QVERIFY(view.form().row("filters")->isVisible());
        QVERIFY(!units->isVisible());
        f.selection.selectLayer("logits");
        QCOMPARE(view.form().row("units"), units);
        QVERIFY(units->isVisible() && !view.form().row("filters"));
        QCOMPARE(qobject_cast<QLineEdit*>(units->editor())->text(), "10");
        type(units->editor(), "12");
        QVERIFY(f.config("logits")["units"] == core::Json(12));
        QVERIFY(f.config("hidden")["units"] == core::Json(64));
    }

    void anOpaqueLayerIsDeclaredInItsFields() {
        Fixture f;
        InspectorView view(f.document, f.selection);
        view.resize(280, 720);
        view.show();
        const core::TensorRef hidden{core::InvocationId(3), 0};
        QVERIFY(f.document.apply(
            "add", [&](const core::Project& project) { return core::withOpaqueLayer(project, {hidden}); }));
        const auto declared = [&]() -> const core::OpaqueLayer& {
            return f.document.project().opaqueLayers.begin()->second;
        };
        const std::string name = f.document.project().opaqueLayers.begin()->first;
        f.selection.selectLayer(name);
        PropertyRow* const shape = view.form().row("opaque.output_shape");
        QVERIFY(shape != nullptr && shape->isVisible());
        QCOMPARE(qobject_cast<QLineEdit*>(shape->editor())->text(), "64"); // what it reads
        type(shape->editor(), "8 × 4");
        QVERIFY((declared().outputShape.dimensions == std::vector<core::Dimension>{{}, 8, 4}));
        type(view.form().row("opaque.parameters")->editor(), "1000");
        type(view.form().row("opaque.flops")->editor(), "250000");
        QCOMPARE(declared().parameters, std::int64_t(1000));
        QCOMPARE(declared().flops, std::int64_t(250000));
        type(view.form().row("opaque.output_shape")->editor(), "0");
        QVERIFY(declared().outputShape.dimensions.size() == 3);
        keep(view, "inspector-opaque");
        f.document.undoStack().undo();
        QCOMPARE(declared().flops, std::int64_t(0));
    }

    void aWrongValueIsRefusedInPlaceAndTheProjectStays() {
        Fixture f;
        InspectorView view(f.document, f.selection);
        view.resize(280, 720);
        view.show();
        f.selection.selectLayer("hidden");
        QWidget* editor = view.form().row("units")->editor();
        for (const char* wrong : {"many", "-3", "2.5"}) {
            type(editor, wrong);
            QVERIFY(editor->property("invalid").toBool());
            QVERIFY(!f.document.undoStack().canUndo());
        }
        keep(view, "inspector-refusal");
        type(editor, "32");
        QVERIFY(!editor->property("invalid").toBool());
    }

    void severalLayersOfOneClassAreChangedTogether() {
        Fixture f;
        InspectorView view(f.document, f.selection);
        view.resize(280, 720);
        view.show();
        f.selection.selectInvocations({{"hidden", 0}, {"logits", 0}});
        PropertyRow* row = view.form().row("units");
        QVERIFY(row->property().isMixed);
        type(row->editor(), "16");
        QVERIFY(f.config("hidden")["units"] == core::Json(16));
        QVERIFY(f.config("logits")["units"] == core::Json(16));
        QCOMPARE(f.document.undoStack().count(), 1);
    }

    void layersOfSeveralClassesShowSumsAndWhatTheyShare() {
        Fixture f;
        InspectorView view(f.document, f.selection);
        view.resize(280, 720);
        view.show();
        f.selection.selectInvocations({{"flatten", 0}, {"hidden", 0}, {"logits", 0}});
        // 26 · 26 · 8 numbers into 64 units, and 64 into 10, each with its biases.
        const std::int64_t hidden = 26 * 26 * 8 * 64 + 64;
        const std::int64_t logits = 64 * 10 + 10;
        QString parameters;
        QString range;
        for (const FactList* list : view.findChildren<FactList*>()) {
            for (const Fact& fact : list->facts()) {
                if (fact.name == "Parameters") {
                    parameters = fact.value;
                    range = fact.formula;
                }
            }
        }
        QCOMPARE(parameters, groupedText(hidden + logits));
        QVERIFY(range.contains("least: flatten") && range.contains("most: hidden"));
        const auto labels = view.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text() == QString::fromUtf8("2 × Dense, Flatten");
        }));
        PropertyRow* row = view.form().row("trainable");
        QVERIFY(row != nullptr);
        keep(view, "inspector-several-classes");
        QTest::mouseClick(row->editor(), Qt::LeftButton, {}, QPoint(8, row->editor()->height() / 2));
        for (const char* name : {"flatten", "hidden", "logits"})
            QVERIFY2(f.config(name)["trainable"] == core::Json(false), name);
        QCOMPARE(f.document.undoStack().count(), 1);
    }

    void theFlopsOfADenseLayerExplainThemselves() {
        Fixture f;
        InspectorView view(f.document, f.selection);
        view.resize(280, 720);
        view.show();
        f.selection.selectLayer("logits");
        bool isExplained = false;
        for (const FactList* list : view.findChildren<FactList*>()) {
            for (const Fact& fact : list->facts())
                isExplained = isExplained || fact.formula.startsWith("2 · 1 · 64 · 10");
        }
        // A free batch axis has no arithmetic; with the batch size of a run it has.
        const core::InferenceOptions options{.batchSize = 1, .opaqueLayers = {}, .precision = {}, .file = {}};
        f.document.setAnalysis(f.document.snapshot(),
                               {std::make_shared<core::TypedGraph>(
                                    core::inferKnownShapes(f.document.project().model, options).graph),
                                {}});
        for (const FactList* list : view.findChildren<FactList*>()) {
            for (const Fact& fact : list->facts())
                isExplained = isExplained || fact.formula.startsWith("2 · 1 · 64 · 10");
        }
        QVERIFY(isExplained);
        keep(view, "inspector-light");
    }

    void attentionNamesWhatItsWeightsAreOf() {
        Fixture f;
        core::ModelBuilder builder("attention");
        const auto in = builder.input("in", {16, 32});
        core::Project project;
        project.model = std::move(builder).build(
            {builder.call("MultiHeadAttention", "mha", {{"num_heads", 2}, {"key_dim", 16}}, {in, in})});
        f.document.open(project, {});
        InspectorView view(f.document, f.selection);
        view.resize(280, 720);
        view.show();
        f.selection.selectLayer("mha");
        QStringList names;
        for (const FactList* list : view.findChildren<FactList*>())
            for (const Fact& fact : list->facts())
                names << fact.name;
        for (const char* name : {"query/kernel", "key/bias", "value/kernel"})
            QVERIFY2(names.contains(name), qPrintable(names.join(", ")));
        QVERIFY(!names.contains("kernel"));
        f.document.open(mnist(), {});
        f.selection.selectLayer("logits");
        QCoreApplication::processEvents();
        names.clear();
        for (const FactList* list : view.findChildren<FactList*>())
            for (const Fact& fact : list->facts())
                names << fact.name;
        QVERIFY2(names.contains("kernel"), qPrintable(names.join(", ")));
    }

    void aPipelineThatIsStartedHereCanRun() {
        Fixture f;
        core::Project project = mnist();
        project.assignment = {};
        project.pipeline.gradientAccumulationSteps.reset();
        project.system.ipus = 1;
        f.document.open(project, {});
        InspectorView view(f.document, f.selection);
        view.resize(280, 720);
        view.show();
        f.selection.selectLayer("logits");
        for (QComboBox* box : view.findChildren<QComboBox*>())
            if (box->accessibleName() == "Stage")
                emit box->activated(0);
        const core::Project& split = f.document.project();
        QCOMPARE(split.assignment.stageCount(), std::size_t(2));
        QCOMPARE(split.system.ipus, std::int64_t(2));
        QCOMPARE(split.pipeline.gradientAccumulationSteps, std::optional<std::int64_t>(4));
        QCOMPARE(split.training.stepsPerExecution, std::int64_t(4));
        QCOMPARE(f.document.undoStack().count(), 1);
    }

    void anInputIsOfTheColumnThatCountsIt() {
        Fixture f;
        InspectorView view(f.document, f.selection);
        view.resize(280, 720);
        view.show();
        f.selection.selectLayer(f.document.project().model.layers[0].name);
        for (const QComboBox* box : view.findChildren<QComboBox*>())
            if (box->accessibleName() == "Stage")
                QCOMPARE(box->placeholderText(), QString("Input, fed to stage 0"));
    }

    void theDarkInspectorOfAConvolution() {
        applyTheme(*qApp, Theme(ThemeKind::Dark));
        Fixture f;
        InspectorView view(f.document, f.selection);
        view.resize(280, 720);
        view.show();
        f.selection.selectLayer("conv");
        QVERIFY(view.form().row("kernel_size") != nullptr);
        keep(view, "inspector-dark");
    }

    void everyOptionOfThePipelineCanBeSetAndPutBack() {
        Fixture f;
        SettingView view(f.document, "Pipeline", pipelineSections);
        view.resize(300, 800);
        view.show();
        type(view.form().row("pipeline.gradient_accumulation_steps_per_replica")->editor(), "16");
        QCOMPARE(f.document.project().pipeline.gradientAccumulationSteps, std::optional<std::int64_t>(16));
        auto* schedule = qobject_cast<QComboBox*>(view.form().row("pipeline.schedule")->editor());
        schedule->setCurrentText("Interleaved");
        emit schedule->textActivated("Interleaved");
        QVERIFY(f.document.project().pipeline.schedule == "Interleaved");
        QCOMPARE(f.document.project().model, mnist().model);
        QCOMPARE(f.document.project().assignment, mnist().assignment);
        type(view.form().row("pipeline.batch_serialization_iterations")->editor(), "-1");
        QVERIFY(view.form()
                    .row("pipeline.batch_serialization_iterations")
                    ->editor()
                    ->property("invalid")
                    .toBool());
        keep(view, "pipeline-form");
    }

    void trainingOptionsFollowTheOptimizer() {
        Fixture f;
        SettingView view(f.document, "Training", trainingSections);
        view.resize(300, 900);
        view.show();
        QVERIFY(f.document.apply("x", [](const core::Project& project) {
            return withSetting(project, "training.optimizer", "Adam");
        }));
        QVERIFY(view.form().row("training.optimizer.config.beta_1") != nullptr);
        type(view.form().row("training.optimizer.config.learning_rate")->editor(), "0.01");
        QVERIFY(f.document.project().training.optimizer->config["learning_rate"] == core::Json(0.01));
        QVERIFY(f.document.apply("x", [](const core::Project& project) {
            return withSetting(project, "training.dataset", "synthetic");
        }));
        QVERIFY(view.form().row("training.dataset.samples") != nullptr);
        keep(view, "training-form");
    }

    void everySettingRowSurvivesItsOwnDefault() {
        Fixture f;
        const core::Project project = f.document.project();
        for (const auto& sections :
             {pipelineSections(project), trainingSections(project), systemSections(project)}) {
            for (const PropertySection& section : sections) {
                for (const Property& property : section.properties) {
                    const auto next = withSetting(project, property.id, property.value);
                    QVERIFY2(next.has_value(), property.id.c_str());
                }
            }
        }
    }

    void optionsAreFilteredSetAndPutBack() {
        Fixture f;
        OptionView view(f.document);
        view.resize(320, 700);
        view.show();
        view.filter().setText("clear_pass");
        QAbstractItemModel* model = view.tree().model();
        QVERIFY(model->rowCount() >= 1);
        const QModelIndex matmuls = model->index(model->rowCount() - 1, 0);
        QCOMPARE(matmuls.data().toString(), "matmuls");
        const QModelIndex value = model->index(0, 1, matmuls);
        QVERIFY(model->setData(value, "true"));
        QVERIFY(f.document.project().ipuConfig.values.at("matmuls.clear_pass_type") == core::Json(true));
        view.tree().setCurrentIndex(value);
        keep(view, "options");
        QVERIFY(model->setData(model->index(0, 1, model->index(model->rowCount() - 1, 0)), "false"));
        QVERIFY(f.document.project().ipuConfig.values.empty());
    }

    void thePaletteFiltersAndGivesClassesToDrag() {
        tests::RecordedIntents intents;
        LayerPalette palette(intents);
        palette.resize(200, 500);
        palette.show();
        keep(palette, "palette");
        palette.filter().setText("conv2dtr");
        QTest::keyClick(&palette.filter(), Qt::Key_Return);
        QCOMPARE(intents.calls, (std::vector<QString>{"addLayer Conv2DTranspose"}));
        QCOMPARE(intents.recent, QStringList("Conv2DTranspose"));
        // The row of what was just chosen comes with the next event.
        QCoreApplication::processEvents();
        const QModelIndex category = palette.tree().model()->index(0, 0);
        const std::unique_ptr<QMimeData> data(
            palette.tree().model()->mimeData({palette.tree().model()->index(0, 0, category)}));
        QCOMPARE(data->data(layerMimeType), QByteArray("Conv2DTranspose"));
        palette.filter().clear();
        QCOMPARE(palette.tree().model()->index(0, 0).data().toString(), "Recent");
        LayerPalette next(intents);
        QCOMPARE(next.tree().model()->index(0, 0).data().toString(), "Recent");
    }

    void theTreeIsTheListTwinOfTheCanvas() {
        Fixture f;
        tests::RecordedIntents intents;
        ProjectTree tree(f.document, f.selection, intents);
        tree.resize(220, 500);
        tree.show();
        QAbstractItemModel* model = tree.tree().model();
        const QModelIndex top = model->index(0, 0);
        QCOMPARE(model->rowCount(top), 2); // two stages
        tree.tree().expandAll();
        const QModelIndex stage1 = model->index(1, 0, top);
        QCOMPARE(model->rowCount(stage1), 2);
        tree.tree().setCurrentIndex(model->index(0, 0, stage1));
        QCOMPARE(f.selection.state().current->path, std::string("hidden"));
        f.selection.selectLayer("conv");
        QCOMPARE(tree.tree().selectionModel()->selectedRows().size(), 1);
        tree.tree().selectionModel()->select(stage1,
                                             QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        QCOMPARE(f.selection.state().invocations.size(), std::size_t{2});
        keep(tree, "tree");
    }

    void theTreeShowsAStageWithoutLayersBetweenOthers() {
        Fixture f;
        tests::RecordedIntents intents;
        ProjectTree tree(f.document, f.selection, intents);
        QAbstractItemModel* model = tree.tree().model();
        const QModelIndex top = model->index(0, 0);
        const std::string last = f.document.project().model.layers.back().name;
        QVERIFY(f.document.apply("move", [&](const core::Project& project) -> core::Result<core::Project> {
            return core::assignLayersToStage(project, std::vector{last}, core::StageId(4));
        }));
        QTRY_COMPARE(model->rowCount(top), 5);
        for (int stage = 0; stage < 5; ++stage) {
            const QModelIndex row = model->index(stage, 0, top);
            QCOMPARE(row.data().toString(), QStringLiteral("Stage %1").arg(stage));
            QCOMPARE(model->rowCount(row) == 0, stage == 2 || stage == 3);
        }
        QCOMPARE(model->index(0, 0, model->index(4, 0, top)).data().toString().toStdString(), last);
    }

    void theTreeFollowsEditsAndLeavesWhatTheyDoNotTouch() {
        Fixture f;
        tests::RecordedIntents intents;
        ProjectTree tree(f.document, f.selection, intents);
        QAbstractItemModel* model = tree.tree().model();
        const QModelIndex top = model->index(0, 0);
        tree.tree().expand(model->index(0, 0, top));
        const QPersistentModelIndex stage = model->index(0, 0, top);
        const QPersistentModelIndex kept = model->index(0, 0, stage);
        const QPersistentModelIndex moved = model->index(model->rowCount(stage) - 1, 0, stage);
        const std::string layer = moved.data().toString().toStdString();
        const int before = model->rowCount(stage);
        QVERIFY(f.document.apply("move", [&](const core::Project& project) -> core::Result<core::Project> {
            return core::assignLayersToStage(project, std::vector{layer}, core::StageId(1));
        }));
        QTRY_COMPARE(model->rowCount(stage), before - 1);
        QVERIFY(kept.isValid() && !moved.isValid());
        QVERIFY(tree.tree().isExpanded(stage));
        const QModelIndex next = model->index(1, 0, top);
        bool isThere = false;
        for (int i = 0; i < model->rowCount(next); ++i)
            isThere = isThere || model->index(i, 0, next).data().toString().toStdString() == layer;
        QVERIFY(isThere);
        f.document.undoStack().undo();
        QTRY_COMPARE(model->rowCount(stage), before);
        f.selection.selectLayer(layer);
        QCOMPARE(tree.tree().selectionModel()->selectedRows().size(), 1);
        QCOMPARE(tree.tree().currentIndex().data().toString().toStdString(), layer);
        f.document.close();
        QTRY_COMPARE(model->rowCount(), 0);
    }
};

REGISTER_WIDGET_TEST("inspector_view", InspectorViewTest)
#include "inspector_view_test.moc"
