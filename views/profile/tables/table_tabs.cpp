#include "views/profile/tables/table_tabs.h"

#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QTabBar>
#include <QToolButton>

namespace views {

QToolButton* saveTableButton(QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(icon(button, QStringLiteral("export")));
    button->setToolTip(TableTabs::tr("Save the table"));
    button->setAccessibleName(TableTabs::tr("Save the table"));
    button->setProperty("kind", "quiet");
    button->setProperty("small", true);
    return button;
}

TableTabs::TableTabs(QWidget* parent)
    : QTabWidget(parent) {
    setDocumentMode(true);
    setAccessibleName(tr("Tables"));
    auto* corner = new QWidget(this);
    m_corner = new QHBoxLayout(corner);
    m_corner->setContentsMargins(0, 0, 8, 8);
    m_filter = new QLineEdit(corner);
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter the table"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setProperty("small", true);
    m_filter->setFixedWidth(themeOf(this).ipx(150));
    m_corner->addWidget(m_filter, 0, Qt::AlignVCenter);
    QToolButton* save = saveTableButton(corner);
    m_corner->addWidget(save, 0, Qt::AlignVCenter);
    setCornerWidget(corner);
    filterTables(*m_filter, [this] {
        std::vector<TablePanel*> tables;
        for (const Entry& entry : m_entries)
            tables.push_back(entry.table);
        return tables;
    });
    connect(save, &QToolButton::clicked, this, [this] {
        const Entry& entry = m_entries[static_cast<std::size_t>(currentIndex())];
        emit tableRequested(entry.fileName, entry.table->toCsv());
    });
}

TablePanel* TableTabs::addTable(const QString& title, const QString& fileName) {
    auto* table = new TablePanel(title, this);
    addTablePage(table, table, title, fileName);
    return table;
}

void TableTabs::addTablePage(QWidget* page, TablePanel* table, const QString& title,
                             const QString& fileName) {
    m_entries.push_back({table, fileName});
    addTab(page, title);
    // The corner is as high as the tabs, which have their height once there is one.
    cornerWidget()->setFixedHeight(tabBar()->sizeHint().height());
}

void TableTabs::addToCorner(QWidget* widget) {
    m_corner->insertWidget(m_corner->count() - 2, widget, 0, Qt::AlignVCenter);
}

} // namespace views
