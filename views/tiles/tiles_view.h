#pragma once

#include "views/profile/profile_view.h"
#include "views/profile/tables/table_content.h"
#include "views/tiles/tiles_painter.h"

class QComboBox;

namespace views {

class TablePanel;

/// The tiles of an IPU: map, histogram, and what is on one tile. Stands beside the memory view.
class TilesView final : public ProfileViewOf<TileData> {
    Q_OBJECT

public:
    TilesView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
              QWidget* parent = nullptr);

    [[nodiscard]] const TilesScene& scene() const;
    void selectTile(std::optional<std::size_t> tile);

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
    void showCategories();
    [[nodiscard]] std::optional<Picture> picture() const;

    QComboBox* m_category = nullptr;
    Map* m_map = nullptr;
    TablePanel* m_table = nullptr;
};

/// What is on a tile (nothing: on the mean tile) by category.
[[nodiscard]] TableContent tileTable(const TileData& data, std::optional<std::size_t> tile,
                                     const Units& units);

} // namespace views
