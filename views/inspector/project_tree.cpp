#include "views/inspector/project_tree.h"

#include "core/model/graph/flattened_model.h"
#include "core/model/typed_graph.h"
#include "views/common/text/layer_texts.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/filter_edit.h"
#include "views/common/widgets/table_style.h"
#include "views/document/stage_lookup.h"
#include "views/document/view_intents.h"

#include <QCoreApplication>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <map>

namespace views {

namespace {

constexpr int pathRole = SortRole + 200;
constexpr int callRole = SortRole + 201;
constexpr int panelRole = SortRole + 202;

QStandardItem* makeItem(const QString& text, const QString& iconName, const QString& remark) {
    auto* item = new QStandardItem(text);
    item->setData(iconName, IconNameRole);
    item->setData(remark, RemarkRole);
    item->setEditable(false);
    return item;
}

QStandardItem* formItem(const QString& text, const QString& iconName, const QString& remark, PanelId panel) {
    QStandardItem* item = makeItem(text, iconName, remark);
    item->setData(int(panel), panelRole);
    return item;
}

/// Parameters of every layer, by path.
std::map<std::string, std::int64_t> parametersOf(const ProjectAnalysis& analysis) {
    std::map<std::string, std::int64_t> parameters;
    if (!analysis.graph)
        return parameters;
    for (const core::TypedLayer& layer : analysis.graph->layers) {
        std::int64_t sum = 0;
        for (const core::WeightSpec& weight : layer.weights)
            sum += weight.shape.elementCount().value_or(0);
        parameters[layer.path] = sum;
    }
    return parameters;
}

QString countRemark(std::int64_t parameters) {
    return parameters == 0 ? QString() : countText(double(parameters)).joined();
}

QString datasetRemark(const core::Project& project) {
    return project.training.dataset ? toQString(project.training.dataset->kind)
                                    : QCoreApplication::translate("views::ProjectTree", "none");
}

} // namespace

ProjectTree::ProjectTree(Document& document, Selection& selection, ViewIntents& intents, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_intents(intents)
    , m_filter(new QLineEdit(this))
    , m_tree(new QTreeView(this))
    , m_model(new QStandardItemModel(this))
    , m_proxy(new QSortFilterProxyModel(this)) {
    const Theme& theme = themeOf(this);
    setAccessibleName(tr("Project"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, theme.ipx(6), 0, 0);
    layout->setSpacing(theme.ipx(4));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.ipx(8), 0, theme.ipx(8), 0);
    makeFilter(*m_filter, tr("Filter the project"));
    m_filter->setProperty("small", true);
    row->addWidget(m_filter);
    layout->addLayout(row);
    m_proxy->setSourceModel(m_model);
    m_proxy->setRecursiveFilteringEnabled(true);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_tree->setModel(m_proxy);
    styleTree(*m_tree);
    m_tree->setHeaderHidden(true);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setAccessibleName(tr("Stages and layers"));
    layout->addWidget(m_tree, 1);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_proxy->setFilterFixedString(text);
        if (!text.isEmpty())
            m_tree->expandAll();
    });
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ProjectTree::takeSelection);
    connect(m_tree, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (const QVariant panel = index.data(panelRole); !panel.isNull())
            m_intents.showPanel(PanelId(panel.toInt()));
        else if (!index.data(pathRole).isNull())
            m_intents.showSelectedLayers();
    });
    connect(&document, &Document::projectChanged, this, &ProjectTree::rebuild);
    connect(&document, &Document::opened, this, &ProjectTree::rebuild);
    connect(&document, &Document::analysisChanged, this, &ProjectTree::rebuild);
    connect(&selection, &Selection::changed, this, &ProjectTree::followSelection);
    rebuild();
}

void ProjectTree::rebuild() {
    m_isFollowing = true;
    std::set<QString> open;
    for (int i = 0; i < m_proxy->rowCount(); ++i) {
        const QModelIndex top = m_proxy->index(i, 0);
        for (int k = 0; k < m_proxy->rowCount(top); ++k) {
            if (m_tree->isExpanded(m_proxy->index(k, 0, top)))
                open.insert(m_proxy->index(k, 0, top).data().toString());
        }
    }
    m_model->clear();
    if (!m_document.isOpen()) {
        m_isFollowing = false;
        return;
    }
    const core::Project& project = m_document.project();
    const core::Result<core::FlattenedModel> flattened = core::flattenModel(project.model);
    const std::map<std::string, std::int64_t> parameters = parametersOf(m_document.analysis());
    const StageLookup stages(project);
    const std::size_t count = project.assignment.stageCount();
    const QString name = toQString(project.model.name.empty() ? project.name : project.model.name);
    QStandardItem* model = makeItem(
        name.isEmpty() ? tr("Model") : name, QStringLiteral("file"),
        countedText(flattened ? std::int64_t(flattened->assignable().size()) : 0, tr("call"), tr("calls")));
    std::vector<QStandardItem*> stageItems;
    std::vector<std::int64_t> stageParameters(count, 0);
    for (std::size_t k = 0; k < count; ++k) {
        QStandardItem* row = makeItem(tr("Stage %1").arg(k), {}, {});
        row->setData(QVariant::fromValue(k), StageRole);
        stageItems.push_back(row);
        model->appendRow(row);
    }
    if (flattened) {
        for (const core::FlattenedInvocation& invocation : flattened->invocations) {
            const core::FlattenedLayer& layer = flattened->layers[invocation.layer.index()];
            const auto found = parameters.find(layer.path);
            const std::int64_t size = found == parameters.end() ? 0 : found->second;
            QString text = toQString(layer.path);
            if (invocation.call > 0)
                text += tr(", call %1").arg(invocation.call + 1);
            QStandardItem* row = makeItem(text, layerIcon(layer.layer->className), countRemark(size));
            row->setData(toQString(layer.path), pathRole);
            row->setData(invocation.call, callRole);
            const std::optional<core::StageId> stage = stages.stageOf({layer.path, invocation.call});
            if (stage && stage->index() < count) {
                stageParameters[stage->index()] += size;
                stageItems[stage->index()]->appendRow(row);
            } else if (count > 0 && layer.layer->className == "InputLayer") {
                stageItems.front()->appendRow(row);
            } else {
                model->appendRow(row);
            }
        }
    }
    for (std::size_t k = 0; k < count; ++k)
        model->child(int(k))->setData(countRemark(stageParameters[k]), RemarkRole);
    m_model->appendRow(model);
    m_model->appendRow(formItem(tr("Pipeline"), QStringLiteral("lanes"), toQString(project.pipeline.schedule),
                                PanelId::Pipeline));
    m_model->appendRow(
        formItem(tr("Dataset"), QStringLiteral("data"), datasetRemark(project), PanelId::TrainingOptions));
    m_model->appendRow(
        formItem(tr("System"), QStringLiteral("ipu"),
                 QStringLiteral("%1 × %2").arg(project.system.ipus).arg(toQString(project.system.target)),
                 PanelId::Pipeline));
    m_tree->expand(m_proxy->index(0, 0));
    for (int k = 0; k < m_proxy->rowCount(m_proxy->index(0, 0)); ++k) {
        const QModelIndex stage = m_proxy->index(k, 0, m_proxy->index(0, 0));
        if (open.contains(stage.data().toString()))
            m_tree->expand(stage);
    }
    m_isFollowing = false;
    followSelection();
}

void ProjectTree::followSelection() {
    if (m_isFollowing)
        return;
    m_isFollowing = true;
    const std::optional<InvocationKey>& current = m_selection.state().current;
    QItemSelection selection;
    QModelIndex shown;
    const auto visit = [&](const auto& self, const QModelIndex& parent) -> void {
        for (int i = 0; i < m_proxy->rowCount(parent); ++i) {
            const QModelIndex index = m_proxy->index(i, 0, parent);
            if (!index.data(pathRole).isNull()) {
                const InvocationKey key{index.data(pathRole).toString().toStdString(),
                                        index.data(callRole).value<std::uint32_t>()};
                if (m_selection.contains(key))
                    selection.select(index, index);
                if (current == key)
                    shown = index;
            }
            self(self, index);
        }
    };
    if (!m_selection.state().invocations.empty())
        visit(visit, {});
    m_tree->selectionModel()->select(selection,
                                     QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (shown.isValid() && !m_tree->hasFocus()) {
        m_tree->scrollTo(shown);
        m_tree->selectionModel()->setCurrentIndex(shown, QItemSelectionModel::NoUpdate);
    }
    m_isFollowing = false;
}

void ProjectTree::takeSelection() {
    if (m_isFollowing)
        return;
    m_isFollowing = true;
    SelectionState next = m_selection.state();
    next.invocations.clear();
    next.current.reset();
    const auto keyOf = [](const QModelIndex& index) {
        return InvocationKey{index.data(pathRole).toString().toStdString(),
                             index.data(callRole).value<std::uint32_t>()};
    };
    for (const QModelIndex& index : m_tree->selectionModel()->selectedRows()) {
        if (!index.data(pathRole).isNull())
            next.invocations.insert(keyOf(index));
        // A stage means its layers.
        if (!index.data(StageRole).isNull()) {
            next.stage = core::StageId(index.data(StageRole).value<std::size_t>());
            for (int i = 0; i < m_proxy->rowCount(index); ++i)
                next.invocations.insert(keyOf(m_proxy->index(i, 0, index)));
        }
    }
    const QModelIndex current = m_tree->currentIndex().siblingAtColumn(0);
    if (!current.data(pathRole).isNull() && next.invocations.contains(keyOf(current)))
        next.current = keyOf(current);
    else if (!next.invocations.empty())
        next.current = *next.invocations.begin();
    m_selection.set(std::move(next));
    m_isFollowing = false;
}

} // namespace views
