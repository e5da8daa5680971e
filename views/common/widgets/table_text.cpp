#include "views/common/widgets/table_text.h"

#include "core/text/visible_text.h"
#include "views/common/text/number_text.h"
#include "views/common/widgets/table_style.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QGuiApplication>
#include <algorithm>
#include <set>

namespace views {

namespace {

QString plain(QString text) {
    text.remove(thinSpace);
    text.replace(QChar(0x2212), QLatin1Char('-'));
    return text;
}

QString fieldOf(const QString& text, char separator) {
    return QString::fromStdString(core::csvField(text.toStdString(), separator));
}

bool isTree(const QAbstractItemModel& model) {
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.rowCount(model.index(row, 0)) > 0)
            return true;
    }
    return false;
}

void appendRows(QString& csv, const QAbstractItemModel& model, const QModelIndex& parent, int level,
                bool withLevel) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        QStringList fields;
        if (withLevel)
            fields.append(QString::number(level));
        for (int column = 0; column < model.columnCount(parent); ++column)
            fields.append(fieldOf(plainCellText(model.index(row, column, parent)), ','));
        csv += fields.join(QLatin1Char(',')) + QStringLiteral("\r\n");
        appendRows(csv, model, model.index(row, 0, parent), level + 1, withLevel);
    }
}

} // namespace

QString plainCellText(const QModelIndex& index) {
    const QString text = plain(index.data(Qt::DisplayRole).toString());
    const QString unit = index.data(UnitRole).toString();
    return unit.isEmpty() ? text : text + QLatin1Char(' ') + unit;
}

QString tableToCsv(const QAbstractItemModel& model) {
    const bool withLevel = isTree(model);
    QStringList header;
    if (withLevel)
        header.append(QStringLiteral("level"));
    for (int column = 0; column < model.columnCount(); ++column)
        header.append(fieldOf(plain(model.headerData(column, Qt::Horizontal).toString()), ','));
    QString csv = header.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    appendRows(csv, model, {}, 0, withLevel);
    return csv;
}

void copySelection(const QAbstractItemView& view) {
    if (view.model() == nullptr)
        return;
    std::set<std::pair<int, QModelIndex>> rows;
    QModelIndexList selected = view.selectionModel()->selectedIndexes();
    if (selected.isEmpty()) {
        for (int row = 0; row < view.model()->rowCount(); ++row)
            selected.append(view.model()->index(row, 0));
    }
    QStringList lines;
    for (const QModelIndex& index : selected) {
        if (!rows.insert({index.row(), index.parent()}).second)
            continue;
        QStringList cells;
        for (int column = 0; column < view.model()->columnCount(index.parent()); ++column)
            cells.append(fieldOf(plainCellText(index.siblingAtColumn(column)), '\t'));
        lines.append(cells.join(QLatin1Char('\t')));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace views
