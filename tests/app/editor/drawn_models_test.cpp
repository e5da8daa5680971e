#include "core/profile/queries/run_queries.h"
#include "tests/app/editor/drawn_projects.h"
#include "tests/app/editor/person.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"
#include "views/graph/graph_view.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QToolBar>

using tests::Person;
using tests::WindowBench;

namespace {

/// What a run of the window and one of the verb are compared by.
struct RunFigures {
    std::int64_t step = 0;
    std::int64_t ipus = 0;
    std::int64_t replicas = 0;
    std::vector<std::int64_t> forward;
    std::vector<std::int64_t> peaks;

    bool operator==(const RunFigures&) const = default;
};

RunFigures figuresOf(const core::Json& run) {
    RunFigures figures;
    figures.step = run.at("step_cycles").get<std::int64_t>();
    figures.ipus = run.at("ipus").get<std::int64_t>();
    figures.replicas = run.at("replicas").get<std::int64_t>();
    for (const core::Json& stage : run.at("stages"))
        figures.forward.push_back(stage.at("forward_cycles").get<std::int64_t>());
    for (const core::Json& memory : run.at("memory"))
        figures.peaks.push_back(memory.at("peak_bytes").get<std::int64_t>());
    return figures;
}

/// A person and the window they draw in, from the start page.
struct Drawing {
    explicit Drawing(QSize size = {1280, 800})
        : person(*bench.window, size) {}

    Person& begin() {
        const QAbstractButton* fresh = person.button("New project");
        if (fresh == nullptr)
            person.press("Ctrl+N");
        else
            person.click(*fresh);
        return person;
    }
    const core::Project& project() const { return bench.window->document().project(); }
    QComboBox* choice(const QString& name) const {
        for (QComboBox* box : bench.window->findChildren<QComboBox*>()) {
            if (box->accessibleName() == name && qobject_cast<QToolBar*>(box->parentWidget()->parentWidget()))
                return box;
        }
        return nullptr;
    }
    /// Types a number into a box of the toolbar.
    void setChoice(const QString& name, const QString& value) {
        QComboBox* box = choice(name);
        QVERIFY2(box != nullptr && box->isVisible(), qPrintable(name));
        person.click(*box->lineEdit());
        person.press("Ctrl+A");
        person.type(value);
        person.press("Return");
        QCOMPARE(box->currentText(), value);
    }
    /// What the last run of the window says, asked as one asks a database.
    RunFigures lastRun() const {
        const core::Json shown =
            workbench
                .run({"show", "last", "--database",
                      QString::fromStdString(bench.window->files().database().string()), "--json"})
                .json();
        return figuresOf(shown);
    }
    /// What the verb says of the project written by hand.
    RunFigures byHand(const core::Json& project) const {
        workbench.write("hand.ipuproj", project.dump(2));
        const tests::Answer answer = workbench.run({"run", "hand.ipuproj", "--no-numerics", "--json"});
        if (answer.code != 0)
            qWarning("%s", answer.err.constData());
        return answer.code == 0 ? figuresOf(answer.json()) : RunFigures();
    }
    void compare(const core::Json& hand) const {
        const RunFigures drawn = lastRun();
        const RunFigures written = byHand(hand);
        QVERIFY(written.step > 0);
        QCOMPARE(drawn.step, written.step);
        QCOMPARE(drawn.forward, written.forward);
        QCOMPARE(drawn.peaks, written.peaks);
        QVERIFY(drawn == written);
    }
    void run() {
        QVERIFY(person.waitForRun());
        QVERIFY2(bench.window->selection().state().run.has_value(), "the run failed");
    }
    std::vector<std::size_t> stages() const {
        std::vector<std::size_t> list;
        for (const core::StageId stage : project().assignment.stages)
            list.push_back(stage.index());
        return list;
    }

    WindowBench bench;
    tests::Workbench workbench;
    Person person;
};

} // namespace

/// Models drawn from the empty page by mouse and keys, split, replicated and run: their cycles are those of
/// the same project written by hand.
class DrawnModelsTest : public QObject {
    Q_OBJECT

private slots:
    void anMlpByMouse() {
        Drawing drawing;
        Person& person = drawing.begin();
        const QAbstractButton* input = person.button("Add an input");
        QVERIFY(input != nullptr);
        person.click(*input);
        person.setField("batch_input_shape", "784");
        // Behind the input, which is selected.
        person.press("Escape");
        person.add("Dense");
        QCOMPARE(drawing.project().model.layers.size(), std::size_t(2));
        person.setField("units", "256");
        person.chooseField("activation", "relu");
        // From its port to empty ground, and a choice of what fits.
        person.drag(person.canvas(), person.outPort("dense"), person.emptyGround());
        person.type("Dense");
        person.press("Return");
        person.setField("units", "128");
        person.chooseField("activation", "relu");
        person.drag(person.canvas(), person.outPort("dense_1"), person.emptyGround());
        person.type("Dense");
        person.press("Return");
        person.setField("units", "10");
        QCOMPARE(drawing.project().model.layers.size(), std::size_t(4));
        person.click(person.canvas(), person.placeOf("dense_1"));
        person.click(person.canvas(), person.placeOf("dense_2"), Qt::ControlModifier);
        person.chooseInMenu(person.canvas(), person.placeOf("dense_2"), {"Move to stage", "New stage 1"});
        QCOMPARE(drawing.stages(), (std::vector<std::size_t>{0, 1, 1}));
        drawing.setChoice("Micro-batches", "8");
        drawing.setChoice("Replicas", "2");
        QVERIFY(person.waitForFigures());
        person.keep("drawn-mlp-1280-light");
        const QAbstractButton* run = person.button("Run");
        QVERIFY(run != nullptr && run->isEnabled());
        person.click(*run);
        drawing.run();
        person.keep("drawn-mlp-ran-1280-light");
        drawing.compare(tests::handWrittenMlp());
    }

    void aConvolutionalNetworkWithAResidualBlock() {
        Drawing drawing;
        Person& person = drawing.begin();
        person.add("InputLayer");
        person.setField("batch_input_shape", "16x16x3");
        person.click(person.canvas(), person.placeOf("input_1"));
        person.add("Conv2D");
        person.setField("filters", "8");
        person.setField("kernel_size", "3");
        person.chooseField("padding", "same");
        person.click(person.canvas(), person.placeOf("conv2d"));
        person.add("BatchNormalization");
        person.add("ReLU");
        person.add("Conv2D");
        person.setField("filters", "8");
        person.setField("kernel_size", "3");
        person.chooseField("padding", "same");
        person.click(person.canvas(), person.placeOf("conv2d_1"));
        person.add("Add");
        // The way around the block.
        person.drag(person.canvas(), person.outPort("re_lu"), person.placeOf("add"));
        person.click(person.canvas(), person.placeOf("add"));
        person.add("GlobalAveragePooling2D");
        person.add("Dense");
        person.setField("units", "10");
        QVERIFY(person.waitForFigures());
        person.keep("drawn-residual-1280-light");
        person.chooseInMenu(person.canvas(), person.emptyGround(), {"Stages", "Split evenly into 2 stages"});
        QCOMPARE(drawing.project().assignment.stageCount(), std::size_t(2));
        drawing.setChoice("Micro-batches", "4");
        drawing.setChoice("Replicas", "2");
        QVERIFY(person.waitForFigures());
        person.press("F5");
        drawing.run();
        person.keep("drawn-residual-ran-1280-light");
        drawing.compare(tests::handWrittenResidual(drawing.stages()));
    }

    void twoInputsThatMeet() {
        Drawing drawing;
        Person& person = drawing.begin();
        person.add("InputLayer");
        person.setField("batch_input_shape", "32");
        person.click(person.canvas(), person.placeOf("input_1"));
        person.add("Dense");
        person.setField("units", "24");
        person.click(person.canvas(), person.emptyGround());
        person.add("InputLayer");
        person.setField("batch_input_shape", "48");
        person.click(person.canvas(), person.placeOf("input_2"));
        person.add("Dense");
        person.setField("units", "24");
        person.click(person.canvas(), person.placeOf("dense_1"));
        person.click(person.canvas(), person.placeOf("dense"), Qt::ControlModifier);
        person.add("Concatenate");
        QCOMPARE(drawing.project().model.invocations.back().inputs.size(), std::size_t(2));
        person.add("Dense");
        person.setField("units", "6");
        person.click(person.canvas(), person.placeOf("dense_2"));
        person.press("1");
        QCOMPARE(drawing.project().assignment.stageCount(), std::size_t(2));
        drawing.setChoice("Micro-batches", "4");
        drawing.setChoice("Replicas", "2");
        QVERIFY(person.waitForFigures());
        person.keep("drawn-two-inputs-1280-light");
        person.press("F5");
        drawing.run();
        drawing.compare(tests::handWrittenTwoInputs(drawing.stages()));
    }

    void theFirstCutOfADrawingRunsAndIsOneStep() {
        for (const QString cut : {"1", "split evenly into 2", "split evenly into 4"}) {
            Drawing drawing;
            Person& person = drawing.person;
            person.press("Ctrl+N");
            for (const char* layer : {"InputLayer", "Dense", "Dense", "Dense", "Dense"})
                person.add(layer);
            const core::Project before = drawing.project();
            if (cut.size() == 1)
                person.press(cut);
            else
                person.command(cut);
            const core::Project& split = drawing.project();
            const auto stages = std::int64_t(split.assignment.stageCount());
            QVERIFY(stages > 1);
            QVERIFY(split.system.ipus >= stages);
            QCOMPARE(split.pipeline.gradientAccumulationSteps, std::optional(2 * stages));
            QCOMPARE(split.training.stepsPerExecution, 2 * stages);
            QCOMPARE(split.training.batchSize, before.training.batchSize);
            QVERIFY(person.waitForFigures());
            QVERIFY(drawing.bench.window->document().areFiguresCurrent());
            for (const core::Diagnostic& finding : drawing.bench.window->document().analysis().diagnostics)
                QVERIFY2(finding.severity != core::Severity::Error, finding.message.c_str());
            person.press("F5");
            drawing.run();
            person.press("Ctrl+Z");
            QVERIFY(drawing.project() == before);
        }
    }

    void anotherSplitTakesWhatItNeedsButNotWhatSomebodyChose() {
        Drawing drawing;
        Person& person = drawing.person;
        person.press("Ctrl+N");
        for (const char* layer : {"InputLayer", "Dense", "Dense", "Dense", "Dense"})
            person.add(layer);
        person.command("split evenly into 2");
        person.command("split evenly into 4");
        QCOMPARE(drawing.project().pipeline.gradientAccumulationSteps, std::optional<std::int64_t>(8));
        QCOMPARE(drawing.project().training.stepsPerExecution, std::int64_t(8));
        // Six micro-batches do not divide the 32 steps of an epoch.
        person.press("Ctrl+Z");
        person.press("2");
        QCOMPARE(drawing.project().assignment.stageCount(), std::size_t(3));
        QCOMPARE(drawing.project().pipeline.gradientAccumulationSteps, std::optional<std::int64_t>(6));
        QCOMPARE(drawing.project().training.stepsPerEpoch, std::optional<std::int64_t>(30));
        QVERIFY(person.waitForFigures());
        QVERIFY(drawing.bench.window->document().areFiguresCurrent());
        person.press("Ctrl+Z");
        // A number that is confirmed is done with: the next key is for the drawing.
        drawing.setChoice("Micro-batches", "16");
        QTRY_VERIFY(person.canvas().hasFocus());
        const core::Project chosen = drawing.project();
        person.press("Ctrl+Z");
        QVERIFY(drawing.project().pipeline.gradientAccumulationSteps != std::optional<std::int64_t>(16));
        person.press("Ctrl+Shift+Z");
        QVERIFY(drawing.project() == chosen);
        person.command("split evenly into 4");
        QCOMPARE(drawing.project().pipeline.gradientAccumulationSteps, std::optional<std::int64_t>(16));
    }

    void aModelThatIsWiredByHandHasTheLossOfItsOutput() {
        Drawing drawing;
        Person& person = drawing.person;
        person.press("Ctrl+N");
        person.add("InputLayer");
        person.press("Escape");
        person.add("Dense");
        QVERIFY(drawing.project().training.losses.empty());
        person.press("L");
        person.type("input");
        person.press("Return");
        QCOMPARE(drawing.project().training.losses.size(), std::size_t(1));
        QCOMPARE(drawing.project().training.losses[0].className,
                 std::string("SparseCategoricalCrossentropy"));
        QVERIFY(drawing.project().training.losses[0].config.contains("from_logits"));
        QVERIFY(person.waitForFigures());
        for (const core::Diagnostic& finding : drawing.bench.window->document().analysis().diagnostics)
            QVERIFY2(!finding.code.ends_with("/no-loss"), finding.message.c_str());
        // The output is another: so is the loss.
        person.add("Softmax");
        QVERIFY(!drawing.project().training.losses[0].config.contains("from_logits"));
        person.press("Ctrl+Z");
        QVERIFY(drawing.project().training.losses[0].config.contains("from_logits"));
        person.press("Ctrl+Z");
        QVERIFY(drawing.project().training.losses.empty());
        // A run adds no step.
        person.press("Ctrl+Shift+Z");
        const int steps = drawing.bench.window->document().undoStack().count();
        QVERIFY(person.waitForFigures());
        person.press("F5");
        drawing.run();
        QCOMPARE(drawing.bench.window->document().undoStack().count(), steps);
    }

    void twelveTransformerBlocksByKeysAlone() {
        Drawing drawing;
        Person& person = drawing.person;
        person.press("Ctrl+N");
        person.add("InputLayer");
        person.setFieldByKeys("batch_input_shape", "16x32");
        person.add("MultiHeadAttention");
        person.setFieldByKeys("num_heads", "2");
        person.setFieldByKeys("key_dim", "16");
        person.add("Add");
        // The sum reads the input as well.
        person.press("L");
        person.type("input");
        person.press("Return");
        person.add("LayerNormalization");
        person.add("Dense");
        person.setFieldByKeys("units", "64");
        person.add("Dense");
        person.setFieldByKeys("units", "32");
        person.add("Add");
        person.press("L");
        person.type("layer_norm");
        person.press("Return");
        person.add("LayerNormalization");
        // Everything but the input, twelve times.
        person.press("Ctrl+[");
        person.keep("drawn-transformer-block-1280-light");
        person.press("Ctrl+A");
        person.whenAsked([&] {
            person.type("12");
            person.press("Return");
        });
        person.press("Ctrl+R");
        QVERIFY(person.waitForFigures());
        QCOMPARE(drawing.project().model.layers.size(), std::size_t(1 + 12 * 7));
        person.keep("drawn-transformer-1280-light");
        // Behind the end of the block.
        person.add("GlobalAveragePooling1D");
        person.add("Dense");
        person.setFieldByKeys("units", "8");
        person.command("split evenly into 4");
        QCOMPARE(drawing.project().assignment.stageCount(), std::size_t(4));
        person.command("replicas");
        person.type("2");
        person.press("Return");
        person.command("micro-batches");
        person.type("8");
        person.press("Return");
        QVERIFY(person.waitForFigures());
        person.keep("drawn-transformer-split-1280-light");
        person.press("F5");
        drawing.run();
        drawing.compare(tests::handWrittenTransformer(drawing.stages()));
    }
};

REGISTER_WIDGET_TEST("drawn_models", DrawnModelsTest)
#include "drawn_models_test.moc"
