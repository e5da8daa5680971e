#include "views/layers/layer_table.h"

#include "core/model/edit/graph_edit.h"
#include "core/model/typed_graph.h"
#include "core/project/choices/pipeline_choices.h"
#include "core/project/project_edit.h"
#include "views/common/access/box_name.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/common/widgets/filter_edit.h"
#include "views/document/stage_lookup.h"
#include "views/document/view_intents.h"
#include "views/layers/heat_scale.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/view_bar.h"

#include <QComboBox>
#include <QLineEdit>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

namespace views {

namespace {

/// One row before its figures have units.
struct LayerFigures {
    InvocationKey call;
    QString className;
    QString shape;
    std::optional<core::StageId> stage;
    std::optional<core::IpuId> ipu;
    std::int64_t parameters = 0;
    core::Bytes weights;
    core::Bytes outputs;
    std::int64_t flops = 0;
    /// "units" or "filters", with its value, where the layer has one and it can be changed here.
    std::string sizeAttribute;
    QString size;
    bool isOutermost = false;
    core::InvocationEstimate estimate;
};

enum LayerColumn : int { NameColumn = 0, StageColumn = 3, SizeColumn = 13 };

/// The number of what a layer computes: units of a Dense, filters of a convolution.
std::string sizeAttributeOf(const core::Layer& layer) {
    for (const char* name : {"units", "filters"}) {
        const auto value = layer.config.find(name);
        if (value != layer.config.end() && value->is_number_integer())
            return name;
    }
    return {};
}

core::Bytes bytesOf(const core::Shape& shape, core::DataType type) {
    return core::Bytes(shape.elementCount().value_or(0) * core::elementBytes(type));
}

std::vector<LayerFigures> figuresOf(const Document& document) {
    std::vector<LayerFigures> rows;
    const auto& graph = document.analysis().graph;
    if (!graph)
        return rows;
    std::map<InvocationKey, const core::InvocationEstimate*> estimates;
    std::map<core::StageId, core::IpuId> ipus;
    if (const auto& estimate = document.estimate(); estimate && document.areFiguresCurrent()) {
        for (const core::InvocationEstimate& one : estimate->invocations) {
            if (!one.isOld)
                estimates[{one.layer, one.call}] = &one;
        }
        for (const core::StageEstimate& stage : estimate->stages)
            ipus.emplace(stage.stage, stage.ipu);
    }
    const StageLookup& stages = document.stages();
    for (const core::TypedInvocation& invocation : graph->invocations) {
        const core::TypedLayer& layer = graph->layer(invocation.layer);
        LayerFigures row;
        row.call = {layer.path, invocation.call};
        row.className = toQString(layer.className);
        QStringList shapes;
        for (const core::TensorSpec& output : invocation.outputs) {
            shapes << shapeText(output.shape);
            row.outputs += bytesOf(output.shape, output.type);
        }
        row.shape = shapes.join(QStringLiteral(", "));
        if (invocation.call == 0) {
            for (const core::WeightSpec& weight : layer.weights) {
                row.parameters += weight.shape.elementCount().value_or(0);
                row.weights += bytesOf(weight.shape, weight.type);
            }
        }
        row.flops = invocation.flops.value_or(0);
        if (const auto id = document.project().model.findLayer(layer.path)) {
            const core::Layer& own = document.project().model.layer(*id);
            row.isOutermost = true;
            row.sizeAttribute = sizeAttributeOf(own);
            if (!row.sizeAttribute.empty())
                row.size = QString::number(own.config[row.sizeAttribute].get<std::int64_t>());
        }
        row.stage = stages.stageOf(row.call);
        if (row.stage) {
            if (const auto ipu = ipus.find(*row.stage); ipu != ipus.end())
                row.ipu = ipu->second;
        }
        if (const auto found = estimates.find(row.call); found != estimates.end())
            row.estimate = *found->second;
        rows.push_back(std::move(row));
    }
    return rows;
}

TableCell countCell(std::int64_t count) {
    return count == 0 ? dashCell() : numberCell(groupedText(count), static_cast<double>(count));
}

std::vector<TableColumn> columnsWith(const UnitChoice& bytes, const UnitChoice& tileBytes,
                                     const UnitChoice& flops, const UnitChoice& time) {
    const auto number = [](const QString& title, const QString& unit, const QString& toolTip) {
        return TableColumn{title, ColumnKind::Number, unit, 0, toolTip, false};
    };
    return {
        {LayerTable::tr("Layer"), ColumnKind::Text, {}, 0, {}, true},
        {LayerTable::tr("Class"), ColumnKind::Text, {}, 0, {}, false},
        {LayerTable::tr("Output"), ColumnKind::Text, {}, 0, LayerTable::tr("Shapes of a micro-batch"), false},
        {LayerTable::tr("Stage"), ColumnKind::Text, {}, 0, {}, false},
        {LayerTable::tr("IPU"), ColumnKind::Number, {}, 0, LayerTable::tr("Within a replica"), false},
        number(LayerTable::tr("Parameters"), {}, LayerTable::tr("At the first call of a layer")),
        number(LayerTable::tr("Weights"), bytes.name, LayerTable::tr("At the first call of a layer")),
        number(LayerTable::tr("FLOPs"), flops.name, LayerTable::tr("Forward, per micro-batch")),
        number(LayerTable::tr("Output size"), bytes.name, LayerTable::tr("Per micro-batch")),
        number(LayerTable::tr("Forward"), time.name, LayerTable::tr("Per micro-batch")),
        number(LayerTable::tr("Backward"), time.name, LayerTable::tr("Per micro-batch")),
        number(LayerTable::tr("Temporary"), tileBytes.name, LayerTable::tr("On its fullest tile")),
        number(LayerTable::tr("Tiles"), {}, LayerTable::tr("That work on it")),
        number(LayerTable::tr("Units or filters"), {}, LayerTable::tr("F2 changes them"))};
}

} // namespace

namespace {

/// Name, stage and size of a layer of the outermost model can be changed in their cells.
void makeEditable(std::vector<TableCell>& cells, const LayerFigures& row, bool isPipelined) {
    if (!row.isOutermost)
        return;
    if (row.call.call == 0)
        cells[NameColumn].edit = toQString(row.call.path);
    if (isPipelined && row.stage && row.className != QStringLiteral("InputLayer"))
        cells[StageColumn].edit = QString::number(row.stage->index());
    if (!row.size.isEmpty())
        cells[SizeColumn].edit = row.size;
}

void addHeat(std::vector<std::vector<TableCell>>& rows, std::size_t column) {
    double most = 0;
    for (const auto& cells : rows)
        most = std::max(most, cells[column].sort.toDouble());
    for (auto& cells : rows) {
        if (most > 0 && !cells[column].isMuted)
            cells[column].heat = cells[column].sort.toDouble() / most;
    }
}

} // namespace

LayerTableContent layerTable(const Document& document, int heatColumn) {
    LayerTableContent content;
    if (!document.isOpen())
        return content;
    const std::vector<LayerFigures> rows = figuresOf(document);
    core::Bytes mostBytes;
    core::Bytes mostOfTile;
    core::Cycles longest;
    std::int64_t mostFlops = 0;
    for (const LayerFigures& row : rows) {
        mostBytes = std::max({mostBytes, row.weights, row.outputs});
        mostOfTile = std::max(mostOfTile, row.estimate.temporaryPerTile);
        longest = std::max({longest, row.estimate.forward, row.estimate.backward});
        mostFlops = std::max(mostFlops, row.flops);
    }
    const Units& units = document.units();
    const UnitChoice bytes = byteUnitFor(mostBytes, units.bytes);
    const UnitChoice tileBytes = byteUnitFor(mostOfTile, units.bytes);
    const UnitChoice time = timeUnitFor(longest, units.time, document.timeScale());
    const UnitChoice flops =
        mostFlops >= 10'000'000 ? UnitChoice{QStringLiteral("M"), 1e-6, 2} : UnitChoice{{}, 1, 0};
    content.table.columns = columnsWith(bytes, tileBytes, flops, time);
    LayerFigures sum;
    for (const LayerFigures& row : rows) {
        QString name = toQString(row.call.path);
        if (row.call.call > 0)
            name += LayerTable::tr(", call %1").arg(row.call.call + 1);
        content.table.rows.push_back(
            {textCell(name), textCell(row.className), textCell(row.shape),
             row.stage ? stageCell(row.stage->index(), LayerTable::tr("Stage %1").arg(row.stage->index()))
                       : dashCell(),
             row.ipu ? numberCell(QString::number(row.ipu->index()), static_cast<double>(row.ipu->index()))
                     : dashCell(),
             countCell(row.parameters), bytesCell(row.weights, bytes),
             row.flops == 0 ? dashCell()
                            : numberCell(inUnit(row.flops, flops).value, static_cast<double>(row.flops)),
             bytesCell(row.outputs, bytes), cyclesCell(row.estimate.forward, time),
             cyclesCell(row.estimate.backward, time), bytesCell(row.estimate.temporaryPerTile, tileBytes),
             countCell(row.estimate.tilesUsed),
             row.size.isEmpty() ? dashCell() : numberCell(row.size, row.size.toDouble())});
        makeEditable(content.table.rows.back(), row, document.project().assignment.isPipelined());
        content.calls.push_back(row.call);
        sum.parameters += row.parameters;
        sum.weights += row.weights;
        sum.flops += row.flops;
        sum.estimate.forward += row.estimate.forward;
        sum.estimate.backward += row.estimate.backward;
    }
    const TableCell none;
    content.table.footer = {textCell(LayerTable::tr("Sum")),
                            none,
                            none,
                            none,
                            none,
                            countCell(sum.parameters),
                            bytesCell(sum.weights, bytes),
                            numberCell(inUnit(sum.flops, flops).value, static_cast<double>(sum.flops)),
                            none,
                            cyclesCell(sum.estimate.forward, time),
                            cyclesCell(sum.estimate.backward, time),
                            none,
                            none,
                            none};
    if (heatColumn >= 0 && std::size_t(heatColumn) < content.table.columns.size())
        addHeat(content.table.rows, std::size_t(heatColumn));
    return content;
}

LayerTable::LayerTable(Document& document, Selection& selection, ViewIntents& intents, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyView(m_stack))
    , m_filter(new QLineEdit)
    , m_table(new TablePanel(LayerTable::tr("Layers and their figures"), m_stack))
    , m_heat(new QComboBox)
    , m_scale(new HeatScale) {
    setAccessibleName(LayerTable::tr("Table of layers"));
    setFocusProxy(&m_table->table());
    auto* bar = new ViewBar(this);
    makeFilter(*m_filter, LayerTable::tr("Filter the layers"));
    m_filter->setProperty("small", true);
    bar->add(m_filter, 1);
    nameBox(*m_heat, LayerTable::tr("Heat"));
    m_heat->setToolTip(LayerTable::tr("Colour the cells of a column by their share of the largest"));
    m_heat->addItem(LayerTable::tr("No heat"), -1);
    bar->add(m_heat);
    bar->add(m_scale);
    connect(m_heat, &QComboBox::activated, this, &LayerTable::chooseHeat);
    connect(m_table, &TablePanel::cellEdited, this, &LayerTable::applyEdit);
    connect(bar->addButton(QStringLiteral("export"), LayerTable::tr("Save the table")), &QToolButton::clicked,
            this, [this, &intents] { intents.saveTable(QStringLiteral("layers"), m_table->toCsv()); });
    m_empty->setContent(
        QStringLiteral("graph"), LayerTable::tr("No layers to list"),
        LayerTable::tr(
            "Layers appear once the shapes of the model are known; Problems says what is missing."));
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_table);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar);
    layout->addWidget(m_stack, 1);
    filterTables(*m_filter, [this] { return std::vector<TablePanel*>{m_table}; });
    connect(m_table, &TablePanel::rowsChosen, this, [this](const std::vector<int>& rows) {
        std::set<InvocationKey> calls;
        for (const int row : rows)
            calls.insert(m_calls[std::size_t(row)]);
        m_selection.selectInvocations(std::move(calls));
    });
    connect(m_table, &TablePanel::rowChosen, this, [this](int row) {
        SelectionState next = m_selection.state();
        next.current = m_calls[std::size_t(row)];
        if (next.invocations.contains(*next.current))
            m_selection.set(std::move(next));
        else
            m_selection.selectInvocation(m_calls[std::size_t(row)]);
    });
    connect(m_table, &TablePanel::rowActivated, this, [&intents] { intents.showSelectedLayers(); });
    for (const auto changed :
         {&Document::opened, &Document::analysisChanged, &Document::estimateChanged, &Document::unitsChanged})
        connect(&document, changed, this, &LayerTable::rebuild);
    connect(&selection, &Selection::changed, this, &LayerTable::followSelection);
    rebuild();
}

void LayerTable::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale)
        rebuild();
}

void LayerTable::rebuild() {
    m_isStale = !isVisible();
    if (m_isStale)
        return;
    LayerTableContent content = layerTable(m_document, m_heatColumn);
    if (m_heat->count() == 1) {
        for (std::size_t i = 0; i < content.table.columns.size(); ++i) {
            if (content.table.columns[i].kind == ColumnKind::Number &&
                content.table.columns[i].title != tr("IPU"))
                m_heat->addItem(content.table.columns[i].title, int(i));
        }
    }
    QString largest;
    for (const auto& cells : content.table.rows) {
        if (m_heatColumn >= 0 && cells[std::size_t(m_heatColumn)].heat.value_or(0) >= 1)
            largest = cells[std::size_t(m_heatColumn)].text + u' ' +
                      content.table.columns[std::size_t(m_heatColumn)].unit;
    }
    m_scale->setLargest(largest.trimmed());
    m_calls = std::move(content.calls);
    m_stack->setCurrentWidget(m_calls.empty() ? static_cast<QWidget*>(m_empty) : m_table);
    m_table->setContent(std::move(content.table));
    followSelection();
}

void LayerTable::chooseHeat() {
    m_heatColumn = m_heat->currentData().toInt();
    rebuild();
}

void LayerTable::applyEdit(int row, int column, const QString& text) {
    if (row < 0 || std::size_t(row) >= m_calls.size() || !m_document.isOpen())
        return;
    const std::string layer = m_calls[std::size_t(row)].path;
    const std::string wanted = text.trimmed().toStdString();
    bool isNumber = false;
    const qlonglong number = text.trimmed().section(u' ', -1).toLongLong(&isNumber);
    const auto refuse = [&](const QString& why) {
        return core::failure(core::makeError(core::Trouble::Input, "edit/value", {{}, layer},
                                             why.toStdString(), {tr("type a whole number").toStdString()}));
    };
    if (column == NameColumn) {
        const auto renamed = m_document.apply(
            tr("Rename %1 to %2").arg(toQString(layer), text.trimmed()),
            [&](const core::Project& project) { return core::withLayerName(project, layer, wanted); });
        if (renamed)
            m_selection.selectLayer(wanted);
    } else if (column == StageColumn) {
        m_document.apply(
            tr("Move %1 to stage %2").arg(toQString(layer), text.trimmed()),
            [&](const core::Project& project) -> core::Result<core::Project> {
                if (!isNumber || number < 0)
                    return refuse(tr("\"%1\" is no stage").arg(text));
                const std::vector<std::string> layers{layer};
                return core::withPipelineNeeds(
                    project, core::assignLayersToStage(project, layers, core::StageId(std::size_t(number))));
            });
    } else if (column == SizeColumn) {
        m_document.apply(tr("Set the size of %1 to %2").arg(toQString(layer), text.trimmed()),
                         [&](const core::Project& project) -> core::Result<core::Project> {
                             const auto id = project.model.findLayer(layer);
                             if (!id || !isNumber)
                                 return refuse(tr("\"%1\" is no whole number").arg(text));
                             return core::editModel(project, [&](const core::ModelGraph& graph) {
                                 return core::setAttribute(graph, *id, sizeAttributeOf(graph.layer(*id)),
                                                           std::int64_t(number));
                             });
                         });
    }
}

void LayerTable::followSelection() {
    const SelectionState& state = m_selection.state();
    std::vector<int> rows;
    int current = -1;
    for (std::size_t row = 0; row < m_calls.size(); ++row) {
        if (!state.invocations.contains(m_calls[row]))
            continue;
        rows.push_back(int(row));
        if (state.current == m_calls[row])
            current = int(row);
    }
    if (rows != m_table->chosenRows() || current != m_table->currentRow())
        m_table->setChosenRows(rows, current);
}

} // namespace views
