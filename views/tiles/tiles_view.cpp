#include "views/tiles/tiles_view.h"

#include "views/common/access/box_name.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/document/view_intents.h"
#include "views/profile/legend_bar.h"
#include "views/profile/tables/number_card.h"
#include "views/profile/tables/table_tabs.h"
#include "views/profile/view_bar.h"

#include <QAccessible>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSplitter>
#include <algorithm>
#include <set>

namespace views {

using core::Bytes;

namespace {

/// Tiles that are compared, at most.
constexpr std::size_t mostTiles = 4;

} // namespace

/// The painted part. Arrows move over the tiles, click and Enter choose, Ctrl adds; the strip below is
/// dragged, Page Up and Page Down go from step to step, Home to the peak.
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
        return {double(width()), double(height()), themeOf(this).scale(),
                scene.data && scene.data->history != nullptr};
    }

    void announce() {
        if (!scene.data)
            return;
        const TileStatistics statistics = statisticsOf(*scene.data, {});
        const std::size_t tile = scene.state.shown(statistics);
        QString text = tileName(tile, statistics) + QStringLiteral(", ") +
                       bytesText(scene.data->bytes(tile, {}), scene.state.units.bytes).joined();
        if (scene.data->history)
            text += QStringLiteral(", ") + scene.data->history->nameOf(scene.data->step);
        setAccessibleDescription(text);
        QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&changed);
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        if (scene.data)
            paintTiles(painter, scene, tilesLayout(), themeOf(this));
    }

    void mousePressEvent(QMouseEvent* event) override {
        setFocus(Qt::MouseFocusReason);
        m_isScrubbing = isOnStrip(event->position());
        if (m_isScrubbing)
            return scrub(event->position());
        const std::optional<std::size_t> tile = tileAt(event->position());
        if (tile && event->modifiers().testFlag(Qt::ControlModifier))
            return m_view.toggleTile(*tile);
        m_view.selectTile(tile);
    }

    void mouseMoveEvent(QMouseEvent* event) override {
        if (m_isScrubbing)
            return scrub(event->position());
        if (isOnStrip(event->position()))
            return m_toolTip->showAt(event->position(), stepTip(event->position()));
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
        addLargestBlocks(*tile, content);
        content.footer = TilesView::tr("Click shows what lies on it, Ctrl+click compares");
        m_toolTip->showAt(event->position(), content);
    }

    void mouseReleaseEvent(QMouseEvent* /*event*/) override { m_isScrubbing = false; }

    void leaveEvent(QEvent* /*event*/) override { m_toolTip->showAt({}, {}); }

    void keyPressEvent(QKeyEvent* event) override {
        if (!scene.data)
            return;
        if (moveStep(event))
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
        const auto now = static_cast<std::int64_t>(scene.state.chosen.empty()
                                                       ? statisticsOf(*scene.data, scene.state.category).worst
                                                       : m_view.m_lastTile);
        const auto to = static_cast<std::size_t>(
            std::clamp<std::int64_t>(now + by, 0, static_cast<std::int64_t>(scene.data->tiles()) - 1));
        // With Ctrl the tiles that were chosen stay.
        if (event->modifiers().testFlag(Qt::ControlModifier))
            m_view.toggleTile(to);
        else
            m_view.selectTile(to);
    }

private:
    [[nodiscard]] std::optional<std::size_t> tileAt(const QPointF& point) const {
        return scene.data ? tilesLayout().grid(scene.data->tiles()).tileAt(point) : std::nullopt;
    }
    [[nodiscard]] bool isOnStrip(const QPointF& point) const {
        return scene.data && scene.data->history && tilesLayout().steps(scene.data->tiles()).contains(point);
    }
    void scrub(const QPointF& point) {
        m_toolTip->showAt({}, {});
        m_view.showStep(tilesLayout().stepAt(scene.data->tiles(), *scene.data->history, point.x()));
    }

    /// Whether the key means a step.
    bool moveStep(const QKeyEvent* event) {
        if (!scene.data->history)
            return false;
        // With Shift a twentieth of the program.
        const std::int64_t by =
            event->modifiers().testFlag(Qt::ShiftModifier)
                ? std::max<std::int64_t>(1, std::int64_t(scene.data->history->fullest.size()) / 20)
                : 1;
        switch (event->key()) {
        case Qt::Key_PageUp:
            m_view.showStep(scene.data->step - by);
            return true;
        case Qt::Key_PageDown:
            m_view.showStep(scene.data->step + by);
            return true;
        case Qt::Key_Home:
            m_view.showStep(std::nullopt);
            return true;
        default:
            return false;
        }
    }

    [[nodiscard]] ToolTipContent stepTip(const QPointF& point) const {
        const TileHistory& history = *scene.data->history;
        const std::int64_t step = tilesLayout().stepAt(scene.data->tiles(), history, point.x());
        const core::FullestTile fullest = history.fullest[static_cast<std::size_t>(step)];
        ToolTipContent content;
        content.title = history.nameOf(step);
        content.rows.push_back({TilesView::tr("Fullest tile"), groupedText(fullest.tile)});
        content.rows.push_back(
            {TilesView::tr("Used"), bytesText(fullest.bytes, scene.state.units.bytes).joined()});
        content.footer = TilesView::tr("Drag, Page Up, Page Down: other steps; Home: the peak");
        return content;
    }

    void addLargestBlocks(std::size_t tile, ToolTipContent& content) const {
        if (!scene.data->history)
            return;
        constexpr std::size_t most = 4;
        const TileHistory& history = *scene.data->history;
        const auto blocks = core::blocksOnTile(history.ranges, history.tiles, static_cast<std::int64_t>(tile),
                                               scene.data->step);
        for (std::size_t i = 0; i < std::min(most, blocks.size()); ++i)
            content.rows.push_back({toQString(history.ranges[blocks[i].range].name),
                                    bytesText(blocks[i].bytes, scene.state.units.bytes).joined()});
    }

    TilesView& m_view;
    ToolTipCard* m_toolTip;
    bool m_isScrubbing = false;
};

namespace {

TableCell tileBytesCell(Bytes bytes, const UnitChoice& unit) {
    return bytes.value() == 0
               ? dashCell()
               : numberCell(fixedText(double(bytes.value()) * unit.factor, 1), double(bytes.value()));
}

/// A column for each tile, in the order of `tiles`.
void addTileColumns(const std::vector<std::size_t>& tiles, bool isWorst, const UnitChoice& unit,
                    TableContent& content) {
    for (const std::size_t tile : tiles)
        content.columns.push_back({isWorst ? QStringLiteral("Worst") : QStringLiteral("Tile %1").arg(tile),
                                   ColumnKind::Number,
                                   unit.name,
                                   0,
                                   {},
                                   false});
}

/// Of the columns that `addTileColumns` added.
void explainTileColumns(const TileData& data, const UnitChoice& unit, const QString& parts,
                        TableContent& content) {
    std::vector<std::pair<QString, NumberExplanation>> explained;
    for (const TableColumn& column : content.columns)
        if (column.title == QStringLiteral("Worst") || column.title.startsWith(QStringLiteral("Tile ")))
            explained.push_back(
                {column.title,
                 {column.title == QStringLiteral("Worst")
                      ? QStringLiteral("Bytes on the tile that has most of all categories together.")
                      : QStringLiteral("Bytes on this tile."),
                  QStringLiteral("the sum of ") + parts,
                  {{QStringLiteral("memory of a tile"),
                    inUnit(data.memoryPerTile.value(), unit).value + thinSpace + unit.name,
                    QStringLiteral("A figure of the target.")}},
                  QStringLiteral("The memory of a tile, for all categories together.")}});
    explainColumns(content, std::move(explained));
}

std::vector<std::size_t> tilesOrWorst(const TileData& data, const std::vector<std::size_t>& tiles) {
    return tiles.empty() ? std::vector{statisticsOf(data, {}).worst} : tiles;
}

} // namespace

TableContent tileTable(const TileData& data, const std::vector<std::size_t>& tiles, const Units& units) {
    TableContent content;
    const UnitChoice unit = byteUnitFor(data.memoryPerTile, units.bytes);
    const std::vector<std::size_t> shown = tilesOrWorst(data, tiles);
    content.columns = {{QStringLiteral("Category"), ColumnKind::Text, {}, 120, {}, true}};
    addTileColumns(shown, tiles.empty(), unit, content);
    content.columns.push_back({QStringLiteral("Mean"), ColumnKind::Number, {}, 0, {}, false});
    for (std::size_t i = 0; i < core::memoryCategoryCount; ++i) {
        const auto category = static_cast<core::MemoryCategory>(i);
        const TileStatistics statistics = statisticsOf(data, category);
        if (statistics.most.value() == 0)
            continue;
        TableCell name = textCell(categoryName(category));
        name.colour = [category](const Theme& theme) { return theme.category(category); };
        std::vector<TableCell> row{name};
        for (const std::size_t tile : shown)
            row.push_back(tileBytesCell(data.bytes(tile, category), unit));
        row.push_back(tileBytesCell(statistics.mean, unit));
        content.rows.push_back(std::move(row));
    }
    content.footer = {textCell(QStringLiteral("Sum"))};
    for (const std::size_t tile : shown)
        content.footer.push_back(tileBytesCell(data.bytes(tile, {}), unit));
    content.footer.push_back(tileBytesCell(statisticsOf(data, {}).mean, unit));
    explainTileColumns(data, unit, QStringLiteral("the blocks of the category that lie on it"), content);
    explainColumns(content, {{QStringLiteral("Mean"),
                              {QStringLiteral("Bytes of the category on a tile, were it spread evenly."),
                               QStringLiteral("bytes of the category on all tiles / tiles"),
                               {{QStringLiteral("tiles"), groupedText(std::int64_t(data.tiles()))}},
                               QStringLiteral("The fullest tile has at least that much.")}}});
    return content;
}

TableContent blockTable(const TileData& data, const std::vector<std::size_t>& tiles, const Units& units,
                        std::vector<std::size_t>& ranges) {
    TableContent content;
    ranges.clear();
    if (!data.history)
        return content;
    const TileHistory& history = *data.history;
    const UnitChoice unit = byteUnitFor(data.memoryPerTile, units.bytes);
    const std::vector<std::size_t> shown = tilesOrWorst(data, tiles);
    content.columns = {{QStringLiteral("Block"), ColumnKind::Text, {}, 130, {}, true}};
    addTileColumns(shown, tiles.empty(), unit, content);
    // Most blocks are named after what they are and their layer.
    content.columns.push_back({QStringLiteral("Category"), ColumnKind::Text, {}, 90, {}, false, true});
    content.columns.push_back({QStringLiteral("Layer"), ColumnKind::Text, {}, 90, {}, false, true});
    std::set<std::size_t> known;
    std::vector<Bytes> sums(shown.size());
    for (const std::size_t tile : shown)
        for (const core::BlockOnTile& block :
             core::blocksOnTile(history.ranges, history.tiles, static_cast<std::int64_t>(tile), data.step))
            if (known.insert(block.range).second)
                ranges.push_back(block.range);
    for (const std::size_t index : ranges) {
        const core::LiveRangeRecord& range = history.ranges[index];
        TableCell name = textCell(toQString(range.name));
        name.colour = [category = range.category](const Theme& theme) { return theme.category(category); };
        std::vector<TableCell> row{name};
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const Bytes bytes = range.tiles.on(static_cast<std::int64_t>(shown[i]), history.tiles);
            sums[i] += bytes;
            row.push_back(tileBytesCell(bytes, unit));
        }
        row.push_back(textCell(categoryName(range.category)));
        row.push_back(range.layer.empty() ? dashCell() : textCell(toQString(range.layer)));
        content.rows.push_back(std::move(row));
    }
    content.footer = {textCell(QStringLiteral("Sum"))};
    for (const Bytes sum : sums)
        content.footer.push_back(tileBytesCell(sum, unit));
    content.footer.resize(content.columns.size());
    explainTileColumns(data, unit, QStringLiteral("the parts of the block that are mapped to it"), content);
    return content;
}

TilesView::TilesView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                     QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent) {
    setPromise(QStringLiteral("ipu"), tr("The memory of every tile appears after a run."));
    buildBar();
    QSplitter* content = makeSplitter(Qt::Vertical, this);
    m_map = new Map(this);
    m_tabs = new TableTabs(content);
    // The panel is narrow, and both tabs have their names.
    m_tabs->filter().setFixedWidth(themeOf(this).ipx(90));
    m_table = m_tabs->addTable(tr("Category"), QStringLiteral("tile-categories"));
    m_blocks = m_tabs->addTable(tr("Blocks"), QStringLiteral("tile-blocks"));
    content->addWidget(m_map);
    content->addWidget(m_tabs);
    content->setStretchFactor(0, 3);
    content->setStretchFactor(1, 2);
    setContent(content);
    connect(m_tabs, &TableTabs::tableRequested, this,
            [this](const QString& name, const QString& csv) { this->intents().saveTable(name, csv); });
    connect(m_blocks, &TablePanel::rowChosen, this, [this](int row) {
        if (row < 0 || static_cast<std::size_t>(row) >= m_blockRanges.size())
            return;
        const core::LiveRangeRecord& range =
            data()->history->ranges[m_blockRanges[static_cast<std::size_t>(row)]];
        SelectionState state = this->selection().state();
        state.tensor = range.name;
        this->selection().set(state);
        if (!range.layer.empty())
            this->selection().selectLayer(range.layer);
    });
    connect(&selection, &Selection::cursorMoved, this, &TilesView::followStep);
    m_map->scene.state.units = document.units();
    reload();
}

void TilesView::buildBar() {
    m_category = new QComboBox(&bar());
    nameBox(*m_category, tr("Memory category"));
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

void TilesView::chooseTiles(std::vector<std::size_t> tiles) {
    std::ranges::sort(tiles);
    selection().selectTiles({tiles.begin(), tiles.end()});
    m_map->scene.state.chosen = std::move(tiles);
    m_map->update();
    m_map->announce();
    showTables();
}

void TilesView::selectTile(std::optional<std::size_t> tile) {
    m_lastTile = tile.value_or(0);
    chooseTiles(tile ? std::vector{*tile} : std::vector<std::size_t>());
}

void TilesView::toggleTile(std::size_t tile) {
    std::vector<std::size_t> tiles = m_map->scene.state.chosen;
    m_lastTile = tile;
    if (std::erase(tiles, tile) == 0 && tiles.size() < mostTiles)
        tiles.push_back(tile);
    chooseTiles(std::move(tiles));
}

void TilesView::showStep(std::optional<std::int64_t> step) {
    if (!data() || !data()->history)
        return;
    const auto last = static_cast<std::int64_t>(data()->history->fullest.size()) - 1;
    SelectionState state = selection().state();
    state.memoryStep.reset();
    if (step) {
        state.memoryStep = MemoryStepKey{data()->ipu, std::clamp<std::int64_t>(*step, 0, last)};
        // The memory view shows the same IPU, too.
        state.ipu = data()->ipu;
    }
    selection().set(std::move(state));
}

void TilesView::followStep() {
    if (!data() || !data()->history)
        return;
    const auto& frozen = selection().state().memoryStep;
    std::int64_t step = frozen && frozen->ipu == data()->ipu ? frozen->step : data()->history->peakStep();
    const std::optional<TimeCursor>& cursor = selection().cursor();
    if (cursor && cursor->isInProgram())
        step = data()->history->stepAt(*cursor).value_or(step);
    const auto wanted = atStep(m_map->scene.data, step);
    if (wanted == m_map->scene.data)
        return;
    m_map->scene.data = wanted;
    m_map->update();
    m_map->announce();
    showTables();
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
    std::erase_if(m_map->scene.state.chosen,
                  [this](std::size_t tile) { return !data() || tile >= data()->tiles(); });
    m_blocks->setEmptyText(data() && !data()->history
                               ? tr("An older version recorded this run: where its blocks lie is not known.")
                               : QString());
    followStep();
}

void TilesView::setUnits(const Units& units) {
    m_map->scene.state.units = units;
}

void TilesView::followSelection(const SelectionState& before) {
    const SelectionState& now = selection().state();
    const bool isOtherIpu = now.ipu && now.ipu != before.ipu && !(data() && data()->ipu == *now.ipu);
    if (now.run != before.run || isOtherIpu)
        reload();
    if (now.memoryStep != before.memoryStep)
        followStep();
}

void TilesView::showData() {
    m_map->update();
    showTables();
}

void TilesView::showTables() {
    if (!m_map->scene.data)
        return;
    const TilesState& state = m_map->scene.state;
    m_table->setContent(tileTable(*m_map->scene.data, state.chosen, state.units));
    m_blocks->setContent(blockTable(*m_map->scene.data, state.chosen, state.units, m_blockRanges));
}

} // namespace views
