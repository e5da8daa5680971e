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
#include <algorithm>
#include <map>
#include <utility>

namespace views {

namespace {

constexpr int pathRole = SortRole + 200;
constexpr int callRole = SortRole + 201;
constexpr int panelRole = SortRole + 202;

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
    // Names of layers deep inside have room in a narrow panel.
    m_tree->setIndentation(theme.ipx(11));
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
    // What becomes known of an edit comes soon after it: both are shown at once.
    constexpr int together = 40;
    m_soon.setSingleShot(true);
    m_soon.setInterval(together);
    connect(&m_soon, &QTimer::timeout, this, &ProjectTree::rebuild);
    for (const auto signal : {&Document::projectChanged, &Document::opened, &Document::analysisChanged})
        connect(&document, signal, this, [this] {
            if (!m_soon.isActive())
                m_soon.start();
        });
    connect(&selection, &Selection::changed, this, &ProjectTree::followSelection);
    rebuild();
}

std::vector<ProjectTree::Row> ProjectTree::wantedRows() const {
    if (!m_document.isOpen())
        return {};
    const core::Project& project = m_document.project();
    const core::Result<core::FlattenedModel> flattened = core::flattenModel(project.model);
    const std::map<std::string, std::int64_t> parameters = parametersOf(m_document.analysis());
    const StageLookup& stages = m_document.stages();
    const std::size_t count = project.assignment.stageCount();
    const QString name = toQString(project.model.name.empty() ? project.name : project.model.name);
    Row model{.id = QStringLiteral("model"),
              .text = name.isEmpty() ? tr("Model") : name,
              .icon = QStringLiteral("file"),
              .remark = countedText(flattened ? std::int64_t(flattened->assignable().size()) : 0, tr("call"),
                                    tr("calls")),
              .stage = {},
              .panel = {},
              .call = {},
              .children = {}};
    std::vector<std::int64_t> stageParameters(count, 0);
    for (std::size_t k = 0; k < count; ++k)
        model.children.push_back({.id = QStringLiteral("stage %1").arg(k),
                                  .text = tr("Stage %1").arg(k),
                                  .icon = {},
                                  .remark = {},
                                  .stage = QVariant::fromValue(k),
                                  .panel = {},
                                  .call = {},
                                  .children = {}});
    if (flattened) {
        for (const core::FlattenedInvocation& invocation : flattened->invocations) {
            const core::FlattenedLayer& layer = flattened->layers[invocation.layer.index()];
            const auto found = parameters.find(layer.path);
            const std::int64_t size = found == parameters.end() ? 0 : found->second;
            QString text = toQString(layer.path);
            if (invocation.call > 0)
                text += tr(", call %1").arg(invocation.call + 1);
            Row row{.id = text,
                    .text = text,
                    .icon = layerIcon(layer.layer->className),
                    .remark = countRemark(size),
                    .stage = {},
                    .panel = {},
                    .call = InvocationKey{layer.path, invocation.call},
                    .children = {}};
            const std::optional<core::StageId> stage = stages.stageOf(*row.call);
            if (stage && stage->index() < count) {
                stageParameters[stage->index()] += size;
                model.children[stage->index()].children.push_back(std::move(row));
            } else if (count > 0 && layer.layer->className == "InputLayer") {
                model.children.front().children.push_back(std::move(row));
            } else {
                model.children.push_back(std::move(row));
            }
        }
    }
    for (std::size_t k = 0; k < count; ++k)
        model.children[k].remark = countRemark(stageParameters[k]);
    const auto form = [](const char* id, const QString& text, const QString& iconName, const QString& remark,
                         PanelId panel) {
        return Row{.id = QString::fromLatin1(id),
                   .text = text,
                   .icon = iconName,
                   .remark = remark,
                   .stage = {},
                   .panel = int(panel),
                   .call = {},
                   .children = {}};
    };
    return {std::move(model),
            form("pipeline", tr("Pipeline"), QStringLiteral("lanes"), toQString(project.pipeline.schedule),
                 PanelId::Pipeline),
            form("dataset", tr("Dataset"), QStringLiteral("data"), datasetRemark(project),
                 PanelId::TrainingOptions),
            form("system", tr("System"), QStringLiteral("ipu"),
                 QStringLiteral("%1 × %2").arg(project.system.ipus).arg(toQString(project.system.target)),
                 PanelId::Pipeline)};
}

void ProjectTree::rebuild() {
    m_soon.stop();
    m_isFollowing = true;
    std::vector<Row> wanted = wantedRows();
    putRows(*m_model->invisibleRootItem(), m_rows, wanted);
    m_rows = std::move(wanted);
    m_itemOf.clear();
    const auto visit = [this](const auto& self, const QStandardItem& parent,
                              const std::vector<Row>& rows) -> void {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QStandardItem* item = parent.child(int(i));
            if (rows[i].call)
                m_itemOf[*rows[i].call] = item;
            self(self, *item, rows[i].children);
        }
    };
    visit(visit, *m_model->invisibleRootItem(), m_rows);
    m_tree->expand(m_proxy->index(0, 0));
    m_isFollowing = false;
    followSelection();
}

QStandardItem* ProjectTree::itemOf(const Row& row) {
    auto* item = new QStandardItem(row.text);
    item->setData(row.icon, IconNameRole);
    item->setData(row.remark, RemarkRole);
    item->setEditable(false);
    if (!row.stage.isNull())
        item->setData(row.stage, StageRole);
    if (!row.panel.isNull())
        item->setData(row.panel, panelRole);
    if (row.call) {
        item->setData(toQString(row.call->path), pathRole);
        item->setData(row.call->call, callRole);
    }
    for (const Row& child : row.children)
        item->appendRow(itemOf(child));
    return item;
}

void ProjectTree::putRows(QStandardItem& parent, const std::vector<Row>& shown,
                          const std::vector<Row>& wanted) {
    const auto isSame = [](const Row& a, const Row& b) { return a.id == b.id; };
    const auto firsts = std::ranges::mismatch(shown, wanted, isSame);
    const std::ptrdiff_t start = firsts.in1 - shown.begin();
    std::ptrdiff_t tail = 0;
    while (tail < std::min(std::ssize(shown), std::ssize(wanted)) - start &&
           isSame(shown[shown.size() - 1 - std::size_t(tail)], wanted[wanted.size() - 1 - std::size_t(tail)]))
        ++tail;
    const std::ptrdiff_t gone = std::ssize(shown) - start - tail;
    if (gone > 0)
        parent.removeRows(int(start), int(gone));
    QList<QStandardItem*> leaves;
    for (std::ptrdiff_t i = start; i < std::ssize(wanted) - tail; ++i) {
        const Row& row = wanted[std::size_t(i)];
        // Qt tells the model only of those that it is given together, not of what is below them.
        if (row.children.empty()) {
            leaves.append(itemOf(row));
        } else {
            parent.insertRows(int(i - leaves.size()), leaves);
            leaves.clear();
            parent.insertRow(int(i), itemOf(row));
        }
    }
    parent.insertRows(int(std::ssize(wanted) - tail - leaves.size()), leaves);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const bool isBefore = std::ptrdiff_t(i) < start;
        if (!isBefore && std::ptrdiff_t(i) < std::ssize(wanted) - tail)
            continue;
        const Row& before = shown[isBefore ? i : i + shown.size() - wanted.size()];
        QStandardItem& item = *parent.child(int(i));
        if (before.text != wanted[i].text)
            item.setText(wanted[i].text);
        if (before.icon != wanted[i].icon)
            item.setData(wanted[i].icon, IconNameRole);
        if (before.remark != wanted[i].remark)
            item.setData(wanted[i].remark, RemarkRole);
        putRows(item, before.children, wanted[i].children);
    }
}

void ProjectTree::followSelection() {
    if (m_isFollowing || m_soon.isActive())
        return;
    m_isFollowing = true;
    const auto indexOf = [this](const InvocationKey& key) {
        const auto found = m_itemOf.find(key);
        return found == m_itemOf.end() ? QModelIndex() : m_proxy->mapFromSource(found->second->index());
    };
    QItemSelection selection;
    for (const InvocationKey& key : m_selection.state().invocations) {
        if (const QModelIndex index = indexOf(key); index.isValid())
            selection.select(index, index);
    }
    const std::optional<InvocationKey>& current = m_selection.state().current;
    const QModelIndex shown = current ? indexOf(*current) : QModelIndex();
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
