#pragma once

#include "views/document/document.h"
#include "views/document/selection.h"

#include <QTreeView>

class QLineEdit;
class QSortFilterProxyModel;
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
    void rebuild();
    void followSelection();
    void takeSelection();

    Document& m_document;
    Selection& m_selection;
    ViewIntents& m_intents;
    QLineEdit* m_filter;
    QTreeView* m_tree;
    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_proxy;
    bool m_isFollowing = false;
};

} // namespace views
