#pragma once

#include <QWidget>

class QLineEdit;
class QTreeView;
class QStandardItemModel;
class QSortFilterProxyModel;

namespace views {

/// Every layer class by category: drag one to the canvas, or take it with Enter or a double click.
class LayerPalette final : public QWidget {
    Q_OBJECT

public:
    explicit LayerPalette(QWidget* parent = nullptr);

    [[nodiscard]] QLineEdit& filter() { return *m_filter; }
    [[nodiscard]] QTreeView& tree() { return *m_tree; }
    /// Layers used lately, newest first; shown above the categories.
    void setRecent(const QStringList& classNames);
    [[nodiscard]] QStringList recent() const { return m_recent; }
    void noteUsed(const QString& className);

signals:
    void layerChosen(const QString& className);
    void recentChanged();

private:
    void fill();
    void applyFilter();

    QLineEdit* m_filter;
    QTreeView* m_tree;
    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QStringList m_recent;
};

} // namespace views
