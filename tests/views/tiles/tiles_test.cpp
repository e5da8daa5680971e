#include "core/profile/queries/run_queries.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/tiles/tiles_view.h"

#include <QApplication>
#include <QPainter>
#include <QtTest/QTest>
#include <numeric>

using namespace views;

class TilesTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;

    TileData load(std::size_t ipu) {
        const auto database = core::ProfileDatabase::open(m_runs.path());
        return loadTiles(*database, core::RunId(1), core::IpuId(ipu)).value();
    }

private slots:
    void initTestCase() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        m_runs.add();
    }

    void theGridHoldsEveryTileOnce_data() {
        QTest::addColumn<int>("tiles");
        QTest::addColumn<QSizeF>("size");
        QTest::addColumn<int>("columns");
        QTest::newRow("ipu2 in the mockup's area") << 1472 << QSizeF(460, 320) << 46;
        QTest::newRow("square") << 1472 << QSizeF(400, 400) << 38;
        QTest::newRow("ipu1") << 1216 << QSizeF(460, 320) << 42;
        QTest::newRow("one") << 1 << QSizeF(100, 50) << 1;
        QTest::newRow("flat") << 10 << QSizeF(1000, 10) << 10;
    }
    void theGridHoldsEveryTileOnce() {
        QFETCH(int, tiles);
        QFETCH(QSizeF, size);
        QFETCH(int, columns);
        const TileGrid grid = gridFor(std::size_t(tiles), QRectF(QPointF(3, 5), size));
        QCOMPARE(int(grid.columns), columns);
        for (std::size_t tile = 0; tile < grid.tiles; ++tile) {
            QVERIFY(grid.area.adjusted(-0.01, -0.01, 0.01, 0.01).contains(grid.cell(tile)));
            QCOMPARE(grid.tileAt(grid.cell(tile).center()).value(), tile);
        }
        QVERIFY(!grid.tileAt(QPointF(0, 0)));
    }

    void figuresAreThoseOfTheRun() {
        const auto database = core::ProfileDatabase::open(m_runs.path());
        const auto summary = core::loadRun(*database, core::RunId(1)).value();
        for (const core::IpuMemorySummary& memory : summary.memory) {
            const TileData data = load(memory.ipu.index());
            const TileStatistics statistics = statisticsOf(data, {});
            QVERIFY(statistics.most == memory.worstTileBytes);
            QCOMPARE(std::int64_t(statistics.worst), memory.worstTile);
            const TileHistogram histogram = histogramOf(data, {}, 44);
            QCOMPARE(std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::size_t{0}),
                     data.tiles());
            QVERIFY(histogram.to > data.memoryPerTile);
        }
    }

    void theTableSumsToTheTile() {
        const TileData data = load(0);
        const TableContent table = tileTable(data, {17}, {});
        double sum = 0;
        for (const auto& row : table.rows)
            sum += row[1].sort.toDouble();
        QCOMPARE(sum, double(data.bytes(17, {}).value()));
        QCOMPARE(table.footer[1].sort.toDouble(), sum);
    }

    void keysMoveOverTheTiles() {
        Document document;
        Selection selection;
        ProfileSource source;
        tests::RecordedIntents intents;
        TilesView view(document, selection, source, intents);
        view.show();
        source.setPath(m_runs.path());
        selection.selectRun(core::RunId(1));
        QTRY_VERIFY(view.scene().data != nullptr);
        view.selectTile(100);
        QWidget* map = nullptr;
        for (QWidget* child : view.findChildren<QWidget*>()) {
            if (child->accessibleName() == "Tile map")
                map = child;
        }
        QTest::keyClick(map, Qt::Key_Right);
        QCOMPARE(view.scene().state.chosen, std::vector<std::size_t>{101});
        QTest::keyClick(map, Qt::Key_Escape);
        QVERIFY(view.scene().state.chosen.empty());
    }

    /// However long the names beside them.
    void theFiguresOfACardAreSeen() {
        const Theme theme(ThemeKind::Light);
        ToolTipContent content;
        content.title = "Tile 328";
        content.rows = {{"Used", "263.6 KiB"}, {"FIFO of conv4_block2_3_conv/add_bias/out", "4.27 KiB"}};
        const auto painted = [&] {
            QImage image(200, 90, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintToolTip(painter, image.rect(), content, theme);
            return image;
        };
        const QImage with = painted();
        for (ToolTipContent::Row& row : content.rows) {
            // Replaced by spaces as wide, which leave the names where they are.
            row.value = QString(row.value.size(), QChar(0x00A0));
        }
        QVERIFY(painted() != with);
        // A card of a narrow view is wider than its half.
        QWidget view;
        view.resize(300, 300);
        ToolTipCard card(&view);
        card.showAt({10, 10}, content);
        QVERIFY(card.width() > 200 && card.geometry().right() < 300);
    }

    /// IPU_WORKBENCH_PICTURES=folder keeps what was drawn, to be looked at.
    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("set IPU_WORKBENCH_PICTURES to a folder to see the pictures");
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, Theme(kind));
            Document document;
            Selection selection;
            ProfileSource source;
            tests::RecordedIntents intents;
            TilesView view(document, selection, source, intents);
            view.resize(330, 760);
            view.show();
            source.setPath(m_runs.path());
            selection.selectRun(core::RunId(1));
            QTRY_VERIFY(view.scene().data != nullptr);
            QTest::qWait(50);
            view.grab().save(QStringLiteral("%1/tiles-%2.png").arg(folder, themeName(kind)));
        }
    }
};

REGISTER_WIDGET_TEST("tiles", TilesTest)
#include "tiles_test.moc"
