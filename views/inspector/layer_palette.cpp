#include "views/inspector/layer_palette.h"

#include "core/model/graph/layer_catalogue.h"
#include "views/common/text/fuzzy_match.h"
#include "views/common/text/layer_texts.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/filter_edit.h"
#include "views/common/widgets/table_style.h"
#include "views/document/layer_drag.h"
#include "views/document/view_intents.h"

#include <QAction>
#include <QLineEdit>
#include <QMimeData>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

namespace views {

namespace {

constexpr int classRole = SortRole + 100;
constexpr qsizetype mostRecent = 5;

/// Dragging gives the class name.
class PaletteModel final : public QStandardItemModel {
public:
    using QStandardItemModel::QStandardItemModel;

    [[nodiscard]] QStringList mimeTypes() const override { return {layerMimeType}; }
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override {
        auto* data = new QMimeData;
        if (!indexes.isEmpty())
            data->setData(layerMimeType, indexes.front().data(classRole).toString().toUtf8());
        return data;
    }
};

/// Shows classes that fit the typed letters, and the categories that hold one.
class PaletteFilter final : public QSortFilterProxyModel {
public:
    PaletteFilter(QObject* parent, const QLineEdit& field)
        : QSortFilterProxyModel(parent)
        , m_field(field) {
        setRecursiveFilteringEnabled(true);
    }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QModelIndex index = sourceModel()->index(row, 0, parent);
        const QString className = index.data(classRole).toString();
        if (className.isEmpty())
            return m_field.text().isEmpty();
        return fuzzyMatch(m_field.text(), className).has_value();
    }

private:
    const QLineEdit& m_field;
};

QStandardItem* classItem(const core::LayerDefinition& definition) {
    const QString name = toQString(definition.className);
    auto* item = new QStandardItem(name);
    item->setEditable(false);
    item->setData(name, classRole);
    item->setData(layerIcon(definition.className), IconNameRole);
    item->setToolTip(toQString(definition.documentation));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled);
    return item;
}

QStandardItem* categoryItem(const QString& title, const QString& iconName, int count) {
    auto* item = new QStandardItem(title);
    QFont bold;
    bold.setBold(true);
    item->setFont(bold);
    item->setData(iconName, IconNameRole);
    item->setData(QString::number(count), RemarkRole);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    return item;
}

QString capitalized(const QString& text) {
    return text.isEmpty() ? text : text.left(1).toUpper() + text.mid(1);
}

} // namespace

LayerPalette::LayerPalette(ViewIntents& intents, QWidget* parent)
    : QWidget(parent)
    , m_intents(intents)
    , m_filter(new QLineEdit(this))
    , m_tree(new QTreeView(this))
    , m_model(new PaletteModel(this))
    , m_proxy(new PaletteFilter(this, *m_filter)) {
    const Theme& theme = themeOf(this);
    setAccessibleName(tr("Layers"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, theme.ipx(8), 0, 0);
    layout->setSpacing(theme.ipx(6));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.ipx(8), 0, theme.ipx(8), 0);
    makeFilter(*m_filter, tr("Filter layers"), QStringLiteral("search"));
    m_filter->setPlaceholderText(tr("Filter %1 layers").arg(core::layerCatalogue().size()));
    row->addWidget(m_filter);
    layout->addLayout(row);
    m_proxy->setSourceModel(m_model);
    m_tree->setModel(m_proxy);
    styleTree(*m_tree);
    // Long class names have room in a narrow panel.
    m_tree->setIndentation(theme.ipx(11));
    m_tree->setHeaderHidden(true);
    m_tree->setDragEnabled(true);
    m_tree->setDragDropMode(QAbstractItemView::DragOnly);
    m_tree->setAccessibleName(tr("Layer classes"));
    layout->addWidget(m_tree, 1);
    m_recent = m_intents.recentLayers().mid(0, mostRecent);
    fill();
    connect(m_filter, &QLineEdit::textChanged, this, &LayerPalette::applyFilter);
    const auto chooseIndex = [this](const QModelIndex& index) { choose(index.data(classRole).toString()); };
    connect(m_tree, &QTreeView::activated, this, chooseIndex);
    connect(m_filter, &QLineEdit::returnPressed, this, [this, chooseIndex] {
        for (int i = 0; i < m_proxy->rowCount(); ++i) {
            const QModelIndex category = m_proxy->index(i, 0);
            if (m_proxy->rowCount(category) > 0) {
                chooseIndex(m_proxy->index(0, 0, category));
                return;
            }
        }
    });
}

void LayerPalette::fill() {
    m_model->clear();
    if (!m_recent.isEmpty()) {
        QStandardItem* recent = categoryItem(tr("Recent"), QStringLiteral("time"), int(m_recent.size()));
        for (const QString& name : m_recent) {
            if (const core::LayerDefinition* definition = core::findLayerDefinition(name.toStdString()))
                recent->appendRow(classItem(*definition));
        }
        m_model->appendRow(recent);
    }
    for (const core::LayerCategory category : core::layerCategories()) {
        std::vector<QStandardItem*> items;
        for (const core::LayerDefinition& definition : core::layerCatalogue()) {
            if (definition.category == category)
                items.push_back(classItem(definition));
        }
        if (items.empty())
            continue;
        QStandardItem* shelf = categoryItem(capitalized(toQString(core::toString(category))),
                                            items.front()->data(IconNameRole).toString(), int(items.size()));
        for (QStandardItem* item : items)
            shelf->appendRow(item);
        m_model->appendRow(shelf);
    }
    applyFilter();
}

void LayerPalette::applyFilter() {
    m_proxy->invalidate();
    if (!m_filter->text().isEmpty()) {
        m_tree->expandAll();
        return;
    }
    m_tree->collapseAll();
    for (int i = 0; i < m_proxy->rowCount() && i < (m_recent.isEmpty() ? 1 : 2); ++i)
        m_tree->expand(m_proxy->index(i, 0));
}

void LayerPalette::choose(const QString& className) {
    if (className.isEmpty())
        return;
    m_intents.addLayer(className);
    m_recent.removeAll(className);
    m_recent.prepend(className);
    m_recent = m_recent.mid(0, mostRecent);
    m_intents.keepRecentLayers(m_recent);
    // Not at once: the tree is still at the row that was chosen.
    QMetaObject::invokeMethod(this, &LayerPalette::fill, Qt::QueuedConnection);
}

} // namespace views
