#pragma once

#include "views/profile/tables/table_panel.h"

#include <QTabWidget>
#include <vector>

class QHBoxLayout;
class QLineEdit;
class QToolButton;

namespace views {

/// A small flat button that saves a table, as used in corners and titles.
[[nodiscard]] QToolButton* saveTableButton(QWidget* parent);

/// Tables under tabs; in the corner what is put there, a filter for all of them, and the button that saves
/// the one on top.
class TableTabs final : public QTabWidget {
    Q_OBJECT

public:
    explicit TableTabs(QWidget* parent = nullptr);

    /// `fileName` is proposed for what is saved.
    TablePanel* addTable(const QString& title, const QString& fileName);
    /// A tab that is more than its table: `table` is filtered and saved, `page` shown.
    void addTablePage(QWidget* page, TablePanel* table, const QString& title, const QString& fileName);
    /// Left of the filter.
    void addToCorner(QWidget* widget);
    [[nodiscard]] QLineEdit& filter() const { return *m_filter; }

signals:
    void tableRequested(const QString& name, const QString& csv);

private:
    struct Entry {
        TablePanel* table;
        QString fileName;
    };
    std::vector<Entry> m_entries;
    QHBoxLayout* m_corner;
    QLineEdit* m_filter;
};

} // namespace views
