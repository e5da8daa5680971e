#include "views/common/widgets/search_popup.h"

#include "views/common/text/elided_text.h"
#include "views/common/text/fuzzy_match.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

namespace views {

namespace {

class EntryDelegate final : public QStyledItemDelegate {
public:
    explicit EntryDelegate(const SearchModel& model, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_model(model) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = themeOf(option.widget);
        const SearchEntry& entry = m_model.entry(index.row());
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, theme.color(Role::AccentSoft));
        QRectF line = QRectF(option.rect).adjusted(theme.px(12), 0, -theme.px(10), 0);
        line.setRight(line.right() - paintKeyCap(*painter, line, entry.shortcut, theme) - theme.px(8));
        const double side = theme.px(14);
        if (!entry.icon.isEmpty())
            paintIcon(*painter, QRectF(line.left(), line.center().y() - side / 2, side, side), entry.icon,
                      theme.color(entry.isEnabled ? Role::Text2 : Role::Disabled));
        line.setLeft(line.left() + side + theme.px(8));
        const double used = paintTitle(*painter, line, index.row(), entry, theme);
        painter->setPen(theme.color(Role::Text3));
        paintElided(*painter, line.adjusted(used + theme.px(8), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                    entry.category, theme.font(11));
        painter->restore();
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {200, themeOf(option.widget).ipx(28)};
    }

private:
    /// The matched letters bold; answers the width.
    double paintTitle(QPainter& painter, const QRectF& line, int row, const SearchEntry& entry,
                      const Theme& theme) const {
        const std::vector<int>& matched = m_model.highlights(row);
        const QFont plain = theme.font(12);
        const QFont bold = theme.font(12, QFont::Bold);
        painter.setPen(theme.color(entry.isEnabled ? Role::Text : Role::Disabled));
        double x = line.left();
        for (int i = 0; i < entry.title.size();) {
            const auto isMatched = [&](int at) {
                return std::binary_search(matched.begin(), matched.end(), at);
            };
            const bool lit = isMatched(i);
            int end = i + 1;
            while (end < entry.title.size() && isMatched(end) == lit)
                ++end;
            const QString run = entry.title.mid(i, end - i);
            const QFont& font = lit ? bold : plain;
            const double width = textWidth(run, font);
            painter.setFont(font);
            if (x + width > line.right()) {
                painter.drawText(QRectF(x, line.top(), line.right() - x, line.height()),
                                 Qt::AlignLeft | Qt::AlignVCenter, elidedEnd(run, font, line.right() - x));
                return line.width();
            }
            painter.drawText(QRectF(x, line.top(), width + 1, line.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, run);
            x += width;
            i = end;
        }
        return x - line.left();
    }

    const SearchModel& m_model;
};

} // namespace

void SearchModel::setEntries(std::vector<SearchEntry> entries) {
    beginResetModel();
    m_entries = std::move(entries);
    m_rows.clear();
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        m_rows.push_back({i, 0, {}});
    endResetModel();
}

namespace {

/// A pattern without the words that name the category of an entry: "theme dark" is Dark of the themes.
QString withoutCategory(const QString& pattern, const QString& category) {
    QStringList words = pattern.split(u' ', Qt::SkipEmptyParts);
    words.removeIf([&](const QString& word) { return category.startsWith(word, Qt::CaseInsensitive); });
    return words.join(u' ');
}

std::optional<FuzzyMatch> matchOf(const QString& pattern, const SearchEntry& entry) {
    std::optional<FuzzyMatch> match = fuzzyMatch(pattern, entry.title);
    if (match || !pattern.contains(u' '))
        return match;
    const QString rest = withoutCategory(pattern, entry.category);
    return rest.isEmpty() || rest.size() == pattern.size() ? std::nullopt : fuzzyMatch(rest, entry.title);
}

} // namespace

void SearchModel::setPattern(const QString& pattern) {
    beginResetModel();
    m_rows.clear();
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (std::optional<FuzzyMatch> match = matchOf(pattern, m_entries[i]))
            m_rows.push_back({i, match->score, std::move(match->positions)});
    }
    const auto rank = [this](const Row& row) { return std::pair(m_entries[row.entry].isEnabled, row.score); };
    std::stable_sort(m_rows.begin(), m_rows.end(),
                     [&](const Row& a, const Row& b) { return rank(a) > rank(b); });
    endResetModel();
}

int SearchModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant SearchModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::AccessibleTextRole))
        return {};
    const SearchEntry& which = entry(index.row());
    return role == Qt::DisplayRole ? which.title
                                   : which.title + u' ' + which.category + u' ' + which.shortcut;
}

Qt::ItemFlags SearchModel::flags(const QModelIndex& index) const {
    return entry(index.row()).isEnabled ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::ItemFlags();
}

SearchPopup::SearchPopup(const QString& hint, const QString& footer, QWidget* parent)
    : QFrame(parent, Qt::Popup | Qt::FramelessWindowHint)
    , m_field(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_count(new QLabel(this))
    , m_model(new SearchModel(this)) {
    const Theme& theme = themeOf(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(theme.ipx(10), theme.ipx(8), theme.ipx(10), theme.ipx(8));
    auto* glass = new QLabel(this);
    glass->setPixmap(icon(this, QStringLiteral("search")).pixmap(theme.ipx(16)));
    m_field->setFrame(false);
    m_field->setPlaceholderText(hint);
    m_field->setAccessibleName(hint);
    m_field->installEventFilter(this);
    m_count->setProperty("role", "text3");
    top->addWidget(glass);
    top->addWidget(m_field, 1);
    top->addWidget(m_count);
    layout->addLayout(top);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new EntryDelegate(*m_model, m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setMouseTracking(true);
    m_list->setAccessibleName(hint);
    layout->addWidget(m_list, 1);
    auto* bottom = new QLabel(footer, this);
    bottom->setProperty("role", "text3");
    bottom->setFont(theme.font(11));
    bottom->setContentsMargins(theme.ipx(12), theme.ipx(4), theme.ipx(12), theme.ipx(6));
    layout->addWidget(bottom);
    setFocusProxy(m_field);
    connect(m_field, &QLineEdit::textChanged, this, &SearchPopup::refilter);
    connect(m_list, &QListView::clicked, this, &SearchPopup::accept);
    connect(m_list, &QListView::entered, m_list, &QListView::setCurrentIndex);
}

void SearchPopup::setEntries(std::vector<SearchEntry> entries) {
    m_model->setEntries(std::move(entries));
    refilter();
}

void SearchPopup::openAt(const QPoint& global, bool centred) {
    const Theme& theme = themeOf(this);
    const QWidget* window = parentWidget()->window();
    const int width = std::min(theme.ipx(centred ? 520 : 320), window->width() - 20);
    const int height = std::min(theme.ipx(centred ? 420 : 340), window->height() - 20);
    resize(width, height);
    QPoint at = centred ? global - QPoint(width / 2, 0) : global;
    const QPoint low = window->mapToGlobal(QPoint(8, 8));
    const QPoint high =
        window->mapToGlobal(QPoint(window->width() - 8 - width, window->height() - 8 - height));
    at.setX(std::clamp(at.x(), low.x(), std::max(low.x(), high.x())));
    at.setY(std::clamp(at.y(), low.y(), std::max(low.y(), high.y())));
    move(at);
    m_field->clear();
    refilter();
    show();
    raise();
    m_field->setFocus(Qt::PopupFocusReason);
}

void SearchPopup::refilter() {
    QString pattern = m_field->text();
    if (m_source)
        m_model->setEntries(m_source(pattern));
    m_model->setPattern(pattern);
    m_count->setText(m_model->rowCount() == 0
                         ? tr("Nothing found")
                         : tr("%1 of %2").arg(m_model->rowCount()).arg(m_model->total()));
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (m_model->entry(row).isEnabled) {
            m_list->setCurrentIndex(m_model->index(row));
            return;
        }
    }
}

void SearchPopup::refresh() {
    const QModelIndex before = m_list->currentIndex();
    const QString id = before.isValid() ? m_model->entry(before.row()).id : QString();
    refilter();
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->entry(row).id == id)
            m_list->setCurrentIndex(m_model->index(row));
}

void SearchPopup::moveBy(int rows) {
    const int count = m_model->rowCount();
    int row = m_list->currentIndex().row();
    for (int step = 0; step < count; ++step) {
        row = std::clamp(row + rows, 0, count - 1);
        if (m_model->entry(row).isEnabled)
            break;
        rows = rows > 0 ? 1 : -1;
    }
    if (count > 0)
        m_list->setCurrentIndex(m_model->index(row));
}

void SearchPopup::accept() {
    const QModelIndex index = m_list->currentIndex();
    if (!index.isValid() || !m_model->entry(index.row()).isEnabled)
        return;
    const QString id = m_model->entry(index.row()).id;
    hide();
    emit chosen(id);
}

bool SearchPopup::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        moveBy(1);
        return true;
    case Qt::Key_Up:
        moveBy(-1);
        return true;
    case Qt::Key_PageDown:
        moveBy(8);
        return true;
    case Qt::Key_PageUp:
        moveBy(-8);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        accept();
        return true;
    case Qt::Key_Escape:
        hide();
        return true;
    default:
        return false;
    }
}

void SearchPopup::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    // Square, as menus are: where nothing composes windows, round corners would show black.
    painter.fillRect(rect(), theme.color(Role::BorderStrong));
    const int frame = std::max(1, int(theme.frameWidth()));
    painter.fillRect(rect().adjusted(frame, frame, -frame, -frame), theme.color(Role::Panel));
}

void SearchPopup::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    emit closed();
}

} // namespace views
