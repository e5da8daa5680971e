#include "views/timeline/lane_finder.h"

#include "views/common/text/fuzzy_match.h"
#include "views/common/theme/widget_theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace views {

LaneFinder::LaneFinder(const QStringList& names, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_names(names)
    , m_field(new QLineEdit(this))
    , m_list(new QListWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("surface", "card");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(4);
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    m_field->setPlaceholderText(tr("Find lane"));
    m_field->setAccessibleName(tr("Find lane"));
    m_field->installEventFilter(this);
    m_list->setAccessibleName(tr("Lanes"));
    connect(m_field, &QLineEdit::textChanged, this, &LaneFinder::filter);
    connect(m_field, &QLineEdit::returnPressed, this, &LaneFinder::accept);
    connect(m_list, &QListWidget::itemClicked, this, &LaneFinder::accept);
    filter({});
}

void LaneFinder::openAt(const QPoint& global) {
    const Theme& theme = themeOf(this);
    setGeometry(global.x(), global.y(), theme.ipx(260), theme.ipx(240));
    show();
    m_field->setFocus();
}

void LaneFinder::filter(const QString& pattern) {
    std::vector<std::pair<int, int>> found;
    for (int i = 0; i < m_names.size(); ++i) {
        if (const auto match = fuzzyMatch(pattern, m_names[i]))
            found.emplace_back(-match->score, i);
    }
    std::sort(found.begin(), found.end());
    m_list->clear();
    for (const auto& [score, index] : found) {
        auto* item = new QListWidgetItem(m_names[index], m_list);
        item->setData(Qt::UserRole, index);
    }
    m_list->setCurrentRow(0);
}

void LaneFinder::accept() {
    const QListWidgetItem* item = m_list->currentItem();
    if (item != nullptr)
        emit chosen(item->data(Qt::UserRole).toInt());
    close();
}

bool LaneFinder::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            const int row = m_list->currentRow() + (key == Qt::Key_Down ? 1 : -1);
            m_list->setCurrentRow(std::clamp(row, 0, std::max(0, m_list->count() - 1)));
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace views
