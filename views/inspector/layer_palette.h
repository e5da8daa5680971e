#pragma once

#include <QWidget>

class QLineEdit;
class QTreeView;
class QStandardItemModel;
class QSortFilterProxyModel;

namespace views {

class ViewIntents;

/// Every layer class by category: drag one to the canvas, or take it with Enter or a double click.
class LayerPalette final : public QWidget {
    Q_OBJECT

public:
    explicit LayerPalette(ViewIntents& intents, QWidget* parent = nullptr);

    [[nodiscard]] QLineEdit& filter() { return *m_filter; }
    [[nodiscard]] QTreeView& tree() { return *m_tree; }

private:
    void choose(const QString& className);
    void fill();
    void applyFilter();

    ViewIntents& m_intents;
    QLineEdit* m_filter;
    QTreeView* m_tree;
    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_proxy;
    /// Classes that were added last, newest first; above the categories.
    QStringList m_recent;
};

} // namespace views
