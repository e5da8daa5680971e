#pragma once

#include "views/common/widgets/picture_export.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/profile_query.h"
#include "views/profile/profile_source.h"
#include "views/profile/tables/table_content.h"
#include "views/tiles/tiles_painter.h"

#include <QWidget>

class QComboBox;
class QStackedWidget;

namespace views {

class EmptyView;
class TablePanel;
class ViewIntents;

/// The tiles of an IPU: map, histogram, and what is on one tile. Stands beside the memory view.
class TilesView final : public QWidget {
    Q_OBJECT

public:
    TilesView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
              QWidget* parent = nullptr);

    [[nodiscard]] const TilesScene& scene() const;
    void selectTile(std::optional<std::size_t> tile);

    [[nodiscard]] QSize sizeHint() const override { return {320, 620}; }

private:
    class Map;

    void reload();
    void showData();
    void showCategories();

    Document& m_document;
    Selection& m_selection;
    ProfileSource& m_source;
    ViewIntents& m_intents;
    QComboBox* m_category;
    QStackedWidget* m_stack;
    EmptyView* m_empty;
    QWidget* m_content;
    Map* m_map;
    TablePanel* m_table;
    core::Diagnostics m_trouble;
    ProfileQuery m_query;
};

/// What is on a tile (nothing: on the mean tile) by category.
[[nodiscard]] TableContent tileTable(const TileData& data, std::optional<std::size_t> tile,
                                     const Units& units);

} // namespace views
