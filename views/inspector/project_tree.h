#pragma once

#include "views/document/document.h"
#include "views/document/selection.h"

#include <QTimer>
#include <QTreeView>
#include <map>
#include <vector>

class QLineEdit;
class QSortFilterProxyModel;
class QStandardItem;
class QStandardItemModel;

namespace views {

class ViewIntents;

/// The project as a list one can walk with the keyboard: its stages and layers (the twin of the canvas),
/// data, system.
class ProjectTree final : public QWidget {
    Q_OBJECT

public:
    ProjectTree(Document& document, Selection& selection, ViewIntents& intents, QWidget* parent = nullptr);

    [[nodiscard]] QTreeView& tree() { return *m_tree; }
    [[nodiscard]] QLineEdit& filter() { return *m_filter; }

private:
    /// A row as it is to be, with those below it.
    struct Row {
        /// Tells it from its neighbours and lasts over edits.
        QString id;
        QString text;
        QString icon;
        QString remark;
        QVariant stage;
        QVariant panel;
        std::optional<InvocationKey> call;
        std::vector<Row> children;
    };
    void rebuild();
    [[nodiscard]] std::vector<Row> wantedRows() const;
    /// Makes the rows below an item those that are wanted, and touches none that is as it should be.
    static void putRows(QStandardItem& parent, const std::vector<Row>& shown, const std::vector<Row>& wanted);
    [[nodiscard]] static QStandardItem* itemOf(const Row& row);
    void followSelection();
    void takeSelection();

    Document& m_document;
    Selection& m_selection;
    ViewIntents& m_intents;
    QLineEdit* m_filter;
    QTreeView* m_tree;
    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_proxy;
    std::vector<Row> m_rows;
    std::map<InvocationKey, QStandardItem*> m_itemOf;
    /// The drawing is shown before the list beside it.
    QTimer m_soon;
    bool m_isFollowing = false;
};

} // namespace views
