#pragma once

#include <QStyledItemDelegate>

class QHeaderView;
class QTableView;
class QTreeView;

namespace views {

/// What a cell of a table says beside Qt's own roles.
enum TableRole : int {
    /// Muted text after the number ("MiB").
    UnitRole = Qt::UserRole + 100,
    /// Stage number: a stage chip is drawn before the text.
    StageRole,
    /// Signed share −1 … 1 for the bar delegate.
    BarRole,
    /// Whether the signed value is an improvement.
    BetterRole,
    /// ChipTone as int for the chip delegate.
    ToneRole,
    /// Value to sort by where the text does not sort.
    SortRole,
    /// Name of an icon before the text, and the views::Role of its colour.
    IconNameRole,
    IconColorRole,
    /// The views::Role of the text's colour where it is not Role::Text.
    TextColorRole,
    /// Muted text at the right side of the same cell; dropped where it does not fit.
    RemarkRole,
};

/// 24 px rows, no grid, alternating rows, muted header, whole-row selection, sortable, copyable (Ctrl+C),
/// with the text delegate on every column.
void styleTable(QTableView& table);
void styleTree(QTreeView& tree);

/// Text with an optional stage chip or icon before it, elided in the middle; in a table that wraps words it
/// has as many lines as its row is high.
class TextDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// A number: monospace, right-aligned, its unit muted.
class NumericDelegate : public TextDelegate {
    Q_OBJECT

public:
    using TextDelegate::TextDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// A signed bar (BarRole, BetterRole).
class BarDelegate : public TextDelegate {
    Q_OBJECT

public:
    using TextDelegate::TextDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

/// The text as a chip where it has a tone (ToneRole), else as text.
class ChipDelegate : public TextDelegate {
    Q_OBJECT

public:
    using TextDelegate::TextDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace views
