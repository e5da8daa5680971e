#include "app/window/start/template_dialog.h"

#include "app/window/start/project_card.h"
#include "app/window/start/start_page.h"
#include "core/interchange/templates/template_catalogue.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/inspector/form/property_form.h"

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

using tests::WindowBench;

namespace {

struct GalleryBench : WindowBench {
    explicit GalleryBench(const QString& settings = {})
        : WindowBench(settings) {
        window->resize(1280, 800);
        window->show();
        window->activateWindow();
        QApplication::processEvents();
    }
    app::StartPage* start() { return window->findChild<app::StartPage*>(); }
    app::ProjectCard* card(const QString& name) { return start()->findChild<app::ProjectCard*>(name); }
    app::TemplateDialog* open(const QString& name) {
        QTest::mouseClick(card(name), Qt::LeftButton, {}, QPoint(20, 100));
        QApplication::processEvents();
        return window->findChild<app::TemplateDialog*>();
    }
    static void type(app::TemplateDialog& dialog, const std::string& id, const QString& text) {
        auto* line = qobject_cast<QLineEdit*>(dialog.form().row(id)->editor());
        QVERIFY2(line != nullptr, id.c_str());
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Return);
    }
    static bool settled(app::TemplateDialog& dialog) {
        return QTest::qWaitFor([&] { return dialog.isCurrent() && dialog.project(); }, 60000);
    }
    static void keep(QWidget& widget, const QString& name) {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        QApplication::processEvents(); // the layout follows the figures
        if (!folder.isEmpty())
            widget.grab().save(folder + "/" + name + ".png");
    }
};

} // namespace

/// Templates with their parameters (rows 16 and 113).
class TemplateDialogTest : public QObject {
    Q_OBJECT

private slots:
    void init() { views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light)); }

    void everyTemplateHasATitleInWords() {
        GalleryBench bench;
        for (const core::ModelTemplate& row : core::templateCatalogue()) {
            app::ProjectCard* card = bench.card(QString::fromStdString(row.name));
            QVERIFY2(card != nullptr, row.name.c_str());
            QVERIFY2(card->text() != QString::fromStdString(row.name), row.name.c_str());
        }
    }

    void parametersChangeTheFiguresBeforeAnythingIsOpened() {
        GalleryBench bench;
        app::TemplateDialog* dialog = bench.open("mlp");
        QVERIFY(dialog != nullptr);
        QVERIFY(!bench.window->document().isOpen());
        QVERIFY(GalleryBench::settled(*dialog));
        QCOMPARE(dialog->figure("Layers"), "3"); // the input is none
        const QString before = dialog->figure("Throughput");
        QVERIFY(!before.isEmpty());
        GalleryBench::keep(*dialog, "template-mlp-light");
        GalleryBench::type(*dialog, "hidden", "64, 64, 64");
        QVERIFY(GalleryBench::settled(*dialog));
        QVERIFY(QTest::qWaitFor([&] { return dialog->figure("Layers") == "4"; }, 30000));
        QVERIFY(dialog->figure("Throughput") != before);
        GalleryBench::type(*dialog, "stages", "2");
        QVERIFY(QTest::qWaitFor([&] { return dialog->figure("Stages") == "2"; }, 30000));
        // What cannot be is said at its field, and cannot be created.
        QPushButton* create = nullptr;
        for (QPushButton* button : dialog->findChildren<QPushButton*>())
            create = button->text() == "Create project" ? button : create;
        GalleryBench::type(*dialog, "classes", "-3");
        QVERIFY(!create->isEnabled());
        GalleryBench::type(*dialog, "classes", "7");
        QVERIFY(create->isEnabled());
        QVERIFY(GalleryBench::settled(*dialog));
        QTest::mouseClick(create, Qt::LeftButton);
        QVERIFY(bench.window->document().isOpen());
        const core::Project& project = bench.window->document().project();
        QCOMPARE(project.model.layers.size(), std::size_t{5});
        QCOMPARE(project.assignment.stageCount(), std::size_t{2});
        QCOMPARE(project.model.layers.back().config["units"], core::Json(7));
    }

    void theFiguresAreThoseOfTheWindow() {
        GalleryBench bench;
        app::TemplateDialog* dialog = bench.open("small_cnn");
        QVERIFY(GalleryBench::settled(*dialog));
        GalleryBench::keep(*dialog, "template-cnn-light");
        const QString throughput = dialog->figure("Throughput");
        for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
            if (button->text() == "Create project") {
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        }
        QVERIFY(bench.waitForEstimate());
        QCOMPARE(views::NumberText(
                     {views::compactText(bench.window->document().estimate()->samplesPerSecond), "samples/s"})
                     .joined(),
                 throughput);
    }

    void aFavouriteComesFirstAndIsKept() {
        GalleryBench bench;
        QCOMPARE(bench.start()->templateCards().front()->objectName(), "mlp");
        GalleryBench::keep(*bench.window, "start-light-1280");
        QTest::mouseClick(bench.card("bert")->star(), Qt::LeftButton);
        QVERIFY(!bench.window->document().isOpen());
        QCOMPARE(bench.start()->templateCards().front()->objectName(), "bert");
        GalleryBench again(bench.folder.filePath("settings.ini"));
        QCOMPARE(again.start()->templateCards().front()->objectName(), "bert");
        QVERIFY(again.card("bert")->star()->isChecked());
        QTest::mouseClick(again.card("bert")->star(), Qt::LeftButton);
        QCOMPARE(again.start()->templateCards().front()->objectName(), "mlp");
    }
};

REGISTER_WIDGET_TEST("template_dialog", TemplateDialogTest)
#include "template_dialog_test.moc"
