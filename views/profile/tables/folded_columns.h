#pragma once

#include "views/profile/tables/table_content.h"

#include <QRectF>
#include <vector>

class QPainter;

namespace views {

/// Columns of a table that have no room beside the others: they go on below, in lines of each row, "title
/// value" one after the other, every one at the same place in all rows so that numbers can be compared.
class FoldedColumns {
public:
    /// Places these columns of the content in lines of a width in pixels.
    void arrange(const TableContent& content, const std::vector<int>& columns, double width,
                 const Theme& theme);

    void leaveOut(int column);
    [[nodiscard]] bool isEmpty() const { return m_slots.empty(); }
    [[nodiscard]] bool holds(int column) const;
    /// Of the lines of one row, in pixels.
    [[nodiscard]] double height() const { return m_height; }
    /// What the lines say of a row of the content; −1: of its footer.
    [[nodiscard]] QString text(const TableContent& content, int row) const;
    /// The lines of that row at the top left of `place`.
    void paint(QPainter& painter, const QPointF& place, const TableContent& content, int row,
               const Theme& theme) const;

private:
    struct Slot {
        int column = 0;
        /// From the top left of the lines.
        QRectF title;
        QRectF value;
    };
    std::vector<Slot> m_slots;
    double m_height = 0;
};

} // namespace views
