#include "views/profile/tables/table_content.h"

#include "views/common/widgets/table_style.h"

#include <QFont>

namespace views {

namespace {

TableCell amountCell(std::int64_t amount, const UnitChoice& unit) {
    return amount == 0 ? dashCell() : numberCell(inUnit(amount, unit).value, static_cast<double>(amount));
}

} // namespace

TableColumn numberColumn(const QString& title, const QString& toolTip) {
    return {title, ColumnKind::Number, {}, 0, toolTip, false};
}

TableCell textCell(const QString& text) {
    TableCell cell;
    cell.text = text;
    return cell;
}

TableCell stageCell(std::size_t stage, const QString& text) {
    TableCell cell = textCell(text);
    cell.stage = stage;
    cell.sort = static_cast<qulonglong>(stage);
    return cell;
}

TableCell numberCell(const QString& text, double value) {
    TableCell cell = textCell(text);
    cell.sort = value;
    return cell;
}

TableCell dashCell() {
    TableCell cell = numberCell(QStringLiteral("–"), 0);
    cell.isMuted = true;
    return cell;
}

TableCell cyclesCell(core::Cycles cycles, const UnitChoice& unit) {
    return amountCell(cycles.value(), unit);
}

TableCell bytesCell(core::Bytes bytes, const UnitChoice& unit) {
    return amountCell(bytes.value(), unit);
}

QString toPlainText(const TableContent& content) {
    QString text;
    const auto add = [&](const std::vector<TableCell>& row) {
        QStringList cells;
        for (const TableCell& cell : row)
            cells.append(cell.text);
        text += cells.join(QStringLiteral(" | ")) + QLatin1Char('\n');
    };
    for (const std::vector<TableCell>& row : content.rows)
        add(row);
    if (!content.footer.empty())
        add(content.footer);
    return text;
}

void ContentModel::setContent(TableContent content) {
    beginResetModel();
    m_content = std::move(content);
    endResetModel();
}

void ContentModel::setFooter(std::vector<TableCell> footer) {
    if (m_content.footer.empty())
        return;
    m_content.footer = std::move(footer);
    const int row = rowCount() - 1;
    emit dataChanged(index(row, 0), index(row, columnCount() - 1));
}

void ContentModel::setFoldedTitles(bool areFolded) {
    if (areFolded == m_areTitlesFolded)
        return;
    m_areTitlesFolded = areFolded;
    if (columnCount() > 0)
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int ContentModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0
                            : static_cast<int>(m_content.rows.size() + (m_content.footer.empty() ? 0 : 1));
}

int ContentModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_content.columns.size());
}

const TableCell* ContentModel::cell(const QModelIndex& index) const {
    if (!index.isValid())
        return nullptr;
    const std::vector<TableCell>& row =
        isFooter(index.row()) ? m_content.footer : m_content.rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    return column < row.size() ? &row[column] : nullptr;
}

QVariant ContentModel::data(const QModelIndex& index, int role) const {
    const TableCell* c = cell(index);
    if (c == nullptr)
        return {};
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return c->text;
    case Qt::EditRole:
        return c->edit.value_or(c->text);
    case HeatRole:
        return c->heat ? QVariant(*c->heat) : QVariant();
    case WayRole:
        return c->way ? QVariant(QPointF(c->way->first, c->way->second)) : QVariant();
    case Qt::ToolTipRole:
        return c->text.size() > 24 ? QVariant(c->text) : QVariant();
    case SortRole:
        return c->sort.isValid() ? c->sort : QVariant(c->text);
    case StageRole:
        return c->stage ? QVariant::fromValue(*c->stage) : QVariant();
    case SwatchRole:
        return c->colour ? QVariant::fromValue(c->colour) : QVariant();
    case StackedBarRole:
        return c->bar ? QVariant::fromValue(c->bar) : QVariant();
    case BarRole:
        return c->signedShare ? QVariant(*c->signedShare) : QVariant();
    case BetterRole:
        return c->isBetter.value_or(false);
    case ToneRole:
        return c->tone ? QVariant(static_cast<int>(*c->tone)) : QVariant();
    case IsFooterRole:
        return isFooter(index.row());
    case IsLinkRole:
        return c->isLink;
    case ContentRowRole:
        return isFooter(index.row()) ? -1 : index.row();
    case Qt::CheckStateRole:
        if (index.column() != 0 || isFooter(index.row()) || m_content.ticks.empty())
            return {};
        return m_content.ticks[static_cast<std::size_t>(index.row())] ? Qt::Checked : Qt::Unchecked;
    case Qt::FontRole: {
        if (!isFooter(index.row()))
            return {};
        QFont font;
        font.setBold(true);
        return font;
    }
    case TextColorRole:
        if (c->isBetter && !c->signedShare)
            return int(*c->isBetter ? Role::Success : Role::Error);
        if (c->isMuted)
            return int(Role::Text3);
        return c->isLink ? QVariant(int(Role::AccentText)) : QVariant();
    default:
        return {};
    }
}

QVariant ContentModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const TableColumn& column = m_content.columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return column.unit.isEmpty() ? column.title : column.title + QStringLiteral("  ") + column.unit;
    case Qt::ToolTipRole:
        return column.toolTip;
    case Qt::TextAlignmentRole:
        return static_cast<int>((column.kind == ColumnKind::Number ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter) |
               (m_areTitlesFolded ? static_cast<int>(Qt::TextWordWrap) : 0);
    default:
        return {};
    }
}

Qt::ItemFlags ContentModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == 0 && !m_content.ticks.empty() && !isFooter(index.row()))
        flags |= Qt::ItemIsUserCheckable;
    if (const TableCell* c = cell(index); c != nullptr && c->edit)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool ContentModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role == Qt::EditRole && flags(index).testFlag(Qt::ItemIsEditable)) {
        // The owner applies it and hands new content in.
        if (value.toString() != *cell(index)->edit)
            emit edited(index.row(), index.column(), value.toString());
        return true;
    }
    if (role != Qt::CheckStateRole || !flags(index).testFlag(Qt::ItemIsUserCheckable))
        return false;
    const bool isTicked = value.toInt() == Qt::Checked;
    m_content.ticks[static_cast<std::size_t>(index.row())] = isTicked;
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit ticked(index.row(), isTicked);
    return true;
}

} // namespace views
