#include "views/timeline/lane_finder.h"

#include "views/common/text/fuzzy_match.h"
#include "views/common/theme/widget_theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace views {

std::optional<std::vector<int>> admittedLanes(const LaneFilter& filter, const QStringList& names) {
    const QRegularExpression expression(filter.text, QRegularExpression::CaseInsensitiveOption);
    if (filter.isRegex && !expression.isValid())
        return std::nullopt;
    std::vector<std::pair<int, int>> found;
    for (int i = 0; i < names.size(); ++i) {
        const auto match = filter.isRegex ? std::nullopt : fuzzyMatch(filter.text, names[i]);
        const bool isMatch = filter.isRegex ? expression.match(names[i]).hasMatch() : match.has_value();
        if (isMatch != filter.isInverted)
            found.emplace_back(match ? -match->score : 0, i);
    }
    std::sort(found.begin(), found.end());
    std::vector<int> lanes;
    for (const auto& [score, index] : found)
        lanes.push_back(index);
    return lanes;
}

LaneFinder::LaneFinder(const QStringList& names, const LaneFilter& present, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_names(names)
    , m_field(new QLineEdit(this))
    , m_regex(new QToolButton(this))
    , m_invert(new QToolButton(this))
    , m_list(new QListWidget(this))
    , m_only(new QPushButton(tr("Show only these"), this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("surface", "card");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(m_field, 1);
    const auto addToggle = [&](QToolButton* button, const QString& text, const QString& tip, bool isOn) {
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setCheckable(true);
        button->setChecked(isOn);
        button->setProperty("small", true);
        row->addWidget(button);
        connect(button, &QToolButton::toggled, this, &LaneFinder::list);
    };
    addToggle(m_regex, QStringLiteral(".*"), tr("Regular expression"), present.isRegex);
    addToggle(m_invert, tr("Not"), tr("All other lanes"), present.isInverted);
    layout->addLayout(row);
    layout->addWidget(m_list);
    layout->addWidget(m_only);
    m_only->setToolTip(tr("Leaves all other lanes out until the filter is taken away (Ctrl+Enter)"));
    m_field->setPlaceholderText(tr("Find lane"));
    m_field->setAccessibleName(tr("Find lane"));
    m_field->setText(present.text);
    m_field->installEventFilter(this);
    m_list->setAccessibleName(tr("Lanes"));
    connect(m_field, &QLineEdit::textChanged, this, &LaneFinder::list);
    connect(m_field, &QLineEdit::returnPressed, this, &LaneFinder::accept);
    connect(m_list, &QListWidget::itemClicked, this, &LaneFinder::accept);
    connect(m_only, &QPushButton::clicked, this, &LaneFinder::showOnly);
    list();
}

void LaneFinder::openAt(const QPoint& global) {
    const Theme& theme = themeOf(this);
    setGeometry(global.x(), global.y(), theme.ipx(300), theme.ipx(270));
    show();
    m_field->selectAll();
    m_field->setFocus();
}

LaneFilter LaneFinder::present() const {
    return {m_field->text(), m_regex->isChecked(), m_invert->isChecked()};
}

void LaneFinder::list() {
    const auto found = admittedLanes(present(), m_names);
    m_field->setProperty("invalid", !found);
    m_field->style()->polish(m_field);
    m_list->clear();
    if (!found) {
        auto* why =
            new QListWidgetItem(tr("/%1/ is no regular expression: %2.")
                                    .arg(m_field->text(), QRegularExpression(m_field->text()).errorString()),
                                m_list);
        why->setFlags(Qt::NoItemFlags);
    }
    for (const int index : found.value_or(std::vector<int>())) {
        auto* item = new QListWidgetItem(m_names[index], m_list);
        item->setData(Qt::UserRole, index);
    }
    m_list->setCurrentRow(0);
    m_only->setEnabled(found && !found->empty());
}

void LaneFinder::showOnly() {
    if (!m_only->isEnabled())
        return;
    emit filtered(present());
    close();
}

void LaneFinder::accept() {
    const QListWidgetItem* item = m_list->currentItem();
    if (item != nullptr && item->flags().testFlag(Qt::ItemIsEnabled))
        emit chosen(item->data(Qt::UserRole).toInt());
    close();
}

bool LaneFinder::eventFilter(QObject* watched, QEvent* event) {
    // The window has another meaning for Ctrl+Enter.
    if (watched == m_field && event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            event->accept();
            return true;
        }
    }
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const auto* press = static_cast<QKeyEvent*>(event);
        const int key = press->key();
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) &&
            press->modifiers().testFlag(Qt::ControlModifier)) {
            showOnly();
            return true;
        }
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            const int row = m_list->currentRow() + (key == Qt::Key_Down ? 1 : -1);
            m_list->setCurrentRow(std::clamp(row, 0, std::max(0, m_list->count() - 1)));
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace views
