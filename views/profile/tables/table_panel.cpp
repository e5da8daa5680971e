#include "views/profile/tables/table_panel.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/table_style.h"
#include "views/common/widgets/table_text.h"
#include "views/profile/tables/filter_chips.h"
#include "views/profile/tables/number_card.h"
#include "views/profile/tables/row_filter.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QStringList>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace views {

namespace {

/// Sorts by value, keeps the footer last, filters rows.
class ContentProxy final : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setFilters(std::vector<RowFilter> filters) {
        std::erase_if(filters, [](const RowFilter& filter) { return filter.isEmpty(); });
        m_filters = std::move(filters);
        invalidateFilter();
    }

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        const bool isFooterLeft = left.data(IsFooterRole).toBool();
        const bool isFooterRight = right.data(IsFooterRole).toBool();
        if (isFooterLeft != isFooterRight)
            return isFooterRight == (sortOrder() == Qt::AscendingOrder);
        const QVariant a = left.data(SortRole);
        const QVariant b = right.data(SortRole);
        if (a.typeId() == QMetaType::QString || b.typeId() == QMetaType::QString)
            return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
        return a.toDouble() < b.toDouble();
    }

    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        if (m_filters.empty() || sourceModel()->index(row, 0, parent).data(IsFooterRole).toBool())
            return true;
        const auto textOf = [&](int column) {
            return sourceModel()->index(row, column, parent).data().toString();
        };
        return std::ranges::all_of(m_filters, [&](const RowFilter& filter) { return filter.admits(textOf); });
    }

private:
    std::vector<RowFilter> m_filters;
};

/// Tells when the rows have another width or place: a table in a hidden tab gets its own only when it is
/// shown.
class WidthWatcher final : public QObject {
public:
    WidthWatcher(QWidget* watched, std::function<void()> changed)
        : QObject(watched)
        , m_changed(std::move(changed)) {
        watched->installEventFilter(this);
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
            m_changed();
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<void()> m_changed;
};

/// As wide as words in two lines have to be.
int foldedWidth(const QString& text, const QFont& font) {
    double least = textWidth(text, font);
    for (qsizetype at = text.indexOf(u' '); at >= 0; at = text.indexOf(u' ', at + 1))
        least = std::min(least, std::max(textWidth(text.left(at).trimmed(), font),
                                         textWidth(text.mid(at).trimmed(), font)));
    return static_cast<int>(std::ceil(least));
}

void paintCellBackground(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
    QStyleOptionViewItem copy(option);
    copy.index = index;
    option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &copy, painter, option.widget);
}

/// In px of a theme of scale 1, where its content needs less.
constexpr double widestElastic = 600;
/// It is never less, where its content needs as much: a name that is cut to two letters says nothing.
constexpr double leastNameWidth = 150;
constexpr double mostColumnWidth = 420;

/// Text with an optional swatch before it.
class CellDelegate : public TextDelegate {
public:
    using TextDelegate::TextDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const QVariant colour = index.data(SwatchRole);
        QStyleOptionViewItem moved(option);
        if (colour.isValid()) {
            const Theme& theme = themeOf(option.widget);
            paintCellBackground(painter, option, index);
            const double side = theme.px(10);
            const QRectF swatch(option.rect.left() + theme.px(8), option.rect.center().y() - side / 2 + 0.5,
                                side, side);
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            paintSwatch(*painter, swatch, colour.value<ThemeColour>()(theme), HatchPattern::None, theme);
            painter->restore();
            moved.rect.setLeft(option.rect.left() + theme.ipx(16));
            // The background is there already, over the whole cell.
            moved.state &= ~(QStyle::State_Selected | QStyle::State_MouseOver);
            moved.features &= ~QStyleOptionViewItem::Alternate;
        }
        TextDelegate::paint(painter, moved, index);
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        const QSize size = TextDelegate::sizeHint(option, index);
        return index.data(SwatchRole).isValid() ? size + QSize(themeOf(option.widget).ipx(16), 0) : size;
    }
};

/// A number on the colour of its heat.
void paintHeat(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index, double heat) {
    const Theme& theme = themeOf(option.widget);
    paintCellBackground(painter, option, index);
    const QColor fill = tableHeatColor(theme, heat);
    painter->save();
    painter->fillRect(QRectF(option.rect).adjusted(1, 1, -1, -1), fill);
    painter->setPen(inkOn(fill));
    paintElided(*painter, QRectF(option.rect).adjusted(theme.px(8), 0, -theme.px(8), 0),
                Qt::AlignRight | Qt::AlignVCenter, index.data(Qt::DisplayRole).toString(), theme.mono(11));
    painter->restore();
}

class NumberCellDelegate : public NumericDelegate {
public:
    using NumericDelegate::NumericDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        if (const QVariant heat = index.data(HeatRole); heat.isValid())
            paintHeat(painter, option, index, heat.toDouble());
        else
            NumericDelegate::paint(painter, option, index);
    }
};

class StackedBarDelegate : public TextDelegate {
public:
    using TextDelegate::TextDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = themeOf(option.widget);
        const QVariant bar = index.data(StackedBarRole);
        if (!bar.isValid())
            return TextDelegate::paint(painter, option, index);
        paintCellBackground(painter, option, index);
        const double height = theme.px(9);
        Gauge gauge;
        gauge.segments = bar.value<decltype(TableCell::bar)>()(theme);
        painter->save();
        paintGauge(*painter,
                   QRectF(option.rect.left() + theme.px(8), option.rect.center().y() - height / 2 + 0.5,
                          option.rect.width() - theme.px(16), height),
                   gauge, theme);
        painter->restore();
    }
};

class WaterfallDelegate : public TextDelegate {
public:
    using TextDelegate::TextDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        paintCellBackground(painter, option, index);
        const QVariant way = index.data(WayRole);
        if (!way.isValid())
            return;
        const Theme& theme = themeOf(option.widget);
        // The bars follow one another only in the order of the content.
        const auto* proxy = qobject_cast<const QSortFilterProxyModel*>(index.model());
        const bool isInOrder = proxy != nullptr && proxy->sortColumn() < 0 &&
                               proxy->rowCount() == proxy->sourceModel()->rowCount();
        painter->save();
        paintWaterfallRow(*painter, QRectF(option.rect).adjusted(theme.px(8), 0, -theme.px(8), 0),
                          way.toPointF().x(), way.toPointF().y(), index.data(BetterRole).toBool(),
                          isInOrder && !index.data(IsFooterRole).toBool(), theme);
        painter->restore();
    }
};

/// A cell with the line above the footer, and its piece of what goes on below.
template <class Delegate>
class Lined final : public Delegate {
public:
    Lined(const TablePanel& panel, QObject* parent)
        : Delegate(parent)
        , m_panel(panel) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem upper(option);
        if (const int height = int(m_panel.folded().height()); height > 0) {
            upper.rect.setBottom(option.rect.bottom() - height);
            QStyleOptionViewItem lower(option);
            lower.rect.setTop(upper.rect.bottom() + 1);
            paintCellBackground(painter, lower, index);
            painter->save();
            painter->setClipRect(lower.rect, Qt::IntersectClip);
            const double left = -static_cast<const QTableView*>(option.widget)->horizontalHeader()->offset();
            const Theme& theme = themeOf(&m_panel);
            m_panel.folded().paint(*painter, QPointF(left + theme.px(8), lower.rect.top()), m_panel.content(),
                                   index.data(ContentRowRole).toInt(), theme);
            painter->restore();
        }
        Delegate::paint(painter, upper, index);
        if (!index.data(IsFooterRole).toBool())
            return;
        painter->setPen(QPen(themeOf(option.widget).color(Role::BorderStrong), 1));
        painter->drawLine(QPointF(option.rect.left(), option.rect.top() + 0.5),
                          QPointF(option.rect.right() + 1, option.rect.top() + 0.5));
    }

private:
    const TablePanel& m_panel;
};

QAbstractItemDelegate* delegateFor(ColumnKind kind, const TablePanel& panel, QObject* parent) {
    switch (kind) {
    case ColumnKind::Number:
        return new Lined<NumberCellDelegate>(panel, parent);
    case ColumnKind::StackedBar:
        return new Lined<StackedBarDelegate>(panel, parent);
    case ColumnKind::SignedBar:
        return new Lined<BarDelegate>(panel, parent);
    case ColumnKind::Chip:
        return new Lined<ChipDelegate>(panel, parent);
    case ColumnKind::Waterfall:
        return new Lined<WaterfallDelegate>(panel, parent);
    case ColumnKind::Text:
        break;
    }
    return new Lined<CellDelegate>(panel, parent);
}

} // namespace

QColor tableHeatColor(const Theme& theme, double share) {
    return mix(theme.color(Role::Panel), theme.color(Role::Error), 0.06 + 0.84 * std::clamp(share, 0.0, 1.0));
}

QColor inkOn(const QColor& fill) {
    const QColor black(Qt::black);
    const QColor white(Qt::white);
    return contrastRatio(black, fill) >= contrastRatio(white, fill) ? black : white;
}

TablePanel::TablePanel(const QString& accessibleName, QWidget* parent)
    : QWidget(parent)
    , m_table(new QTableView(this))
    , m_model(new ContentModel(this))
    , m_proxy(new ContentProxy(this))
    , m_nothing(new QLabel(this))
    , m_chips(new FilterChips(this))
    , m_trouble(new QLabel(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_chips, 0, Qt::AlignLeft);
    layout->addWidget(m_trouble);
    m_trouble->setTextFormat(Qt::PlainText);
    m_trouble->setWordWrap(true);
    m_trouble->setContentsMargins(8, 2, 8, 4);
    m_trouble->setProperty("role", "error");
    m_trouble->hide();
    layout->addWidget(m_table);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &TablePanel::chooseOfCell);
    auto* explaining = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_E), this);
    explaining->setContext(Qt::WidgetWithChildrenShortcut);
    connect(explaining, &QShortcut::activated, this, &TablePanel::explainCurrent);
    connect(m_chips, &FilterChips::removed, this, [this](int index) {
        QStringList kept = m_kept;
        kept.removeAt(index);
        setKeptFilters(kept);
        emit keptFiltersChanged(m_kept);
    });
    m_proxy->setSourceModel(m_model);
    m_table->setModel(m_proxy);
    styleTable(*m_table);
    m_table->horizontalHeader()->setMinimumSectionSize(themeOf(this).ipx(40));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setAccessibleName(accessibleName);
    new WidthWatcher(m_table->viewport(), [this] {
        stretchColumns();
        placeNothing();
    });
    m_nothing->setTextFormat(Qt::PlainText);
    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_nothing->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_nothing->setProperty("role", "text3");
    m_nothing->hide();
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    // The arrow takes its place beside the title.
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, [this] {
        if (m_isFolded.value_or(false) && !m_isSetting)
            adjustColumns();
    });
    m_table->horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table->horizontalHeader(), &QWidget::customContextMenuRequested, this,
            &TablePanel::chooseColumns);
    connect(m_model, &ContentModel::ticked, this, &TablePanel::rowTicked);
    // A double click goes to what a row is about.
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
    connect(
        m_model, &ContentModel::edited, this,
        // Once the editor has closed: the new content replaces what it stands on.
        [this](int row, int column, const QString& text) { emit cellEdited(row, column, text); },
        Qt::QueuedConnection);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_isSetting)
            emit rowsChosen(chosenRows());
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (!m_isSetting && now.isValid() && now.data(ContentRowRole).toInt() >= 0)
                    emit rowChosen(now.data(ContentRowRole).toInt());
            });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (index.data(ContentRowRole).toInt() >= 0)
            emit rowActivated(index.data(ContentRowRole).toInt());
    });
}

void TablePanel::setContent(TableContent content) {
    const QScopedValueRollback setting(m_isSetting, true);
    std::vector<QString> titles;
    for (const TableColumn& column : content.columns)
        titles.push_back(column.title);
    const bool hasNewColumns = titles != m_titles;
    m_titles = std::move(titles);
    const int row = currentRow();
    const std::vector<int> chosen = chosenRows();
    const int shift = m_table->horizontalScrollBar()->value();
    m_model->setContent(std::move(content));
    if (hasNewColumns) {
        for (const int column : std::exchange(m_leftOut, {}))
            m_table->setColumnHidden(column, false);
        m_chosenColumns.clear();
        for (std::size_t i = 0; i < m_model->content().columns.size(); ++i)
            m_table->setItemDelegateForColumn(
                static_cast<int>(i), delegateFor(m_model->content().columns[i].kind, *this, m_table));
        m_table->sortByColumn(-1, Qt::AscendingOrder);
    }
    if (!m_filter.isEmpty() || !m_kept.isEmpty())
        applyFilters();
    adjustColumns();
    setChosenRows(chosen, row);
    m_table->horizontalScrollBar()->setValue(hasNewColumns ? 0 : shift);
    explainNothing();
}

void TablePanel::adjustColumns() {
    const Theme& theme = themeOf(this);
    // Measuring every row of a long table takes long; a few hundred tell.
    QHeaderView& header = *m_table->horizontalHeader();
    header.setResizeContentsPrecision(200);
    const int most = theme.ipx(mostColumnWidth);
    m_widths.clear();
    for (std::size_t i = 0; i < m_model->content().columns.size(); ++i) {
        const TableColumn& column = m_model->content().columns[i];
        const int index = static_cast<int>(i);
        ColumnWidth width;
        if (column.width <= 0 || column.isElastic)
            width.cells = static_cast<QAbstractItemView*>(m_table)->sizeHintForColumn(index);
        if (column.width > 0) {
            width.inOneLine = width.folded = std::min(theme.ipx(column.width), most);
        } else {
            const QString title = m_model->headerData(index, Qt::Horizontal, Qt::DisplayRole).toString();
            const int arrow = theme.ipx(m_proxy->sortColumn() == index ? 12 : 2);
            width.inOneLine =
                std::min(most, std::max(width.cells + theme.ipx(6),
                                        static_cast<int>(textWidth(title, header.font())) + theme.ipx(26)));
            width.folded = std::min(
                most, std::max(width.cells, foldedWidth(title, header.font()) + theme.ipx(16) + arrow));
        }
        m_table->setColumnWidth(index, width.inOneLine);
        m_widths.push_back(width);
    }
    m_isFolded.reset();
    stretchColumns();
}

/// As wide as the texts of the first rows are.
int TablePanel::neededOf(int column) const {
    return m_widths[static_cast<std::size_t>(column)].cells + themeOf(this).ipx(16);
}

/// Where the columns do not fit beside one another, the titles take two lines; where they still do not, those
/// that can be done without are left out.
void TablePanel::foldTitles() {
    const auto& columns = m_model->content().columns;
    const auto isChosen = [this](int column) { return m_chosenColumns.contains(column); };
    const auto elastic = std::ranges::find_if(columns, &TableColumn::isElastic);
    const int elasticLeast = elastic == columns.end()
                                 ? 0
                                 : std::min(themeOf(this).ipx(leastNameWidth),
                                            neededOf(static_cast<int>(elastic - columns.begin())));
    const auto needed = [&](int ColumnWidth::*width) {
        int sum = 0;
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (!m_table->isColumnHidden(static_cast<int>(i)))
                sum += columns[i].isElastic ? std::max(m_widths[i].*width, elasticLeast) : m_widths[i].*width;
        return sum;
    };
    for (const int column : std::exchange(m_leftOut, {}))
        m_table->setColumnHidden(column, false);
    const int space = m_table->viewport()->width();
    const bool isFolded = needed(&ColumnWidth::inOneLine) > space;
    for (int i = static_cast<int>(columns.size()) - 1;
         i > 0 && isFolded && needed(&ColumnWidth::folded) > space; --i)
        if (columns[static_cast<std::size_t>(i)].isExtra && !isChosen(i) && !m_table->isColumnHidden(i)) {
            m_table->setColumnHidden(i, true);
            m_leftOut.insert(i);
        }
    if (m_isFolded == isFolded)
        return;
    m_isFolded = isFolded;
    m_model->setFoldedTitles(isFolded);
    m_table->horizontalHeader()->setFixedHeight(themeOf(this).ipx(isFolded ? 36 : 24));
    for (std::size_t i = 0; i < columns.size(); ++i)
        m_table->setColumnWidth(static_cast<int>(i), isFolded ? m_widths[i].folded : m_widths[i].inOneLine);
}

/// The elastic column takes the space that is left, unless that is less than it wants; then the table
/// scrolls. Nor does it take much more than it needs.
void TablePanel::stretchColumns() {
    // Between new content and its widths.
    if (m_widths.size() != m_model->content().columns.size())
        return;
    if (m_foldsColumns)
        foldBelow();
    else
        foldTitles();
    const auto& columns = m_model->content().columns;
    int others = 0;
    int elastic = -1;
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
        if (columns[static_cast<std::size_t>(i)].isElastic && !m_folded.holds(i))
            elastic = i;
        else if (!m_table->isColumnHidden(i))
            others += m_table->columnWidth(i);
    }
    QHeaderView& header = *m_table->horizontalHeader();
    header.setStretchLastSection(elastic < 0);
    for (int i = 0; i < header.count(); ++i)
        header.setSectionResizeMode(i, QHeaderView::Interactive);
    if (elastic < 0)
        return;
    int least = themeOf(this).ipx(columns[static_cast<std::size_t>(elastic)].width);
    const int space = m_table->viewport()->width() - others;
    int most = std::max(least, themeOf(this).ipx(widestElastic));
    if (space > most) // Values far from their names cannot be read along the row.
        most = std::max(most, neededOf(elastic));
    if (space < themeOf(this).ipx(leastNameWidth))
        least = std::max(least, std::min(neededOf(elastic), themeOf(this).ipx(leastNameWidth)));
    if (space >= least && space <= most)
        header.setSectionResizeMode(elastic, QHeaderView::Stretch);
    else
        m_table->setColumnWidth(elastic, std::clamp(space, least, most));
}

void TablePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    stretchColumns();
    placeNothing();
}

void TablePanel::foldColumns() {
    m_foldsColumns = true;
    stretchColumns();
}

/// What has no room beside the columns before it goes on below them, in every row at the same place.
void TablePanel::foldBelow() {
    const Theme& theme = themeOf(this);
    const auto& columns = content().columns;
    std::vector<int> wanted;
    for (int i = 0; i < static_cast<int>(columns.size()); ++i)
        if (m_folded.holds(i) || !m_table->isColumnHidden(i))
            wanted.push_back(i);
    // A folded column has no width of its own to be asked for.
    for (const int column : wanted)
        m_table->setColumnHidden(column, false);
    const int room = m_table->viewport()->width();
    int taken = 0;
    std::size_t fitting = 0;
    for (; fitting < wanted.size(); ++fitting) {
        const int column = wanted[fitting];
        taken += columns[std::size_t(column)].isElastic
                     ? neededOf(column)
                     : std::min(m_table->columnWidth(column), m_widths[std::size_t(column)].inOneLine);
        if (taken > room && fitting > 0)
            break;
    }
    wanted.erase(wanted.begin(), wanted.begin() + std::ptrdiff_t(fitting));
    for (const int column : wanted)
        m_table->setColumnHidden(column, true);
    m_folded.arrange(content(), wanted, room - theme.px(16), theme);
    m_table->verticalHeader()->setDefaultSectionSize(theme.ipx(24) + int(m_folded.height()));
    m_table->viewport()->update();
}

/// A menu with a tick per column; the first stays.
void TablePanel::chooseColumns(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 1; column < m_model->columnCount(); ++column) {
        QAction* action =
            menu->addAction(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(m_folded.holds(column) || !m_table->isColumnHidden(column));
        connect(action, &QAction::toggled, m_table, [this, column](bool isShown) {
            m_chosenColumns.insert(column);
            m_leftOut.erase(column);
            m_folded.leaveOut(column);
            m_table->setColumnHidden(column, !isShown);
            stretchColumns();
        });
    }
    menu->popup(m_table->horizontalHeader()->mapToGlobal(at));
}

/// What the cell under the mouse says, as a filter.
void TablePanel::chooseOfCell(const QPoint& at) {
    const QModelIndex index = m_table->indexAt(at);
    const QString text = index.data().toString();
    if (!index.isValid() || index.data(IsFooterRole).toBool() || text.isEmpty())
        return;
    const QString column = m_titles[static_cast<std::size_t>(index.column())];
    const QString shown = elidedMiddle(text, font(), themeOf(this).px(240));
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const int row = index.data(ContentRowRole).toInt();
    if (explanationOf(content(), std::size_t(row), std::size_t(index.column())))
        connect(menu->addAction(tr("Explain this number\tCtrl+E")), &QAction::triggered, this,
                [this, row, cell = index.column()] { explain(row, cell); });
    const auto add = [&](const QString& title, bool isInverted) {
        connect(menu->addAction(title), &QAction::triggered, this, [this, column, text, isInverted] {
            setKeptFilters(m_kept + QStringList(rowFilterText(column, text, isInverted)));
            emit keptFiltersChanged(m_kept);
        });
    };
    add(tr("Only rows with “%1”").arg(shown), false);
    add(tr("Only rows without “%1”").arg(shown), true);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

/// The number that the keys are on, or the first of its row that can be explained.
void TablePanel::explainCurrent() {
    const int row = currentRow();
    if (row < 0 || explain(row, m_table->currentIndex().column()))
        return;
    for (int column = 0; column < m_model->columnCount(); ++column)
        if (!m_table->isColumnHidden(column) && explain(row, column))
            return;
}

bool TablePanel::explain(int row, int column) {
    const auto explanation = row < 0 || column < 0
                                 ? std::nullopt
                                 : explanationOf(content(), std::size_t(row), std::size_t(column));
    if (!explanation)
        return false;
    if (m_card == nullptr)
        m_card = new NumberCard(this);
    m_card->disconnect(this);
    connect(m_card, &NumberCard::linkChosen, this,
            [this, row](const QString& link) { followLink(row, link); });
    const QRect cell = m_table->visualRect(m_proxy->index(std::max(0, placeOf(row)), column));
    m_card->showAt(m_table->viewport()->mapToGlobal(cell.bottomLeft()),
                   numberPage(content(), std::size_t(row), std::size_t(column), *explanation, themeOf(this)));
    return true;
}

/// "column:3": another number of the row; "figure:step_cycles": a figure of the run.
void TablePanel::followLink(int row, const QString& link) {
    const QString target = link.section(QLatin1Char(':'), 1);
    if (link.startsWith(QStringLiteral("column:"))) {
        explain(row, target.toInt());
        return;
    }
    m_card->hide();
    emit figureRequested(target);
}

void TablePanel::setFilter(const QString& text) {
    m_filter = text.trimmed();
    applyFilters();
    explainNothing();
}

void TablePanel::keepFilter() {
    if (m_filter.isEmpty())
        return;
    const QString filter = std::exchange(m_filter, QString());
    setKeptFilters(m_kept + QStringList(filter));
    emit keptFiltersChanged(m_kept);
}

std::optional<QString> TablePanel::takeFilter() {
    if (m_kept.isEmpty())
        return std::nullopt;
    m_filter = m_kept.last();
    setKeptFilters(m_kept.first(m_kept.size() - 1));
    emit keptFiltersChanged(m_kept);
    return m_filter;
}

void TablePanel::setKeptFilters(const QStringList& filters) {
    m_kept = filters;
    std::vector<FilterChips::Chip> chips;
    for (int i = 0; i < m_kept.size(); ++i)
        chips.push_back(
            {i, elidedMiddle(m_kept[i], font(), themeOf(this).px(220)), QStringLiteral("filter")});
    m_chips->setChips(std::move(chips));
    applyFilters();
    explainNothing();
}

void TablePanel::applyFilters() {
    QStringList columns;
    for (const QString& title : m_titles)
        columns.append(title);
    std::vector<RowFilter> filters;
    m_filterTrouble.clear();
    for (const QString& text : m_kept + QStringList(m_filter)) {
        filters.push_back(RowFilter::parse(text, columns));
        if (m_filterTrouble.isEmpty())
            m_filterTrouble = filters.back().trouble();
    }
    static_cast<ContentProxy*>(m_proxy)->setFilters(std::move(filters));
    m_trouble->setText(m_filterTrouble);
    m_trouble->setVisible(!m_filterTrouble.isEmpty());
    sumWhatIsShown();
}

void TablePanel::sumWhatIsShown() {
    const TableContent& content = m_model->content();
    if (!content.footerOf)
        return;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < content.rows.size(); ++row)
        if (m_proxy->mapFromSource(m_model->index(static_cast<int>(row), 0)).isValid())
            rows.push_back(row);
    m_model->setFooter(content.footerOf(rows));
}

void TablePanel::setEmptyText(const QString& text) {
    m_emptyText = text;
    explainNothing();
}

void TablePanel::explainNothing() {
    const bool hasRows = !m_model->content().rows.empty();
    const int shown = m_proxy->rowCount() - (m_model->content().footer.empty() ? 0 : 1);
    m_nothing->setText(!hasRows ? m_emptyText
                       : !m_filterTrouble.isEmpty()
                           ? QString()
                           : tr("No row holds “%1”.")
                                 .arg((m_kept + QStringList(m_filter)).join(QLatin1Char(' ')).trimmed()));
    m_nothing->setVisible(shown <= 0 && !m_nothing->text().isEmpty());
    placeNothing();
}

void TablePanel::placeNothing() {
    const QRect inside = m_table->viewport()->geometry().translated(m_table->pos());
    // Below the sum, which stays where no row does.
    const int sum = m_proxy->rowCount() > 0 ? m_table->rowHeight(0) : 0;
    m_nothing->setGeometry(inside.adjusted(themeOf(this).ipx(12), sum + themeOf(this).ipx(8),
                                           -themeOf(this).ipx(12), -themeOf(this).ipx(8)));
}

void TablePanel::setCurrentRow(int row) {
    setChosenRows({row}, row);
}

void TablePanel::setChosenRows(const std::vector<int>& rows, int current) {
    const QScopedValueRollback setting(m_isSetting, true);
    const auto isThere = [&](int row) { return row >= 0 && std::size_t(row) < content().rows.size(); };
    if (!isThere(current)) {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
        return;
    }
    std::vector<int> places;
    for (const int row : rows)
        if (const int place = isThere(row) ? placeOf(row) : -1; place >= 0)
            places.push_back(place);
    std::ranges::sort(places);
    QItemSelection selection;
    for (std::size_t first = 0, end = 0; first < places.size(); first = end) {
        end = first + 1;
        while (end < places.size() && places[end] == places[end - 1] + 1)
            ++end;
        selection.append({m_proxy->index(places[first], 0), m_proxy->index(places[end - 1], 0)});
    }
    QItemSelectionModel& chosen = *m_table->selectionModel();
    chosen.select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    // Whoever looks at columns further right goes on looking at them.
    const int column = std::max(0, m_table->currentIndex().column());
    const int shift = m_table->horizontalScrollBar()->value();
    const QModelIndex index = m_proxy->index(placeOf(current), column);
    chosen.setCurrentIndex(index, QItemSelectionModel::NoUpdate);
    m_table->scrollTo(index);
    m_table->horizontalScrollBar()->setValue(shift);
}

int TablePanel::placeOf(int row) const {
    return m_proxy->mapFromSource(m_model->index(row, 0)).row();
}

std::vector<int> TablePanel::chosenRows() const {
    std::vector<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        if (const int row = index.data(ContentRowRole).toInt(); row >= 0)
            rows.push_back(row);
    std::ranges::sort(rows);
    return rows;
}

int TablePanel::currentRow() const {
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() ? index.data(ContentRowRole).toInt() : -1;
}

void TablePanel::sortBy(int column, Qt::SortOrder order) {
    m_table->sortByColumn(column, order);
}

QString TablePanel::toCsv() const {
    return tableToCsv(*m_proxy);
}

namespace {

/// Enter and Backspace of an edit that filters tables.
class FilterKeys final : public QObject {
public:
    FilterKeys(QLineEdit& edit, std::function<std::vector<TablePanel*>()> tablesOf)
        : QObject(&edit)
        , m_edit(edit)
        , m_tablesOf(std::move(tablesOf)) {
        edit.installEventFilter(this);
        connect(&edit, &QLineEdit::textChanged, this, [this](const QString& text) {
            for (TablePanel* table : m_tablesOf())
                table->setFilter(text);
            markTrouble();
        });
        connect(&edit, &QLineEdit::returnPressed, this, [this] {
            // What names a column is kept with the table that has it.
            for (TablePanel* table : m_tablesOf())
                if (table->isVisible())
                    table->keepFilter();
            m_edit.clear();
        });
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Backspace &&
            m_edit.text().isEmpty()) {
            std::optional<QString> text;
            for (TablePanel* table : m_tablesOf())
                if (table->isVisible())
                    if (const auto taken = table->takeFilter())
                        text = taken;
            if (text)
                m_edit.setText(*text);
            return text.has_value();
        }
        return QObject::eventFilter(watched, event);
    }

private:
    /// A filter that no table can follow; the tables say why.
    void markTrouble() {
        const std::vector<TablePanel*> tables = m_tablesOf();
        const bool isWrong = !m_edit.text().isEmpty() && !tables.empty() &&
                             std::ranges::all_of(tables, [](const TablePanel* table) {
                                 return !table->filterTrouble().isEmpty();
                             });
        m_edit.setProperty("invalid", isWrong);
        m_edit.style()->polish(&m_edit);
    }

    QLineEdit& m_edit;
    std::function<std::vector<TablePanel*>()> m_tablesOf;
};

} // namespace

void filterTables(QLineEdit& edit, std::function<std::vector<TablePanel*>()> tablesOf) {
    edit.setToolTip(
        TablePanel::tr("Words that a row must hold. conv -relu: without relu. /b[0-9]$/: a regular "
                       "expression. kind:conv: in a column. time>1.5: by its number. Enter keeps the "
                       "filter, Backspace takes it back."));
    new FilterKeys(edit, std::move(tablesOf));
}

} // namespace views
