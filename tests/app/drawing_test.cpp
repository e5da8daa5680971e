#include "app/window/dialogs/information.h"
#include "core/profile/queries/run_queries.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/common/widgets/search_popup.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/graph/graph_view.h"
#include "views/inspector/form/property_form.h"
#include "views/inspector/inspector_view.h"

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>

using tests::WindowBench;

namespace {

/// A window in which a person draws.
struct DrawingBench : WindowBench {
    explicit DrawingBench(QSize size = {1280, 800}) {
        window->resize(size);
        window->show();
        window->activateWindow();
        const bool isActive = QTest::qWaitForWindowActive(window.get());
        Q_ASSERT(isActive);
        Q_UNUSED(isActive)
        window->actions().action("file.new")->trigger();
        QApplication::processEvents();
        canvas().setFocus();
    }

    views::CanvasView& canvas() { return window->graph().canvas(); }
    views::SearchPopup* popup() { return window->graph().findChild<views::SearchPopup*>(); }
    const core::Project& project() { return window->document().project(); }

    /// Tab, the name, Enter.
    void add(const QString& className) {
        QTest::keyClick(&canvas(), Qt::Key_Tab);
        QVERIFY(popup() != nullptr && popup()->isVisible());
        QTest::keyClicks(popup()->field(), className);
        QTest::keyClick(popup()->field(), Qt::Key_Return);
        // A desktop gives the keyboard back to the window by itself.
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
    }
    void select(const std::string& layer) {
        const int node = canvas().model().find({layer, 0});
        QVERIFY2(node >= 0, layer.c_str());
        const QPointF place = canvas().geometry().placeOf[std::size_t(node)].center() - QPointF(20, 0);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, canvas().viewport().toView(place).toPoint());
    }
    QStringList outputs() {
        QStringList names;
        for (const core::TensorRef& output : project().model.outputs)
            names << QString::fromStdString(project().model.layer(output.invocation).name);
        return names;
    }
    QLineEdit* field(const std::string& id) {
        views::PropertyRow* row = window->findChild<views::InspectorView*>()->form().row(id);
        return row == nullptr ? nullptr : qobject_cast<QLineEdit*>(row->editor());
    }
    void type(const std::string& id, const QString& text) {
        QLineEdit* line = field(id);
        QVERIFY2(line != nullptr, id.c_str());
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Return);
    }
    void keep(const QString& name) const {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            return;
        QApplication::processEvents();
        window->grab().save(folder + "/" + name + ".png");
    }
};

} // namespace

class DrawingTest : public QObject {
    Q_OBJECT

private slots:
    void init() { views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light)); }

    void anEmptyPageSaysWhatToDo() {
        DrawingBench bench;
        const auto* empty = bench.canvas().findChild<views::EmptyView*>();
        QVERIFY(empty != nullptr && empty->isVisible());
        bench.keep("drawing-empty-1280-light");
        QTest::mouseClick(empty->button(), Qt::LeftButton);
        QCOMPARE(bench.project().model.layers.size(), std::size_t{1});
        QVERIFY(!empty->isVisible());
    }

    void threeLayersByKeysTrainAtOnce() {
        DrawingBench bench;
        bench.add("InputLayer");
        bench.type("batch_input_shape", "784");
        QCOMPARE(bench.project().model.layers[0].config["batch_input_shape"], (core::Json{nullptr, 784}));
        bench.canvas().setFocus();
        bench.add("Dense");
        bench.add("Softmax");
        QCOMPARE(bench.outputs(), QStringList{"softmax"});
        QVERIFY(bench.waitForEstimate());
        QVERIFY2(bench.window->document().analysis().diagnostics.empty() ||
                     bench.window->document().estimate().has_value(),
                 "no estimate");
        bench.keep("drawing-three-layers-1280-light");
        bench.window->actions().action("run.train")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !bench.window->runs().isRunning(); }, 60000));
        QCOMPARE(bench.project().training.losses.size(), std::size_t{1});
        QCOMPARE(bench.project().training.losses[0].className, std::string("SparseCategoricalCrossentropy"));
        QVERIFY(bench.window->selection().state().run.has_value());
        const auto database =
            core::ProfileDatabase::open(bench.window->files().database(), {core::DatabaseAccess::ReadOnly});
        QVERIFY(database.has_value());
        QCOMPARE(core::listRuns(*database).value().size(), std::size_t{1});
        bench.keep("drawing-trained-1280-light");
    }

    void theModelStaysValidWithoutItsLastLayer() {
        DrawingBench bench;
        bench.add("InputLayer");
        bench.add("Dense");
        bench.add("Dense");
        QCOMPARE(bench.outputs(), QStringList{"dense_1"});
        bench.select("dense_1");
        QTest::keyClick(&bench.canvas(), Qt::Key_Delete);
        QCOMPARE(bench.outputs(), QStringList{"dense"});
        QVERIFY(bench.waitForEstimate());
        QVERIFY(bench.window->document().estimate()->refusal.empty());
        bench.select("input_1");
        QTest::keyClick(&bench.canvas(), Qt::Key_Delete);
        bench.select("dense");
        QTest::keyClick(&bench.canvas(), Qt::Key_Delete);
        QVERIFY(bench.project().model.layers.empty());
        for (int i = 0; i < 3; ++i)
            bench.window->actions().action("edit.undo")->trigger();
        QCOMPARE(bench.outputs(), QStringList{"dense_1"});
    }

    void anOutputIsMarkedAndChangedByAKey() {
        DrawingBench bench;
        bench.add("InputLayer");
        bench.add("Dense");
        bench.add("Dense");
        bench.select("dense");
        QTest::keyClick(&bench.canvas(), Qt::Key_O);
        QCOMPARE(bench.outputs(), (QStringList{"dense_1", "dense"}));
        bench.keep("drawing-outputs-1280-light");
        QTest::keyClick(&bench.canvas(), Qt::Key_O);
        QCOMPARE(bench.outputs(), QStringList{"dense_1"});
        // A model needs one.
        bench.select("dense_1");
        QTest::keyClick(&bench.canvas(), Qt::Key_O);
        QCOMPARE(bench.outputs(), QStringList{"dense_1"});
    }

    void aShapeThatIsNoneIsRefusedAtItsField() {
        DrawingBench bench;
        bench.add("InputLayer");
        bench.type("batch_input_shape", "28x28x1");
        const core::Json pictures{nullptr, 28, 28, 1};
        QCOMPARE(bench.project().model.layers[0].config["batch_input_shape"], pictures);
        QCOMPARE(bench.field("batch_input_shape")->text(), QString::fromUtf8("28 × 28 × 1"));
        bench.type("batch_input_shape", "28 x -1");
        QCOMPARE(bench.project().model.layers[0].config["batch_input_shape"], pictures);
        bench.type("batch_input_shape", "None, 32, 32, 3");
        QCOMPARE(bench.project().model.layers[0].config["batch_input_shape"],
                 (core::Json{nullptr, 32, 32, 3}));
    }

    void undoInAFieldOfTheInspectorIsThatOfTheProject() {
        DrawingBench bench;
        bench.add("InputLayer");
        bench.add("Dense");
        const core::Json before = bench.project().model.layers[1].config["units"];
        bench.type("units", "99");
        QCOMPARE(bench.project().model.layers[1].config["units"], core::Json(99));
        QLineEdit* field = bench.field("units");
        QVERIFY(field->hasFocus());
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(bench.project().model.layers[1].config["units"], before);
        QTest::keyClick(field, Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(bench.project().model.layers[1].config["units"], core::Json(99));
        // What is being typed is taken back letter by letter.
        field->selectAll();
        QTest::keyClicks(field, "7");
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(bench.project().model.layers[1].config["units"], core::Json(99));
    }
};

REGISTER_WIDGET_TEST("drawing", DrawingTest)
#include "drawing_test.moc"
