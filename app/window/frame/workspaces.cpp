#include "app/window/frame/workspaces.h"

#include "app/window/frame/dock_panel.h"
#include "app/window/frame/window_settings.h"
#include "views/common/theme/widget_theme.h"

#include <QEvent>
#include <QGuiApplication>
#include <QMainWindow>
#include <QScopeGuard>
#include <QStackedWidget>
#include <algorithm>

namespace app {

using views::PanelId;
using views::WorkspaceId;

namespace {

/// Part of every saved state: another number makes states of older versions be ignored.
constexpr int stateVersion = 1;

/// Share of the window a dock gets where it was never changed: small at 1280 px, the design's at 1600.
QSize dockSize(const DockRow& row, const QSize& window, const views::Theme& theme) {
    const bool isSmall = window.width() < theme.ipx(1400);
    const bool isLarge = window.width() > theme.ipx(2200);
    if (row.area == Qt::LeftDockWidgetArea)
        return {theme.ipx(isSmall ? 200 : isLarge ? 300 : 236), 0};
    if (row.area == Qt::RightDockWidgetArea)
        return {theme.ipx(isSmall ? 272 : isLarge ? 360 : 296), 0};
    return {0, theme.ipx(isSmall ? 140 : isLarge ? 200 : 160)};
}

QString keyOf(WorkspaceId workspace) {
    const auto rows = workspaceRows();
    const auto row = std::ranges::find(rows, workspace, &WorkspaceRow::id);
    return row == rows.end() ? QString() : QString::fromLatin1(row->key);
}

} // namespace

std::span<const DockRow> dockRows() {
    using views::WorkspaceId;
    static constexpr DockRow rows[]{
        {DockId::Layers, "layers", QT_TRANSLATE_NOOP("app::Workspaces", "Layers"), Qt::LeftDockWidgetArea,
         WorkspaceId::Model},
        {DockId::Project, "project", QT_TRANSLATE_NOOP("app::Workspaces", "Project"), Qt::LeftDockWidgetArea,
         WorkspaceId::Model},
        {DockId::Properties, "properties", QT_TRANSLATE_NOOP("app::Workspaces", "Properties"),
         Qt::RightDockWidgetArea, WorkspaceId::Model},
        {DockId::Problems, "problems", QT_TRANSLATE_NOOP("app::Workspaces", "Problems and runs"),
         Qt::BottomDockWidgetArea, WorkspaceId::Model},
        {DockId::Schedule, "slots", QT_TRANSLATE_NOOP("app::Workspaces", "Schedule"),
         Qt::BottomDockWidgetArea, std::nullopt},
        {DockId::Tiles, "tiles", QT_TRANSLATE_NOOP("app::Workspaces", "Tiles"), Qt::RightDockWidgetArea,
         WorkspaceId::Memory},
    };
    return rows;
}

Workspaces::Workspaces(QMainWindow& window, QStackedWidget& pages, const ViewContext& context,
                       WindowSettings& settings)
    : QObject(&window)
    , m_window(window)
    , m_pages(pages)
    , m_context(context)
    , m_settings(settings)
    , m_views(workspaceRows().size(), nullptr) {
    for (const DockRow& row : dockRows()) {
        std::vector<DockPanel::Page> panels;
        for (const PanelRow& panel : panelRows()) {
            if (panel.dock == row.id)
                panels.push_back(
                    {panel.id, tr(panel.title), [this, make = panel.view.make] { return make(m_context); }});
        }
        auto* dock = new DockPanel(QString::fromLatin1(row.key), tr(row.title), std::move(panels), &window);
        if (row.area == Qt::BottomDockWidgetArea) {
            dock->setFoldable();
            connect(dock, &DockPanel::folded, this,
                    [this, key = QString::fromLatin1(row.key)](bool isFolded) {
                        m_settings.setFolded(key, isFolded);
                    });
        }
        connect(dock, &DockPanel::left, this, &Workspaces::focusView);
        dock->hide();
        window.addDockWidget(row.area, dock);
        dock->installEventFilter(this);
        m_docks.push_back(dock);
    }
    m_widths.assign(m_docks.size(), 0);
    window.installEventFilter(this);
    m_settle.setSingleShot(true);
    connect(&m_settle, &QTimer::timeout, this, &Workspaces::restoreWidths);
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

void Workspaces::setStartPage(QWidget* page) {
    m_start = page;
    m_pages.addWidget(page);
}

bool Workspaces::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        if (watched == &m_window)
            m_settle.start();
        // Only a person who moves a border means the width; every other change is the window's.
        else if (QGuiApplication::mouseButtons().testFlag(Qt::LeftButton) && !m_settle.isActive())
            noteWidths();
    }
    return QObject::eventFilter(watched, event);
}

void Workspaces::noteWidths() {
    for (std::size_t i = 0; i < m_docks.size(); ++i) {
        if (m_docks[i]->isVisible() && !m_docks[i]->isFloating())
            m_widths[i] = m_docks[i]->width();
    }
}

bool Workspaces::isLow() const {
    return m_window.height() < views::themeOf(&m_window).ipx(900);
}

/// In a low window the drawing needs the height more than lists do.
void Workspaces::foldDocks() {
    m_wasLow = isLow();
    const auto rows = dockRows();
    for (std::size_t i = 0; i < rows.size(); ++i)
        m_docks[i]->setFolded(m_settings.isFolded(QString::fromLatin1(rows[i].key), m_wasLow));
}

void Workspaces::restoreWidths() {
    if (isLow() != m_wasLow)
        foldDocks();
    for (std::size_t i = 0; i < m_docks.size(); ++i) {
        const bool isBeside = m_window.dockWidgetArea(m_docks[i]) != Qt::BottomDockWidgetArea;
        if (isBeside && m_docks[i]->isVisible() && !m_docks[i]->isFloating() && m_widths[i] > 0 &&
            m_docks[i]->width() != m_widths[i])
            m_window.resizeDocks({m_docks[i]}, {m_widths[i]}, Qt::Horizontal);
    }
}

QWidget* Workspaces::viewOf(WorkspaceId workspace) {
    const auto rows = workspaceRows();
    const auto row = std::ranges::find(rows, workspace, &WorkspaceRow::id);
    if (row == rows.end())
        return nullptr;
    QWidget*& view = m_views[std::size_t(row - rows.begin())];
    if (view == nullptr) {
        view = row->view.make(m_context);
        view->setAccessibleName(tr(row->title));
        m_pages.addWidget(view);
    }
    return view;
}

QWidget& Workspaces::viewOf(const QMetaObject& type) {
    const auto rows = workspaceRows();
    const auto row =
        std::ranges::find_if(rows, [&](const WorkspaceRow& one) { return one.view.type == &type; });
    Q_ASSERT_X(row != rows.end(), "Workspaces", "no workspace has a view of this class");
    return *viewOf(row->id);
}

QWidget& Workspaces::panelOf(PanelId panel, [[maybe_unused]] const QMetaObject& type) {
    QWidget* page = nullptr;
    for (DockPanel* dock : m_docks) {
        if (page == nullptr)
            page = dock->page(panel);
    }
    Q_ASSERT_X(page != nullptr && page->metaObject() == &type, "Workspaces", "the page is of another class");
    return *page;
}

void Workspaces::show(WorkspaceId workspace) {
    QWidget* page = workspace == WorkspaceId::Start ? m_start : viewOf(workspace);
    if (page == nullptr || workspace == m_current)
        return;
    keepDocks();
    m_window.setUpdatesEnabled(false);
    const auto guard = qScopeGuard([this] { m_window.setUpdatesEnabled(true); });
    m_current = workspace;
    m_pages.setCurrentWidget(page);
    applyDocks();
    page->setFocus();
    emit shown(workspace);
}

void Workspaces::focusView() {
    if (m_pages.currentWidget() != nullptr)
        m_pages.currentWidget()->setFocus();
}

void Workspaces::showPanel(PanelId panel) {
    for (std::size_t dock = 0; dock < m_docks.size(); ++dock) {
        if (const auto page = m_docks[dock]->find(panel))
            return showPage(dock, *page);
    }
}

void Workspaces::showPage(std::size_t dock, std::size_t page) {
    QWidget& widget = m_docks[dock]->showPage(page);
    if (widget.focusPolicy() != Qt::NoFocus || widget.focusProxy() != nullptr)
        widget.setFocus();
}

void Workspaces::keepDocks() {
    if (m_current && *m_current != WorkspaceId::Start)
        m_settings.setDocks(keyOf(*m_current), m_window.saveState(stateVersion));
}

void Workspaces::resetDocks() {
    m_settings.forgetDocks();
    applyDefaultDocks();
}

QStringList Workspaces::layouts() const {
    return m_settings.layouts();
}

void Workspaces::keepLayout(const QString& name) {
    keepDocks();
    m_settings.keepLayout(name);
}

void Workspaces::takeLayout(const QString& name) {
    if (!m_settings.takeLayout(name) || !m_current)
        return;
    applyDocks();
}

void Workspaces::forgetLayout(const QString& name) {
    m_settings.forgetLayout(name);
}

void Workspaces::applyDocks() {
    const QByteArray state = m_settings.docks(keyOf(*m_current));
    if (m_current == WorkspaceId::Start || state.isEmpty() || !m_window.restoreState(state, stateVersion))
        applyDefaultDocks();
    else
        m_widths.assign(m_docks.size(), 0);
    foldDocks();
    if (m_widths == std::vector<int>(m_docks.size(), 0))
        QTimer::singleShot(0, this, &Workspaces::noteWidths);
}

void Workspaces::applyDefaultDocks() {
    const auto rows = dockRows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        m_docks[i]->setFloating(false);
        m_window.addDockWidget(rows[i].area, m_docks[i]);
        m_docks[i]->setVisible(rows[i].workspace && rows[i].workspace == m_current);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (m_docks[i]->isHidden())
            continue;
        const QSize size = dockSize(rows[i], m_window.size(), views::themeOf(&m_window));
        const bool isBelow = rows[i].area == Qt::BottomDockWidgetArea;
        m_widths[i] = isBelow ? 0 : size.width();
        m_window.resizeDocks({m_docks[i]}, {isBelow ? size.height() : size.width()},
                             isBelow ? Qt::Vertical : Qt::Horizontal);
    }
}

} // namespace app
