#pragma once

#include "views/profile/tables/table_content.h"

#include <QWidget>

class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace views {

/// Fill of a cell whose value is this share of the largest of its column.
[[nodiscard]] QColor tableHeatColor(const Theme& theme, double share);
/// Black or white, whichever reads better on a fill.
[[nodiscard]] QColor inkOn(const QColor& fill);

/// A table of values: sortable, with its sum below, copyable, exported as CSV, columns chosen by a right
/// click on the header, rows activated by Enter or double click. Rows are spoken of by their number in the
/// content, whatever the order of display.
class TablePanel final : public QWidget {
    Q_OBJECT

public:
    explicit TablePanel(const QString& accessibleName, QWidget* parent = nullptr);

    void setContent(TableContent content);
    [[nodiscard]] const TableContent& content() const { return m_model->content(); }
    /// Rows whose text holds every word of `text`, and their sum where the content can tell it.
    void setFilter(const QString& text);
    /// Said in place of the rows where there is none.
    void setEmptyText(const QString& text);
    /// −1: none.
    void setCurrentRow(int row);
    [[nodiscard]] int currentRow() const;
    void sortBy(int column, Qt::SortOrder order);
    [[nodiscard]] QTableView& table() const { return *m_table; }
    [[nodiscard]] QString toCsv() const;

signals:
    /// The user chose a row (click, arrow keys).
    void rowChosen(int row);
    void rowActivated(int row);
    void rowTicked(int row, bool isTicked);
    /// F2, or a click into a cell of the selected row, and Enter.
    void cellEdited(int row, int column, const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void adjustColumns();
    void stretchColumns();
    void chooseColumns(const QPoint& at);
    void explainNothing();
    void sumWhatIsShown();
    void placeNothing();

    QTableView* m_table;
    ContentModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QLabel* m_nothing;
    QString m_filter;
    QString m_emptyText;
    bool m_isSetting = false;
    std::vector<QString> m_titles;
};

} // namespace views
