#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "core/project/blocks/repeat_blocks.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/graph_view.h"
#include "views/inspector/form/property_form.h"
#include "views/inspector/inspector_view.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLineEdit>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>
#include <QtTest/QTest>

using namespace views;

namespace {

/// A stem, residual blocks and a head.
core::Project tower(int times) {
    core::ModelBuilder builder("tower");
    core::TensorRef at = builder.input("pixels", {8});
    at = builder.call("Dense", "stem", {{"units", 8}}, {at});
    for (int i = 1; i <= times; ++i) {
        const std::string name = "block_" + std::to_string(i);
        core::TensorRef main = builder.call("Dense", name + "_dense", {{"units", 8}}, {at});
        main = builder.call("ReLU", name + "_relu", core::Json::object(), {main});
        at = builder.call("Add", name + "_add", core::Json::object(), {at, main});
    }
    core::Project project;
    project.name = "tower";
    project.model = std::move(builder).build({builder.call("Dense", "head", {{"units", 3}}, {at})});
    return project;
}

/// Canvas and inspector beside each other.
struct TowerDesk {
    explicit TowerDesk(core::Project project) {
        QObject::connect(&document, &Document::projectChanged, &document, [this] {
            const core::InferredModel inferred = core::inferKnownShapes(document.project().model);
            document.setAnalysis(document.snapshot(),
                                 {std::make_shared<core::TypedGraph>(inferred.graph), inferred.findings});
        });
        document.keepSelection(selection);
        auto* layout = new QHBoxLayout(&window);
        view = new GraphView(document, selection, intents, &window);
        inspector = new InspectorView(document, selection, &window);
        inspector->setFixedWidth(300);
        layout->addWidget(view, 1);
        layout->addWidget(inspector);
        window.resize(1500, 800);
        window.show();
        document.open(std::move(project), {});
        QApplication::processEvents();
        window.activateWindow();
        view->canvas().setFocus();
    }
    CanvasView& canvas() { return view->canvas(); }
    /// The box of the block; −1: it is not folded, or open.
    int blockBox() {
        const CanvasGeometry& geometry = canvas().geometry();
        for (std::size_t i = 0; i < geometry.boxes.size(); ++i) {
            const int group = geometry.boxes[i].group;
            if (group >= 0 && geometry.boxes[i].isCollapsed &&
                canvas().model().groups[std::size_t(group)].origin == CanvasGroup::Origin::Repeat)
                return int(i);
        }
        return -1;
    }
    QString titleOfBlock() {
        const int box = blockBox();
        return box < 0 ? QString()
                       : canvas()
                             .model()
                             .groups[std::size_t(canvas().geometry().boxes[std::size_t(box)].group)]
                             .title;
    }
    QPoint middleOf(const QRectF& rect) {
        return canvas().viewport().toView(rect.center() - QPointF(20, 0)).toPoint();
    }
    void clickBlock() {
        QTest::mouseClick(&canvas(), Qt::LeftButton, {},
                          middleOf(canvas().geometry().boxes[std::size_t(blockBox())].rect));
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers) { QTest::keyClick(&canvas(), key, modifiers); }
    /// Types into the question that the next key opens, and confirms it.
    static void answer(int number) {
        QTimer::singleShot(0, [number] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            auto* field = dialog->findChild<QSpinBox*>();
            field->selectAll();
            QTest::keyClicks(field, QString::number(number));
            QTest::keyClick(field, Qt::Key_Return);
        });
    }
    QWidget* field(const std::string& id) {
        PropertyRow* row = inspector->form().row(id);
        return row == nullptr ? nullptr : row->editor();
    }
    void type(const std::string& id, const QString& text) {
        auto* line = qobject_cast<QLineEdit*>(field(id));
        QVERIFY2(line != nullptr, id.c_str());
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Return);
    }
    std::size_t copies() {
        const auto blocks = core::repeatBlocks(document.project());
        return blocks.empty() ? 0 : blocks.front().times();
    }
    void keep(const QString& name) {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (!folder.isEmpty())
            window.grab().save(folder + "/" + name + ".png");
    }

    QWidget window;
    Document document;
    Selection selection;
    tests::RecordedIntents intents;
    GraphView* view = nullptr;
    InspectorView* inspector = nullptr;
};

} // namespace

/// Equal blocks in a row as one node (row 11).
class RepeatBlockTest : public QObject {
    Q_OBJECT

private slots:
    void init() { applyTheme(*qApp, Theme(ThemeKind::Light)); }

    void equalBlocksAreFoundAndOffered() {
        TowerDesk desk(tower(6));
        QToolButton* offer = nullptr;
        QVERIFY(QTest::qWaitFor([&] {
            for (auto* button : desk.view->findChildren<QToolButton*>()) {
                if (button->isVisible() && button->accessibleName().contains("block × 6"))
                    offer = button;
            }
            return offer != nullptr;
        }));
        QCOMPARE(desk.blockBox(), -1);
        desk.keep("repeat-offered-light");
        QTest::mouseClick(offer, Qt::LeftButton);
        QCOMPARE(desk.titleOfBlock(), QString::fromUtf8("block × 6"));
        QVERIFY(QTest::qWaitFor([&] { return !offer->isVisible(); }));
        desk.document.undoStack().undo();
        QCOMPARE(desk.blockBox(), -1);
        QVERIFY(QTest::qWaitFor([&] { return offer->isVisible(); }));
    }

    void theCountIsEditedAndUndone() {
        TowerDesk desk(tower(6));
        desk.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        desk.clickBlock();
        QCOMPARE(desk.selection.state().invocations.size(), std::size_t{18});
        desk.type("repeat/times", "12");
        QCOMPARE(desk.copies(), std::size_t{12});
        QCOMPARE(desk.titleOfBlock(), QString::fromUtf8("block × 12"));
        QCOMPARE(desk.selection.state().invocations.size(), std::size_t{36});
        desk.keep("repeat-inspector-light");
        desk.document.undoStack().undo();
        QCOMPARE(desk.copies(), std::size_t{6});
        // By a key of the canvas as well.
        desk.clickBlock();
        desk.canvas().setFocus();
        TowerDesk::answer(3);
        desk.key(Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(desk.titleOfBlock(), QString::fromUtf8("block × 3"));
    }

    void oneEditReachesEveryCopy() {
        TowerDesk desk(tower(4));
        desk.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        desk.clickBlock();
        QVERIFY(desk.field("block/0/activation") != nullptr);
        desk.type("block/0/units", "12");
        QCOMPARE(desk.titleOfBlock(), QString::fromUtf8("block × 4"));
        const int before = desk.document.undoStack().count();
        desk.selection.selectInvocation({"block_2_dense", 0});
        desk.type("units", "16");
        QCOMPARE(desk.document.undoStack().count(), before + 1);
        for (int copy = 1; copy <= 4; ++copy) {
            const core::ModelGraph& model = desk.document.project().model;
            const auto layer = model.findLayer("block_" + std::to_string(copy) + "_dense");
            QCOMPARE(model.layer(*layer).config["units"], core::Json(16));
        }
        QCOMPARE(desk.titleOfBlock(), QString::fromUtf8("block × 4"));
    }

    void aBlockIsExpandedInPlaceAndFoldedAgain() {
        TowerDesk desk(tower(4));
        desk.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        const std::size_t folded = desk.canvas().geometry().boxes.size();
        QTest::mouseDClick(&desk.canvas(), Qt::LeftButton, {},
                           desk.middleOf(desk.canvas().geometry().boxes[std::size_t(desk.blockBox())].rect));
        QCOMPARE(desk.blockBox(), -1);
        QVERIFY(desk.canvas().geometry().boxes.size() > folded + 4);
        desk.keep("repeat-expanded-light");
        desk.selection.selectInvocation({"block_1_dense", 0});
        desk.document.undoStack().undo();
        QVERIFY(desk.blockBox() >= 0);
        desk.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(desk.blockBox(), -1);
        QVERIFY(!core::hasFoldedBlocks(desk.document.project()));
    }

    void aBlockIsCutInsideByTheNumberOfCopies() {
        core::Project project = tower(6);
        TowerDesk desk(project);
        desk.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        desk.selection.selectInvocation({"head", 0});
        desk.key(Qt::Key_1, Qt::NoModifier);
        desk.clickBlock();
        desk.type("repeat/stages", "4, 2");
        QVERIFY((core::copiesByStage(desk.document.project(),
                                     core::repeatBlocks(desk.document.project()).front()) ==
                 std::vector<std::size_t>{4, 2}));
        QCOMPARE(desk.document.project().assignment.stageCount(), std::size_t{3});
        int boxes = 0;
        for (const BoxShape& box : desk.canvas().geometry().boxes)
            boxes += box.group >= 0 && box.isCollapsed ? 1 : 0;
        QCOMPARE(boxes, 2);
        desk.keep("repeat-cut-light");
        applyTheme(*qApp, Theme(ThemeKind::HighContrast));
        QApplication::processEvents();
        desk.keep("repeat-cut-contrast");
        applyTheme(*qApp, Theme(ThemeKind::Dark));
        QApplication::processEvents();
        desk.keep("repeat-cut-dark");
        // What cannot be is said where it was typed.
        desk.type("repeat/stages", "4, 1");
        QVERIFY((core::copiesByStage(desk.document.project(),
                                     core::repeatBlocks(desk.document.project()).front()) ==
                 std::vector<std::size_t>{4, 2}));
    }

    void selectedLayersAreRepeated() {
        TowerDesk desk(tower(1));
        desk.selection.selectInvocations({{"block_1_dense", 0}, {"block_1_relu", 0}, {"block_1_add", 0}});
        TowerDesk::answer(12);
        desk.key(Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(desk.copies(), std::size_t{12});
        QCOMPARE(desk.titleOfBlock(), QString::fromUtf8("block × 12"));
    }

    void whatIsWrittenIsFlat() {
        TowerDesk desk(tower(6));
        desk.key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        desk.clickBlock();
        desk.type("repeat/times", "12");
        core::Project drawn = tower(12);
        QCOMPARE(desk.document.project().model.layers.size(), drawn.model.layers.size());
        const std::string text = core::toText(core::writeKerasModel(desk.document.project().model), 0);
        for (const core::Layer& layer : drawn.model.layers)
            QVERIFY2(text.find('"' + layer.name + '"') != std::string::npos, layer.name.c_str());
    }
};

REGISTER_WIDGET_TEST("repeat_block", RepeatBlockTest)
#include "repeat_block_test.moc"
