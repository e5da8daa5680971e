#pragma once

#include "views/profile/tables/folded_columns.h"
#include "views/profile/tables/table_content.h"

#include <QWidget>
#include <optional>
#include <set>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace views {

/// Fill of a cell whose value is this share of the largest of its column.
[[nodiscard]] QColor tableHeatColor(const Theme& theme, double share);
/// Black or white, whichever reads better on a fill.
[[nodiscard]] QColor inkOn(const QColor& fill);

class FilterChips;
class NumberCard;

/// A table of values: sortable, with its sum below, copyable, exported as CSV, columns chosen by a right
/// click on the header, rows activated by Enter or double click; a right click or Ctrl+E on a number explains
/// it. Rows are spoken of by their number in the
/// content, whatever the order of display.
class TablePanel final : public QWidget {
    Q_OBJECT

public:
    explicit TablePanel(const QString& accessibleName, QWidget* parent = nullptr);

    void setContent(TableContent content);
    [[nodiscard]] const TableContent& content() const { return m_model->content(); }
    /// Rows that meet every part of `text` (RowFilter) and of the filters that were kept, and their sum where
    /// the content can tell it.
    void setFilter(const QString& text);
    /// Why what is typed or kept cannot be followed; empty where it can.
    [[nodiscard]] const QString& filterTrouble() const { return m_filterTrouble; }
    /// The present filter stays, as a chip above the table, and another one is added to it.
    void keepFilter();
    /// The kept filter that was added last is the present one again; nothing where none is kept.
    std::optional<QString> takeFilter();
    void setKeptFilters(const QStringList& filters);
    [[nodiscard]] const QStringList& keptFilters() const { return m_kept; }
    /// Said in place of the rows where there is none.
    void setEmptyText(const QString& text);
    /// −1: none.
    void setCurrentRow(int row);
    [[nodiscard]] int currentRow() const;
    /// Several rows, one of which is the current one.
    void setChosenRows(const std::vector<int>& rows, int current);
    /// In the order of the content.
    [[nodiscard]] std::vector<int> chosenRows() const;
    /// For narrow panels: columns that have no room go on below the others instead of beyond the edge.
    void foldColumns();
    [[nodiscard]] const FoldedColumns& folded() const { return m_folded; }
    /// Shows how the number of a cell comes about; false where nothing is known of it.
    bool explain(int row, int column);
    /// Null until a number was explained.
    [[nodiscard]] NumberCard* numberCard() const { return m_card; }
    void sortBy(int column, Qt::SortOrder order);
    [[nodiscard]] QTableView& table() const { return *m_table; }
    [[nodiscard]] QString toCsv() const;

signals:
    /// The user chose a row (click, arrow keys).
    void rowChosen(int row);
    /// Before that, of all rows that are chosen now; also where the current one stays.
    void rowsChosen(const std::vector<int>& rows);
    void rowActivated(int row);
    void rowTicked(int row, bool isTicked);
    /// Filters were kept, taken back or removed.
    void keptFiltersChanged(const QStringList& filters);
    /// A figure of the run was chosen in an explanation.
    void figureRequested(const QString& figure);
    /// F2, or a click into a cell of the selected row, and Enter.
    void cellEdited(int row, int column, const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// In px.
    struct ColumnWidth {
        /// What its cells want.
        int cells = 0;
        int inOneLine = 0;
        /// With the title in two lines.
        int folded = 0;
    };

    void adjustColumns();
    void foldTitles();
    void foldBelow();
    [[nodiscard]] int neededOf(int column) const;
    void stretchColumns();
    void chooseColumns(const QPoint& at);
    void chooseOfCell(const QPoint& at);
    void explainCurrent();
    void followLink(int row, const QString& link);
    void applyFilters();
    void explainNothing();
    void sumWhatIsShown();
    void placeNothing();
    /// Of a row of the content among those displayed; −1: filtered out.
    [[nodiscard]] int placeOf(int row) const;

    QTableView* m_table;
    ContentModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QLabel* m_nothing;
    FilterChips* m_chips;
    NumberCard* m_card = nullptr;
    QString m_filter;
    QStringList m_kept;
    QString m_filterTrouble;
    QLabel* m_trouble;
    QString m_emptyText;
    bool m_isSetting = false;
    bool m_foldsColumns = false;
    FoldedColumns m_folded;
    std::vector<QString> m_titles;
    std::vector<ColumnWidth> m_widths;
    /// Whether titles take two lines; nothing: new widths are not applied yet.
    std::optional<bool> m_isFolded;
    /// Columns for which there is no space, and those of which the user decided.
    std::set<int> m_leftOut;
    std::set<int> m_chosenColumns;
};

/// Lets an edit filter tables as one types; Enter keeps the filter above the table and empties the edit, and
/// Backspace in the empty edit takes the last one back. `tablesOf` is asked each time.
void filterTables(QLineEdit& edit, std::function<std::vector<TablePanel*>()> tablesOf);

} // namespace views
