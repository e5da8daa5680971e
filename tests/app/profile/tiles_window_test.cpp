#include "core/profile/queries/memory_queries.h"
#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"
#include "views/liveness/liveness_chart.h"
#include "views/liveness/liveness_view.h"
#include "views/profile/tables/table_panel.h"
#include "views/tiles/tiles_view.h"

#include <QTabWidget>

using tests::RanWindow;
using views::TilesView;

namespace {

struct TilesBench {
    explicit TilesBench(const char* example = nullptr)
        : ran(example) {
        if (!ran.isReady)
            return;
        ran.bench.window->selection().selectIpu(core::IpuId(0));
        ran.bench.window->workspaces().show(views::WorkspaceId::Memory);
        tiles = &ran.bench.window->workspaces().panel<TilesView>(views::PanelId::Tiles);
        memory = &ran.bench.window->workspaces().view<views::LivenessView>();
        isReady = QTest::qWaitFor(
            [this] { return tiles->scene().data != nullptr && memory->chart().scene().data != nullptr; },
            20000);
        for (QWidget* child : tiles->findChildren<QWidget*>())
            if (child->accessibleName() == "Tile map")
                map = child;
    }
    [[nodiscard]] views::TilesLayout layout() const {
        return {double(map->width()), double(map->height()), views::themeOf(map).scale(),
                tiles->scene().data->history != nullptr};
    }
    [[nodiscard]] QPoint placeOf(std::size_t tile) const {
        return layout().grid(tiles->scene().data->tiles()).cell(tile).center().toPoint();
    }
    [[nodiscard]] QPoint stripAt(std::int64_t step) const {
        const std::size_t count = tiles->scene().data->tiles();
        const views::TilesLayout at = layout();
        return {int(at.stepX(count, *tiles->scene().data->history, step)), int(at.steps(count).bottom() - 4)};
    }
    [[nodiscard]] const views::TablePanel* table(const char* name) const {
        for (const QTabWidget* tabs : tiles->findChildren<QTabWidget*>())
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->tabText(i) == name)
                    return qobject_cast<const views::TablePanel*>(tabs->widget(i));
        return nullptr;
    }

    RanWindow ran;
    TilesView* tiles = nullptr;
    views::LivenessView* memory = nullptr;
    QWidget* map = nullptr;
    bool isReady = false;
};

double sumOf(const views::TableContent& content, std::size_t column) {
    double sum = 0;
    for (const auto& row : content.rows)
        sum += row[column].sort.toDouble();
    return sum;
}

} // namespace

/// Tiles over time in the window.
class TilesWindowTest : public QObject {
    Q_OBJECT

private slots:
    /// What was stored of the peak is what the blocks give at that step.
    void theStoredPeakIsThatOfTheBlocks() {
        const TilesBench bench;
        QVERIFY(bench.isReady);
        const views::TileData& data = *bench.tiles->scene().data;
        QVERIFY(data.history != nullptr);
        QCOMPARE(data.step, data.history->peakStep());
        const core::TileMemoryRecord again =
            core::tileMemoryAt(data.history->ranges, data.ipu, data.history->tiles, data.step);
        QCOMPARE(again.bytes, data.memory.bytes);
    }

    void scrubbingByMouseAndKeysMovesMapAndMemory() {
        const TilesBench bench;
        QVERIFY(bench.isReady);
        const views::TileHistory& history = *bench.tiles->scene().data->history;
        const auto last = std::int64_t(history.fullest.size()) - 1;
        QVERIFY(last > 4);
        const std::int64_t target = last / 2;
        QTest::mousePress(bench.map, Qt::LeftButton, {}, bench.stripAt(1));
        QTest::mouseMove(bench.map, bench.stripAt(target));
        QTest::mouseRelease(bench.map, Qt::LeftButton, {}, bench.stripAt(target));
        const std::int64_t step = bench.tiles->scene().data->step;
        QVERIFY(std::abs(step - target) <= 1);
        // The map is that of the step, and the memory view is frozen there.
        const views::TileStatistics figures = statisticsOf(*bench.tiles->scene().data, {});
        QCOMPARE(figures.most.value(), history.fullest[std::size_t(step)].bytes.value());
        QCOMPARE(bench.memory->chart().state().columns, std::vector<std::int64_t>{step});
        QTest::keyClick(bench.map, Qt::Key_PageDown);
        QCOMPARE(bench.tiles->scene().data->step, step + 1);
        QCOMPARE(bench.memory->chart().state().columns, std::vector<std::int64_t>{step + 1});
        // The other way round: what is frozen in the memory view is shown on the tiles.
        bench.memory->chart().setFocus();
        QTest::keyClick(&bench.memory->chart(), Qt::Key_Left);
        QCOMPARE(bench.tiles->scene().data->step, step);
        QTest::keyClick(bench.map, Qt::Key_Home);
        QCOMPARE(bench.tiles->scene().data->step, history.peakStep());
    }

    void severalTilesAreComparedAndSayWhatLiesOnThem() {
        const TilesBench bench;
        QVERIFY(bench.isReady);
        QTest::mouseClick(bench.map, Qt::LeftButton, {}, bench.placeOf(3));
        QTest::mouseClick(bench.map, Qt::LeftButton, Qt::ControlModifier, bench.placeOf(40));
        QCOMPARE(bench.tiles->scene().state.chosen, (std::vector<std::size_t>{3, 40}));
        QCOMPARE(bench.ran.bench.window->selection().state().tiles, (std::set<std::int64_t>{3, 40}));
        const views::TileData& data = *bench.tiles->scene().data;
        const views::TablePanel* blocks = bench.table("Blocks");
        const views::TablePanel* categories = bench.table("Category");
        QVERIFY(blocks != nullptr && categories != nullptr);
        for (const std::size_t column : {1, 2}) {
            const auto bytes = double(data.bytes(column == 1 ? 3 : 40, {}).value());
            QCOMPARE(sumOf(blocks->content(), column), bytes);
            QCOMPARE(sumOf(categories->content(), column), bytes);
        }
        QTest::keyClick(bench.map, Qt::Key_Escape);
        QVERIFY(bench.tiles->scene().state.chosen.empty());
    }

    /// The place that the mouse points at elsewhere is where the tiles are shown.
    void theTilesFollowTheCursor() {
        const TilesBench bench;
        QVERIFY(bench.isReady);
        const views::LivenessChart& chart = bench.memory->chart();
        const views::LivenessLayout layout = chart.chartLayout();
        const QRectF curve = layout.curve();
        const QPoint early(int(curve.left() + curve.width() * 0.1), int(curve.center().y()));
        QTest::mouseMove(bench.memory->findChild<views::LivenessChart*>(), early);
        const auto cursor = bench.ran.bench.window->selection().cursor();
        if (!cursor || !cursor->isInProgram())
            QSKIP("no times of this program");
        const auto step = bench.tiles->scene().data->history->stepAt(*cursor);
        QVERIFY(step.has_value());
        QCOMPARE(bench.tiles->scene().data->step, *step);
    }

    void theBatchSaysTheSame() {
        const TilesBench bench;
        QVERIFY(bench.isReady);
        const std::int64_t step = 2;
        bench.tiles->showStep(step);
        const tests::Workbench workbench;
        const QString database = QString::fromStdString(bench.ran.bench.window->source().path().string());
        const views::TileData& data = *bench.tiles->scene().data;
        const core::Json batch =
            workbench
                .run({"tiles", "last", "--ipu", QString::number(data.ipu.value()), "--step",
                      QString::number(step), "--tile", "5", "--json", "--database", database})
                .json();
        const views::TileStatistics figures = statisticsOf(data, {});
        QCOMPARE(batch["step"].get<std::int64_t>(), step);
        QCOMPARE(batch["fullest_tile"].get<std::size_t>(), figures.worst);
        QCOMPARE(batch["fullest_bytes"].get<std::int64_t>(), figures.most.value());
        QCOMPARE(batch["mean_bytes"].get<std::int64_t>(), figures.mean.value());
        std::int64_t sum = 0;
        for (const core::Json& block : batch["blocks"])
            sum += block["bytes"].get<std::int64_t>();
        QCOMPARE(sum, data.bytes(5, {}).value());
        const tests::Answer unknown =
            workbench.run({"tiles", "last", "--step", "999999", "--database", database});
        QCOMPARE(unknown.code, 3);
        QVERIFY2(unknown.err.contains("no step 999999"), unknown.err.constData());
    }

    void picturesToLookAt() {
        if (!qEnvironmentVariableIsSet("IPU_WORKBENCH_PICTURES"))
            QSKIP("IPU_WORKBENCH_PICTURES names no folder");
        for (const auto& [example, name] : {std::pair("encoder/encoder.ipuproj", "small"),
                                            std::pair("resnet50/resnet50.ipuproj", "large")}) {
            const TilesBench bench(example);
            QVERIFY(bench.isReady);
            QTest::mouseClick(bench.map, Qt::LeftButton, {}, bench.placeOf(3));
            QTest::mouseClick(bench.map, Qt::LeftButton, Qt::ControlModifier, bench.placeOf(400));
            bench.ran.takePictures(QStringLiteral("tiles-") + name);
        }
    }
};

REGISTER_WIDGET_TEST("tiles_window", TilesWindowTest)
#include "tiles_window_test.moc"
