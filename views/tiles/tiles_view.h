#pragma once

#include "views/profile/profile_view.h"
#include "views/profile/tables/table_content.h"
#include "views/tiles/tiles_painter.h"

class QComboBox;

namespace views {

class TablePanel;
class TableTabs;

/// The tiles of an IPU at a step of its program: map, histogram, the fullest tile over the steps, and what
/// lies on the tiles that were chosen. It follows the step that the memory view is frozen at, and while the
/// mouse is on a program elsewhere, that place. Stands beside the memory view.
class TilesView final : public ProfileViewOf<TileData> {
    Q_OBJECT

public:
    TilesView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
              QWidget* parent = nullptr);

    [[nodiscard]] const TilesScene& scene() const;
    /// Nothing: the worst one is looked at.
    void selectTile(std::optional<std::size_t> tile);
    /// Adds a tile to those that are compared, or takes it away; most of them: four.
    void toggleTile(std::size_t tile);
    /// Shows a step of the program here and in the memory view (clamped); nothing: the peak.
    void showStep(std::optional<std::int64_t> step);

    [[nodiscard]] QSize sizeHint() const override { return {320, 620}; }

protected:
    [[nodiscard]] Query query() const override;
    void dataChanged() override;
    void showData() override;
    void setUnits(const Units& units) override;
    void followSelection(const SelectionState& before) override;

private:
    class Map;

    void buildBar();
    /// The step that is asked for: under the mouse elsewhere, else frozen, else the peak.
    void followStep();
    void chooseTiles(std::vector<std::size_t> tiles);
    void showTables();
    [[nodiscard]] std::optional<Picture> picture() const;

    QComboBox* m_category = nullptr;
    Map* m_map = nullptr;
    TableTabs* m_tabs = nullptr;
    TablePanel* m_table = nullptr;
    TablePanel* m_blocks = nullptr;
    /// From which arrows go on.
    std::size_t m_lastTile = 0;
    /// Index into the ranges of each row of blocks.
    std::vector<std::size_t> m_blockRanges;
};

/// What is on some tiles (none: on the worst) by category, beside the mean tile.
[[nodiscard]] TableContent tileTable(const TileData& data, const std::vector<std::size_t>& tiles,
                                     const Units& units);
/// The blocks that lie on some tiles (none: on the worst) at the step, largest first; they add up to the
/// tiles. `ranges` is filled with the block of each row. Empty where the run does not say where blocks lie.
[[nodiscard]] TableContent blockTable(const TileData& data, const std::vector<std::size_t>& tiles,
                                      const Units& units, std::vector<std::size_t>& ranges);

} // namespace views
