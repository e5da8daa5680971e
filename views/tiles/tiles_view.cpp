#include "views/tiles/tiles_view.h"

#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/profile/legend_bar.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/view_bar.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>

namespace views {

using core::Bytes;

/// The painted part: arrows move over the tiles, click and Enter select.
class TilesView::Map final : public QWidget {
public:
    explicit Map(TilesView* view)
        : QWidget(view)
        , m_view(*view)
        , m_toolTip(new ToolTipCard(this)) {
        setMouseTracking(true);
        setFocusPolicy(Qt::StrongFocus);
        setMinimumSize(200, 260);
        setAccessibleName(TilesView::tr("Tile map"));
    }

    TilesScene scene;

    [[nodiscard]] TilesLayout tilesLayout() const {
        return {double(width()), double(height()), themeOf(this).scale()};
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        if (scene.data)
            paintTiles(painter, scene, tilesLayout(), themeOf(this));
    }

    void mousePressEvent(QMouseEvent* event) override { m_view.selectTile(tileAt(event->position())); }

    void mouseMoveEvent(QMouseEvent* event) override {
        const std::optional<std::size_t> tile = tileAt(event->position());
        if (!tile)
            return m_toolTip->showAt({}, {});
        const Bytes used = scene.data->bytes(*tile, scene.state.category);
        ToolTipContent content;
        content.title = TilesView::tr("Tile %1").arg(*tile);
        const ByteUnit unit = scene.state.units.bytes;
        content.rows.push_back(
            {scene.state.category ? categoryName(*scene.state.category) : TilesView::tr("Used"),
             bytesText(used, unit).joined()});
        content.rows.push_back({TilesView::tr("Limit"), bytesText(scene.data->memoryPerTile, unit).joined()});
        m_toolTip->showAt(event->position(), content);
    }

    void leaveEvent(QEvent* /*event*/) override { m_toolTip->showAt({}, {}); }

    void keyPressEvent(QKeyEvent* event) override {
        if (!scene.data)
            return;
        const auto columns = static_cast<std::int64_t>(tilesLayout().grid(scene.data->tiles()).columns);
        const std::int64_t by = event->key() == Qt::Key_Left    ? -1
                                : event->key() == Qt::Key_Right ? 1
                                : event->key() == Qt::Key_Up    ? -columns
                                : event->key() == Qt::Key_Down  ? columns
                                                                : 0;
        if (event->key() == Qt::Key_Escape)
            return m_view.selectTile(std::nullopt);
        if (by == 0)
            return QWidget::keyPressEvent(event);
        const auto now = static_cast<std::int64_t>(
            scene.state.selected.value_or(statisticsOf(*scene.data, scene.state.category).worst));
        m_view.selectTile(static_cast<std::size_t>(
            std::clamp<std::int64_t>(now + by, 0, static_cast<std::int64_t>(scene.data->tiles()) - 1)));
    }

private:
    [[nodiscard]] std::optional<std::size_t> tileAt(const QPointF& point) const {
        return scene.data ? tilesLayout().grid(scene.data->tiles()).tileAt(point) : std::nullopt;
    }

    TilesView& m_view;
    ToolTipCard* m_toolTip;
};

TableContent tileTable(const TileData& data, std::optional<std::size_t> tile, const Units& units) {
    TableContent content;
    const UnitChoice unit = byteUnitFor(data.memoryPerTile, units.bytes);
    content.columns = {{QStringLiteral("Category"), ColumnKind::Text, {}, 120, {}, true},
                       {tile ? QStringLiteral("Tile %1").arg(*tile) : QStringLiteral("Worst"),
                        ColumnKind::Number,
                        unit.name,
                        0,
                        {},
                        false},
                       {QStringLiteral("Mean"), ColumnKind::Number, {}, 0, {}, false}};
    const std::size_t shown = tile.value_or(statisticsOf(data, {}).worst);
    const auto cell = [&](Bytes bytes) {
        return bytes.value() == 0
                   ? dashCell()
                   : numberCell(fixedText(double(bytes.value()) * unit.factor, 1), double(bytes.value()));
    };
    for (std::size_t i = 0; i < core::memoryCategoryCount; ++i) {
        const auto category = static_cast<core::MemoryCategory>(i);
        const TileStatistics statistics = statisticsOf(data, category);
        if (statistics.most.value() == 0)
            continue;
        TableCell name = textCell(categoryName(category));
        name.colour = [category](const Theme& theme) { return theme.category(category); };
        content.rows.push_back({name, cell(data.bytes(shown, category)), cell(statistics.mean)});
    }
    content.footer = {textCell(QStringLiteral("Sum")), cell(data.bytes(shown, {})),
                      cell(statisticsOf(data, {}).mean)};
    return content;
}

TilesView::TilesView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                     QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent) {
    setPromise(QStringLiteral("ipu"), tr("The memory of every tile appears after a run."));
    buildBar();
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_map = new Map(this);
    m_table = new TablePanel(tr("Memory of a tile by category"), content);
    column->addWidget(m_map, 3);
    column->addWidget(m_table, 2);
    setContent(content);
    m_map->scene.state.units = document.units();
    reload();
}

void TilesView::buildBar() {
    m_category = new QComboBox(&bar());
    m_category->setAccessibleName(tr("Memory category"));
    m_category->addItem(tr("All categories"), -1);
    for (std::size_t i = 0; i < core::memoryCategoryCount; ++i)
        m_category->addItem(categoryName(static_cast<core::MemoryCategory>(i)), static_cast<int>(i));
    bar().add(m_category);
    bar().addStretch();
    addPictureExport(tr("Save the picture"), [this] { return picture(); });
    connect(m_category, &QComboBox::activated, this, [this](int index) {
        const int id = m_category->itemData(index).toInt();
        m_map->scene.state.category =
            id < 0 ? std::nullopt : std::optional(static_cast<core::MemoryCategory>(id));
        m_map->update();
    });
}

std::optional<Picture> TilesView::picture() const {
    if (!data())
        return std::nullopt;
    const TilesLayout size = m_map->tilesLayout();
    return Picture{tr("Tiles of IPU %1").arg(data()->ipu.value()), QSizeF(size.width, size.height),
                   [kept = scene(), size, theme = themeOf(this)](QPainter& painter) {
                       paintTiles(painter, kept, size, theme);
                   }};
}

const TilesScene& TilesView::scene() const {
    return m_map->scene;
}

void TilesView::selectTile(std::optional<std::size_t> tile) {
    m_map->scene.state.selected = tile;
    m_map->update();
    showCategories();
}

TilesView::Query TilesView::query() const {
    const std::optional<core::RunId> run = chosenRun();
    if (!run)
        return {};
    return [run, ipu = selection().state().ipu](const core::ProfileDatabase& database) {
        return loadTiles(database, *run, ipu);
    };
}

void TilesView::dataChanged() {
    m_map->scene.data = data();
    m_map->scene.state.selected.reset();
}

void TilesView::setUnits(const Units& units) {
    m_map->scene.state.units = units;
}

void TilesView::followSelection(const SelectionState& before) {
    const SelectionState& now = selection().state();
    if (now.run != before.run || (now.ipu != before.ipu && now.ipu))
        reload();
}

void TilesView::showData() {
    m_map->update();
    showCategories();
}

void TilesView::showCategories() {
    if (data())
        m_table->setContent(tileTable(*data(), scene().state.selected, scene().state.units));
}

} // namespace views
