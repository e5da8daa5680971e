#pragma once

#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/tables/table_content.h"

#include <QWidget>
#include <vector>

class QComboBox;
class QLineEdit;
class QStackedWidget;

namespace views {

class EmptyView;
class HeatScale;
class TablePanel;
class ViewIntents;

/// Every call of a model's layers with its figures, in post-order: per micro-batch, as the estimate of the
/// plan has them. Weights of a layer that is called again are counted at its first call.
struct LayerTableContent {
    TableContent table;
    /// The call of each row.
    std::vector<InvocationKey> calls;
};
/// `heatColumn`: a column of figures whose cells are coloured by their share of the largest; −1 for none.
[[nodiscard]] LayerTableContent layerTable(const Document& document, int heatColumn = -1);

/// The layers of the project as a table: sorted by any figure, filtered, saved as CSV; rows are selected with
/// the canvas. Names, stages and units (or filters) of layers of the outermost model are changed in their
/// cells.
class LayerTable final : public QWidget {
    Q_OBJECT

public:
    LayerTable(Document& document, Selection& selection, ViewIntents& intents, QWidget* parent = nullptr);

    [[nodiscard]] TablePanel& table() { return *m_table; }
    [[nodiscard]] QLineEdit& filter() { return *m_filter; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// Now, or when it is seen next.
    void rebuild();
    void followSelection();
    void applyEdit(int row, int column, const QString& text);
    void chooseHeat();

    Document& m_document;
    Selection& m_selection;
    QStackedWidget* m_stack;
    EmptyView* m_empty;
    QLineEdit* m_filter;
    TablePanel* m_table;
    std::vector<InvocationKey> m_calls;
    bool m_isStale = true;
    QComboBox* m_heat;
    HeatScale* m_scale;
    int m_heatColumn = -1;
};

} // namespace views
