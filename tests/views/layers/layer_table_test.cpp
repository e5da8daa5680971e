#include "views/layers/layer_table.h"

#include "core/interchange/project/project_file.h"
#include "core/model/graph/infer_shapes.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/widget_theme.h"
#include "views/layers/heat_scale.h"
#include "views/profile/tables/table_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest/QTest>

using namespace views;

namespace {

/// The bundled perceptron of two stages; its second layer takes 700 and 1 400 cycles.
void openExample(Document& document) {
    const std::filesystem::path path =
        tests::projectRoot() / "projects/tutorial/4-pipelined-sequential.ipuproj";
    auto file = core::loadProject(path);
    QVERIFY(file.has_value());
    core::InferenceOptions options;
    options.batchSize = 32;
    auto graph = core::inferShapes(file->project.model, options);
    QVERIFY(graph.has_value());
    document.open(std::move(file->project), path);
    document.setAnalysis(document.snapshot(),
                         {std::make_shared<const core::TypedGraph>(*std::move(graph)), {}});
    core::PlanEstimate estimate;
    estimate.clockHz = 1e6;
    estimate.step = core::Cycles(10'000);
    estimate.stages.resize(2);
    for (std::size_t stage = 0; stage < 2; ++stage) {
        estimate.stages[stage].stage = core::StageId(stage);
        estimate.stages[stage].ipu = core::IpuId(stage);
    }
    estimate.invocations = {{"dense128", 0, core::Cycles(700), core::Cycles(1400), core::Bytes(2048), 1200}};
    document.setEstimate(document.snapshot(), std::move(estimate));
}

int rowOf(const TableContent& table, const QString& layer) {
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (table.rows[i][0].text == layer)
            return int(i);
    }
    return -1;
}

} // namespace

class LayerTableTest : public QObject {
    Q_OBJECT

private slots:
    void everyCallHasItsFigures() {
        Document document;
        openExample(document);
        const TableContent table = layerTable(document).table;
        const int row = rowOf(table, "dense128");
        QVERIFY(row >= 0);
        for (const auto& cells : table.rows)
            QCOMPARE(cells.size(), table.columns.size());
        QCOMPARE(table.footer.size(), table.columns.size());
        const auto& cells = table.rows[std::size_t(row)];
        QCOMPARE(cells[1].text, QString("Dense"));
        // 256 × 128 weights and 128 biases of 4 bytes.
        QCOMPARE(cells[5].sort.toDouble(), 32896.0);
        QCOMPARE(cells[6].sort.toDouble(), 4 * 32896.0);
        QCOMPARE(cells[9].sort.toDouble(), 700.0);
        QCOMPARE(cells[10].sort.toDouble(), 1400.0);
        QCOMPARE(cells[11].sort.toDouble(), 2048.0);
        QCOMPARE(cells[12].sort.toDouble(), 1200.0);
    }

    void theSumIsThatOfTheRows() {
        Document document;
        openExample(document);
        const TableContent table = layerTable(document).table;
        for (const std::size_t column : {5U, 6U, 7U, 9U, 10U}) {
            double sum = 0;
            for (const auto& cells : table.rows)
                sum += cells[column].sort.toDouble();
            QCOMPARE(table.footer[column].sort.toDouble(), sum);
        }
    }

    void rowsAreSelectedWithTheCanvas() {
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        LayerTable view(document, selection, intents);
        openExample(document);
        view.resize(900, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        selection.selectLayer("dense128");
        const int row = rowOf(view.table().content(), "dense128");
        QCOMPARE(view.table().currentRow(), row);
        view.table().table().setFocus();
        QTest::keyClick(&view.table().table(), Qt::Key_Up);
        QVERIFY(selection.state().current.has_value());
        QVERIFY(selection.state().current->path != "dense128");
        QTest::keyClick(&view.table().table(), Qt::Key_Return);
        QCOMPARE(intents.calls.back(), QString("showSelectedLayers"));
    }

    void namesStagesAndSizesAreChangedInTheirCells() {
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        LayerTable view(document, selection, intents);
        openExample(document);
        view.resize(1400, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTableView& table = view.table().table();
        const auto type = [&](const QString& layer, int column, const QString& text) {
            const int row = rowOf(view.table().content(), layer);
            QVERIFY2(row >= 0, qPrintable(layer));
            const QModelIndex index = table.model()->index(row, column);
            table.setCurrentIndex(index);
            table.edit(index);
            auto* editor = table.findChild<QLineEdit*>();
            QVERIFY2(editor != nullptr, "the cell cannot be edited");
            editor->setText(text);
            QTest::keyClick(editor, Qt::Key_Return);
            // The editor closes first, then the edit is made.
            QVERIFY(QTest::qWaitFor([&] { return table.findChild<QLineEdit*>() == nullptr; }, 2000));
            QApplication::processEvents();
        };
        const auto& model = [&]() -> const core::ModelGraph& { return document.project().model; };
        type("dense128", 13, "64");
        QCOMPARE(model().layer(*model().findLayer("dense128")).config["units"], core::Json(64));
        const auto stages = document.project().assignment;
        type("dense128", 3, "0");
        QVERIFY(document.project().assignment != stages);
        // What is no number changes nothing and is said.
        QSignalSpy refused(&document, &Document::refused);
        type("dense128", 13, "many");
        QCOMPARE(refused.count(), 1);
        QCOMPARE(model().layer(*model().findLayer("dense128")).config["units"], core::Json(64));
        type("dense128", 0, "head");
        QVERIFY(model().findLayer("head").has_value());
        QCOMPARE(selection.state().current->path, std::string("head"));
    }

    void aColumnIsColouredInReadableInkWithAScale() {
        Document document;
        openExample(document);
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
            const Theme theme(kind);
            for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
                const QColor fill = tableHeatColor(theme, share);
                QVERIFY2(contrastRatio(inkOn(fill), fill) >= 4.5, qPrintable(QString::number(share)));
            }
        }
        const TableContent table = layerTable(document, 5).table;
        double most = 0;
        for (const auto& cells : table.rows) {
            QVERIFY(!cells[6].heat.has_value());
            most = std::max(most, cells[5].heat.value_or(0));
        }
        QCOMPARE(most, 1.0);
        Selection selection;
        tests::RecordedIntents intents;
        LayerTable view(document, selection, intents);
        view.resize(1400, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        auto* heat = view.findChild<QComboBox*>();
        const auto* scale = view.findChild<HeatScale*>();
        QVERIFY(heat != nullptr && scale != nullptr && !scale->isVisible());
        heat->setCurrentIndex(heat->findText("Parameters"));
        emit heat->activated(heat->currentIndex());
        QVERIFY(scale->isVisible());
        QVERIFY(!scale->largest().isEmpty());
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (!folder.isEmpty())
            view.grab().save(folder + "/layer-table-heat.png");
    }

    void theFilterAndTheSavedTableFollowTheText() {
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        LayerTable view(document, selection, intents);
        openExample(document);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTest::keyClicks(&view.filter(), "dense1");
        const int shown = view.table().table().model()->rowCount();
        QVERIFY(shown > 0 && shown < int(view.table().content().rows.size()));
        QVERIFY(view.table().toCsv().contains("dense128"));
    }

    /// A model whose shapes are not known says so in words.
    void namesAreWholeWhereTheColumnsDoNotFit() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        openExample(document);
        LayerTable view(document, selection, intents);
        view.resize(620, 300);
        view.show();
        QCoreApplication::processEvents();
        const auto* table = view.findChild<QTableView*>();
        QVERIFY(table != nullptr);
        const int needed = QFontMetrics(table->font()).horizontalAdvance("dense128");
        QVERIFY2(table->columnWidth(0) >= needed + 8, qPrintable(QString::number(table->columnWidth(0))));
    }

    void withoutShapesThereAreNoRows() {
        Document document;
        QVERIFY(layerTable(document).calls.empty());
        document.open(core::Project{}, {});
        QVERIFY(layerTable(document).calls.empty());
    }

    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("set IPU_WORKBENCH_PICTURES to a folder to see the pictures");
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, Theme(kind));
            Document document;
            Selection selection;
            tests::RecordedIntents intents;
            LayerTable view(document, selection, intents);
            view.resize(1280, 300);
            view.show();
            openExample(document);
            selection.selectLayer("dense128");
            QTest::qWait(100);
            view.grab().save(QStringLiteral("%1/layer-table-%2.png").arg(folder, themeName(kind)));
        }
    }
};

REGISTER_WIDGET_TEST("layer_table", LayerTableTest)
#include "layer_table_test.moc"
