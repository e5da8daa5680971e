#include "views/profile/tables/folded_columns.h"

#include "views/common/text/elided_text.h"
#include "views/common/text/number_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

/// Measuring every row of a long table takes long; a few hundred tell.
constexpr std::size_t measuredRows = 200;
constexpr int mostLines = 4;

const TableCell* cellOf(const TableContent& content, int row, int column) {
    const std::vector<TableCell>& cells = row < 0 ? content.footer : content.rows[std::size_t(row)];
    return std::size_t(column) < cells.size() ? &cells[std::size_t(column)] : nullptr;
}

QString valueOf(const TableContent& content, int row, int column) {
    const TableCell* cell = cellOf(content, row, column);
    if (cell == nullptr || cell->text.isEmpty())
        return {};
    return NumberText{cell->text, content.columns[std::size_t(column)].unit}.joined();
}

QFont fontOf(const TableContent& content, int column, const Theme& theme) {
    return content.columns[std::size_t(column)].kind == ColumnKind::Number ? theme.mono(11) : theme.font(11);
}

/// The widest value of a column, and the rows that it is looked for in.
double widestOf(const TableContent& content, int column, const QFont& font) {
    double widest = content.footer.empty() ? 0 : textWidth(valueOf(content, -1, column), font);
    for (std::size_t row = 0; row < std::min(content.rows.size(), measuredRows); ++row)
        widest = std::max(widest, textWidth(valueOf(content, int(row), column), font));
    return std::ceil(widest);
}

double highestOf(const TableContent& content, int column, const QFont& font, double width) {
    const QFontMetricsF metrics(font);
    double highest = metrics.height();
    for (std::size_t row = 0; row < std::min(content.rows.size(), measuredRows); ++row)
        highest = std::max(highest, metrics
                                        .boundingRect(QRectF(0, 0, width, 1e6), Qt::TextWordWrap,
                                                      valueOf(content, int(row), column))
                                        .height());
    return std::min(highest, mostLines * metrics.lineSpacing());
}

} // namespace

void FoldedColumns::arrange(const TableContent& content, const std::vector<int>& columns, double width,
                            const Theme& theme) {
    m_slots.clear();
    m_height = 0;
    const QFont titleFont = theme.font(11);
    const double line = std::ceil(QFontMetricsF(titleFont).height()) + theme.px(2);
    const double gap = theme.px(14);
    double x = 0;
    double y = 0;
    double bottom = 0;
    for (const int column : columns) {
        const QFont font = fontOf(content, column, theme);
        const double title =
            std::ceil(textWidth(content.columns[std::size_t(column)].title, titleFont)) + theme.px(6);
        const double value = widestOf(content, column, font);
        if (x > 0 && x + title + value > width) {
            x = 0;
            y = bottom;
        }
        Slot slot{column, {x, y, title, line}, {x + title, y, std::min(value, width - x - title), line}};
        if (value > slot.value.width())
            slot.value.setHeight(highestOf(content, column, font, slot.value.width()) + theme.px(2));
        bottom = std::max(bottom, slot.value.bottom());
        x = slot.value.right() + gap;
        m_slots.push_back(slot);
    }
    if (!m_slots.empty())
        m_height = bottom + theme.px(4);
}

void FoldedColumns::leaveOut(int column) {
    std::erase_if(m_slots, [column](const Slot& slot) { return slot.column == column; });
}

bool FoldedColumns::holds(int column) const {
    return std::ranges::find(m_slots, column, &Slot::column) != m_slots.end();
}

QString FoldedColumns::text(const TableContent& content, int row) const {
    QStringList parts;
    for (const Slot& slot : m_slots)
        if (const QString value = valueOf(content, row, slot.column); !value.isEmpty())
            parts << content.columns[std::size_t(slot.column)].title + QLatin1Char(' ') + value;
    return parts.join(QStringLiteral(", "));
}

void FoldedColumns::paint(QPainter& painter, const QPointF& place, const TableContent& content, int row,
                          const Theme& theme) const {
    for (const Slot& slot : m_slots) {
        const QString value = valueOf(content, row, slot.column);
        if (value.isEmpty())
            continue;
        painter.setPen(theme.color(Role::Text3));
        painter.setFont(theme.font(11));
        painter.drawText(slot.title.translated(place), Qt::AlignLeft | Qt::AlignVCenter,
                         content.columns[std::size_t(slot.column)].title);
        painter.setPen(theme.color(Role::Text));
        painter.setFont(fontOf(content, slot.column, theme));
        const bool isNumber = content.columns[std::size_t(slot.column)].kind == ColumnKind::Number;
        const bool isOneLine = slot.value.height() <= slot.title.height();
        painter.drawText(slot.value.translated(place),
                         int(isNumber ? Qt::AlignRight : Qt::AlignLeft) |
                             int(isOneLine ? Qt::AlignVCenter : Qt::AlignTop) | Qt::TextWordWrap,
                         value);
    }
}

} // namespace views
