#include "app/window/frame/dock_panel.h"

#include "views/common/tabs/fitting_tabs.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMainWindow>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace app {

namespace {

/// The 32 px head of a dock: a title or tabs, and a way to close it. Dragging it moves the dock.
class DockHead final : public QFrame {
public:
    explicit DockHead(QDockWidget& dock)
        : QFrame(&dock)
        , m_layout(new QHBoxLayout(this)) {
        const views::Theme& theme = views::themeOf(this);
        setProperty("surface", "panel");
        setProperty("line", "bottom");
        m_layout->setContentsMargins(theme.ipx(8), 0, theme.ipx(4), 0);
        m_layout->setSpacing(theme.ipx(4));
        m_layout->addStretch(1);
        auto* close = new QToolButton(this);
        close->setIcon(views::icon(this, QStringLiteral("close"), views::Role::Text3));
        close->setProperty("kind", "quiet");
        close->setProperty("small", true);
        close->setToolTip(QDockWidget::tr("Close (View menu shows it again)"));
        close->setAccessibleName(QDockWidget::tr("Close %1").arg(dock.windowTitle()));
        close->setFocusPolicy(Qt::TabFocus);
        QObject::connect(close, &QToolButton::clicked, &dock, &QWidget::hide);
        m_layout->addWidget(close);
    }

    // What QDockWidget lays it out by.
    [[nodiscard]] QSize sizeHint() const override {
        return {QFrame::sizeHint().width(), views::themeOf(this).ipx(32)};
    }

    void setContent(QWidget* content) {
        if (m_content != nullptr)
            m_content->hide();
        m_content = content;
        // All the room there is: tabs grow with the counts in them.
        m_layout->insertWidget(0, content, 100);
    }

    /// Left of the button that closes.
    QToolButton* addButton() {
        auto* button = new QToolButton(this);
        button->setProperty("kind", "quiet");
        button->setProperty("small", true);
        button->setFocusPolicy(Qt::TabFocus);
        m_layout->insertWidget(m_layout->count() - 1, button);
        return button;
    }

private:
    QHBoxLayout* m_layout;
    QWidget* m_content = nullptr;
};

} // namespace

DockPanel::DockPanel(const QString& id, const QString& title, std::vector<Page> pages, QWidget* parent)
    : QDockWidget(title, parent)
    , m_pages(std::move(pages))
    , m_stack(new QStackedWidget(this)) {
    setObjectName(id);
    setAccessibleName(title);
    auto* head = new DockHead(*this);
    if (m_pages.size() == 1) {
        auto* label = new QLabel(title, head);
        label->setFont(views::themeOf(this).font(12, QFont::DemiBold));
        head->setContent(label);
    } else {
        m_tabs = new views::FittingTabs(head);
        m_tabs->setAccessibleName(title);
        for (const Page& page : m_pages)
            m_tabs->addTab(page.title);
        head->setContent(m_tabs);
        connect(m_tabs, &QTabBar::currentChanged, m_stack, &QStackedWidget::setCurrentIndex);
    }
    m_title = head;
    setTitleBarWidget(head);
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        auto* holder = new QFrame(m_stack);
        holder->setProperty("surface", "panel");
        auto* layout = new QVBoxLayout(holder);
        layout->setContentsMargins(0, 0, 0, 0);
        m_holders.push_back(holder);
        m_made.push_back(nullptr);
        m_stack->addWidget(holder);
    }
    // Squeezed further, nothing in it could be read.
    m_stack->setMinimumWidth(views::themeOf(this).ipx(170));
    setWidget(m_stack);
    connect(this, &QDockWidget::visibilityChanged, this, [this](bool isVisible) {
        if (isVisible)
            makeCurrent();
    });
    connect(m_stack, &QStackedWidget::currentChanged, this, [this] {
        if (isVisible())
            makeCurrent();
    });
}

void DockPanel::makeCurrent() {
    make(std::size_t(m_stack->currentIndex()));
}

void DockPanel::make(std::size_t index) {
    if (m_made[index] != nullptr)
        return;
    m_made[index] = m_pages[index].make();
    if (auto* header =
            m_made[index]->findChild<QWidget*>(QStringLiteral("dockHeader"), Qt::FindDirectChildrenOnly))
        static_cast<DockHead*>(m_title)->setContent(header);
    for (QTabBar* tabs : m_title->findChildren<QTabBar*>())
        connect(tabs, &QTabBar::tabBarClicked, this, &DockPanel::unfold, Qt::UniqueConnection);
    m_holders[index]->layout()->addWidget(m_made[index]);
}

std::optional<std::size_t> DockPanel::find(views::PanelId id) const {
    const auto page = std::ranges::find(m_pages, std::optional(id), &Page::id);
    return page == m_pages.end() ? std::nullopt : std::optional(std::size_t(page - m_pages.begin()));
}

QWidget* DockPanel::page(views::PanelId id) {
    const std::optional<std::size_t> index = find(id);
    if (!index)
        return nullptr;
    make(*index);
    return m_made[*index];
}

void DockPanel::setFoldable() {
    if (m_fold != nullptr)
        return;
    m_fold = static_cast<DockHead*>(m_title)->addButton();
    connect(m_fold, &QToolButton::clicked, this, [this] {
        setFolded(!m_isFolded);
        emit folded(m_isFolded);
    });
    setFolded(false);
}

void DockPanel::setFolded(bool isFolded) {
    if (m_fold == nullptr)
        return;
    m_fold->setIcon(views::icon(this, isFolded ? QStringLiteral("chevron-right") : QStringLiteral("chevron"),
                                views::Role::Text3));
    m_fold->setToolTip(isFolded ? tr("Open") : tr("Fold: the tabs stay"));
    m_fold->setAccessibleName((isFolded ? tr("Open %1") : tr("Fold %1")).arg(windowTitle()));
    if (isFolded == m_isFolded)
        return;
    m_isFolded = isFolded;
    if (isFolded)
        m_openHeight = height();
    // Not hidden: the head has the width of what is below it.
    m_stack->setMaximumHeight(isFolded ? 0 : QWIDGETSIZE_MAX);
    setMaximumHeight(isFolded ? m_title->sizeHint().height() : QWIDGETSIZE_MAX);
    // The layout of the window keeps the size that it had until it is given another, once it knows the new
    // maximum.
    QMetaObject::invokeMethod(
        this,
        [this, isFolded] {
            auto* window = qobject_cast<QMainWindow*>(parentWidget());
            if (window == nullptr || m_isFolded != isFolded || isFloating())
                return;
            const int wanted = isFolded ? m_title->sizeHint().height()
                                        : std::max(std::min(m_openHeight, window->height() / 5),
                                                   views::themeOf(this).ipx(140));
            window->resizeDocks({this}, {wanted}, Qt::Vertical);
        },
        Qt::QueuedConnection);
}

void DockPanel::unfold() {
    if (!m_isFolded)
        return;
    setFolded(false);
    emit folded(false);
}

QTabBar* DockPanel::headTabs() const {
    for (QTabBar* tabs : m_title->findChildren<QTabBar*>())
        if (tabs != m_tabs)
            return tabs;
    return nullptr;
}

void DockPanel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier)
        emit left();
    else
        QDockWidget::keyPressEvent(event);
}

QWidget& DockPanel::showPage(std::size_t index) {
    setFolded(false);
    if (m_tabs != nullptr)
        m_tabs->setCurrentIndex(int(index));
    show();
    raise();
    make(index);
    return *m_made[index];
}

} // namespace app
