#include "views/common/widgets/table_style.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"
#include "views/common/widgets/gauge.h"
#include "views/common/widgets/table_text.h"

#include <QApplication>
#include <QHeaderView>
#include <QPainter>
#include <QShortcut>
#include <QTableView>
#include <QTreeView>

namespace views {

namespace {

/// Selection, hover and alternate background of the cell.
void paintBackground(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
    QStyleOptionViewItem copy(option);
    copy.index = index;
    const QWidget* widget = option.widget;
    const QStyle* style = widget != nullptr ? widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &copy, painter, widget);
}

QColor textColor(const QStyleOptionViewItem& option, const QModelIndex& index) {
    const Theme& theme = themeOf(option.widget);
    if (const QVariant own = index.data(TextColorRole); own.isValid())
        return theme.color(static_cast<Role>(own.toInt()));
    return theme.color(option.state.testFlag(QStyle::State_Enabled) ? Role::Text : Role::Disabled);
}

QFont cellFont(const QStyleOptionViewItem& option, const QModelIndex& index, bool mono) {
    const QVariant own = index.data(Qt::FontRole);
    QFont font = mono ? themeOf(option.widget).mono(11) : option.font;
    if (own.canConvert<QFont>()) {
        const auto wanted = own.value<QFont>();
        font.setBold(wanted.bold());
        font.setItalic(wanted.italic());
        font.setStrikeOut(wanted.strikeOut());
    }
    return font;
}

/// Whether a text takes several lines where it may: words alone are parted.
bool wrapsIn(const QString& text, const QFont& font, double width) {
    return text.contains(u' ') && textWidth(text, font) > width;
}

void addCopyShortcut(QAbstractItemView& view) {
    auto* shortcut = new QShortcut(QKeySequence::Copy, &view);
    shortcut->setContext(Qt::WidgetShortcut);
    QObject::connect(shortcut, &QShortcut::activated, &view, [&view] { copySelection(view); });
}

} // namespace

void styleTable(QTableView& table) {
    const Theme& theme = themeOf(&table);
    table.setShowGrid(false);
    table.setAlternatingRowColors(true);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setWordWrap(false);
    table.setTextElideMode(Qt::ElideMiddle);
    table.setTabKeyNavigation(false);
    table.setMouseTracking(true);
    table.setSortingEnabled(true);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(theme.ipx(24));
    table.verticalHeader()->setMinimumSectionSize(theme.ipx(22));
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setFixedHeight(theme.ipx(24));
    table.horizontalHeader()->setStretchLastSection(true);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.setItemDelegate(new TextDelegate(&table));
    addCopyShortcut(table);
}

void styleTree(QTreeView& tree) {
    const Theme& theme = themeOf(&tree);
    tree.setUniformRowHeights(true);
    tree.setTextElideMode(Qt::ElideMiddle);
    tree.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    tree.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    tree.setMouseTracking(true);
    tree.setAnimated(false);
    tree.setIndentation(theme.ipx(16));
    tree.header()->setFixedHeight(theme.ipx(24));
    tree.setItemDelegate(new TextDelegate(&tree));
    addCopyShortcut(tree);
}

void TextDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    const Theme& theme = themeOf(option.widget);
    painter->save();
    paintBackground(painter, option, index);
    QRectF rect = QRectF(option.rect).adjusted(theme.px(8), 0, -theme.px(8), 0);
    if (const QVariant check = index.data(Qt::CheckStateRole); check.isValid()) {
        QStyleOptionViewItem box(option);
        const double side = theme.px(16);
        box.rect = QRectF(rect.left(), rect.center().y() - side / 2, side, side).toAlignedRect();
        box.state.setFlag(QStyle::State_On, check.toInt() == Qt::Checked);
        box.state.setFlag(QStyle::State_NoChange, check.toInt() == Qt::PartiallyChecked);
        box.state.setFlag(QStyle::State_HasFocus, false);
        option.widget->style()->drawPrimitive(QStyle::PE_IndicatorItemViewItemCheck, &box, painter,
                                              option.widget);
        rect.setLeft(rect.left() + side + theme.px(6));
    }
    if (const QVariant stage = index.data(StageRole); stage.isValid()) {
        const double side = stageChipSide(theme);
        paintStageChip(*painter, QRectF(rect.left(), rect.center().y() - side / 2, side, side),
                       stage.value<std::size_t>(), theme);
        rect.setLeft(rect.left() + side + theme.px(6));
    }
    if (const QString name = index.data(IconNameRole).toString(); !name.isEmpty()) {
        const double side = theme.px(14);
        const QVariant role = index.data(IconColorRole);
        const Role color = role.isValid() ? static_cast<Role>(role.toInt()) : Role::Text2;
        const QPixmap pixmap =
            iconPixmap(name, theme.color(color), theme.ipx(14), painter->device()->devicePixelRatioF());
        painter->drawPixmap(QPointF(rect.left(), rect.center().y() - side / 2), pixmap);
        rect.setLeft(rect.left() + side + theme.px(6));
    }
    const QString text = index.data(Qt::DisplayRole).toString();
    const QFont font = cellFont(option, index, false);
    if (const QString remark = index.data(RemarkRole).toString(); !remark.isEmpty()) {
        const QFont small = theme.mono(10);
        const double width = textWidth(remark, small);
        // A name is not cut for what stands beside it.
        if (width + theme.px(6) + textWidth(text, font) <= rect.width()) {
            painter->setPen(theme.color(Role::Text3));
            painter->setFont(small);
            painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter, remark);
            rect.setRight(rect.right() - width - theme.px(6));
        }
    }
    painter->setPen(textColor(option, index));
    painter->setFont(font);
    const QVariant own = index.data(Qt::TextAlignmentRole);
    const auto alignment =
        own.isValid() ? Qt::Alignment(own.toInt()) : Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter);
    if (option.features.testFlag(QStyleOptionViewItem::WrapText) && wrapsIn(text, font, rect.width()))
        painter->drawText(rect.adjusted(0, theme.px(3), 0, -theme.px(3)), int(alignment) | Qt::TextWordWrap,
                          text);
    else
        painter->drawText(rect, int(alignment) | Qt::TextSingleLine,
                          option.textElideMode == Qt::ElideRight ? elidedEnd(text, font, rect.width())
                                                                 : elidedMiddle(text, font, rect.width()));
    painter->restore();
}

QSize TextDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = themeOf(option.widget);
    double width = textWidth(index.data(Qt::DisplayRole).toString(), option.font) + theme.px(18);
    if (index.data(StageRole).isValid())
        width += stageChipSide(theme) + theme.px(6);
    if (!index.data(IconNameRole).toString().isEmpty() || index.data(Qt::CheckStateRole).isValid())
        width += theme.px(20);
    return {static_cast<int>(width), theme.ipx(24)};
}

void NumericDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    const Theme& theme = themeOf(option.widget);
    painter->save();
    paintBackground(painter, option, index);
    QRectF rect = QRectF(option.rect).adjusted(theme.px(8), 0, -theme.px(8), 0);
    const QString unit = index.data(UnitRole).toString();
    if (!unit.isEmpty()) {
        const QFont font = theme.mono(10);
        painter->setPen(theme.color(Role::Text3));
        paintElided(*painter, rect, Qt::AlignRight | Qt::AlignVCenter, unit, font);
        rect.setRight(rect.right() - textWidth(unit, font) - theme.px(4));
    }
    painter->setPen(textColor(option, index));
    paintElided(*painter, rect, Qt::AlignRight | Qt::AlignVCenter, index.data(Qt::DisplayRole).toString(),
                cellFont(option, index, true));
    painter->restore();
}

QSize NumericDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = themeOf(option.widget);
    const double unit = textWidth(index.data(UnitRole).toString(), theme.mono(10));
    const double width = textWidth(index.data(Qt::DisplayRole).toString(), theme.mono(11));
    return {static_cast<int>(width + unit + theme.px(22)), TextDelegate::sizeHint(option, index).height()};
}

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    const Theme& theme = themeOf(option.widget);
    painter->save();
    paintBackground(painter, option, index);
    const double height = theme.px(8);
    const QRectF rect(option.rect.left() + theme.px(8), option.rect.center().y() - height / 2 + 0.5,
                      option.rect.width() - theme.px(16), height);
    if (const QVariant value = index.data(BarRole); value.isValid())
        paintSignedBar(*painter, rect, value.toDouble(), index.data(BetterRole).toBool(), theme);
    painter->restore();
}

void ChipDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    if (!index.data(ToneRole).isValid())
        return TextDelegate::paint(painter, option, index);
    const Theme& theme = themeOf(option.widget);
    painter->save();
    paintBackground(painter, option, index);
    const QString text = index.data(Qt::DisplayRole).toString();
    const QString iconName = index.data(IconNameRole).toString();
    if (!text.isEmpty()) {
        const double height = theme.px(18);
        const double space = option.rect.width() - theme.px(12);
        const QRectF rect(option.rect.left() + theme.px(6), option.rect.center().y() - height / 2 + 0.5,
                          std::min(space, chipWidth(text, theme, !iconName.isEmpty())), height);
        paintChip(*painter, rect, text, static_cast<ChipTone>(index.data(ToneRole).toInt()), theme, iconName);
    }
    painter->restore();
}

} // namespace views
