#include "app/window/frame/workspaces.h"

#include "app/window/frame/dock_panel.h"
#include "app/window/frame/window_settings.h"
#include "views/common/theme/active_theme.h"

#include <QMainWindow>
#include <QScopeGuard>
#include <QStackedWidget>

namespace app {

namespace {

/// Part of every saved state: another number makes states of older versions be ignored.
constexpr int stateVersion = 1;

/// Share of the window a dock gets where it was never changed: small at 1280 px, the design's at 1600.
QSize dockSize(const DockRow& row, const QSize& window) {
    const views::Theme& theme = views::activeTheme();
    const bool isSmall = window.width() < theme.ipx(1400);
    const bool isLarge = window.width() > theme.ipx(2200);
    if (row.area == Qt::LeftDockWidgetArea)
        return {theme.ipx(isSmall ? 200 : isLarge ? 300 : 236), 0};
    if (row.area == Qt::RightDockWidgetArea)
        return {theme.ipx(isSmall ? 272 : isLarge ? 360 : 296), 0};
    return {0, theme.ipx(isSmall ? 140 : isLarge ? 200 : 160)};
}

} // namespace

Workspaces::Workspaces(QMainWindow& window, QStackedWidget& pages, const WindowParts& parts)
    : QObject(&window)
    , m_window(window)
    , m_pages(pages)
    , m_parts(parts)
    , m_views(workspaceRows().size(), nullptr) {
    for (const DockRow& row : dockRows()) {
        std::vector<DockPanel::Page> panels;
        for (const PanelRow& panel : row.panels)
            panels.push_back({QString::fromLatin1(panel.id), tr(panel.title),
                              [this, make = panel.make] { return make(m_parts); }});
        auto* dock = new DockPanel(QString::fromLatin1(row.id), tr(row.title), std::move(panels), &window);
        dock->hide();
        window.addDockWidget(row.area, dock);
        m_docks.push_back(dock);
    }
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

void Workspaces::setStartPage(QWidget* page) {
    m_start = page;
    m_pages.addWidget(page);
}

QWidget* Workspaces::view(const QString& id) {
    const auto rows = workspaceRows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (id != QLatin1String(rows[i].id))
            continue;
        if (m_views[i] == nullptr) {
            m_views[i] = rows[i].make(m_parts);
            m_views[i]->setAccessibleName(tr(rows[i].title));
            m_pages.addWidget(m_views[i]);
        }
        return m_views[i];
    }
    return nullptr;
}

QWidget* Workspaces::panel(const QString& id) {
    for (DockPanel* dock : m_docks) {
        if (QWidget* page = dock->page(id))
            return page;
    }
    return nullptr;
}

void Workspaces::show(const QString& id) {
    QWidget* page = id == QLatin1String(startId) ? m_start : view(id);
    if (page == nullptr || id == m_current)
        return;
    keepDocks();
    m_window.setUpdatesEnabled(false);
    const auto guard = qScopeGuard([this] { m_window.setUpdatesEnabled(true); });
    m_current = id;
    m_pages.setCurrentWidget(page);
    applyDocks(id);
    page->setFocus();
    if (page != m_start)
        m_parts.settings.setWorkspace(id);
    emit shown(id);
}

void Workspaces::showPanel(const QString& id) {
    for (DockPanel* dock : m_docks) {
        if (dock->showPage(id)) {
            if (QWidget* page = dock->page(id); page->focusPolicy() != Qt::NoFocus || page->focusProxy())
                page->setFocus();
            return;
        }
    }
}

void Workspaces::keepDocks() {
    if (!m_current.isEmpty() && m_current != QLatin1String(startId))
        m_parts.settings.setDocks(m_current, m_window.saveState(stateVersion));
}

void Workspaces::resetDocks() {
    m_parts.settings.forgetDocks();
    applyDefaultDocks(m_current);
}

void Workspaces::applyDocks(const QString& id) {
    const QByteArray state = m_parts.settings.docks(id);
    if (id == QLatin1String(startId) || state.isEmpty() || !m_window.restoreState(state, stateVersion))
        applyDefaultDocks(id);
}

void Workspaces::applyDefaultDocks(const QString& id) {
    const std::vector<DockRow>& rows = dockRows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const QStringList shownIn = QString::fromLatin1(rows[i].workspaces).split(u' ');
        m_docks[i]->setFloating(false);
        m_window.addDockWidget(rows[i].area, m_docks[i]);
        m_docks[i]->setVisible(shownIn.contains(id));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (m_docks[i]->isHidden())
            continue;
        const QSize size = dockSize(rows[i], m_window.size());
        const bool isBelow = rows[i].area == Qt::BottomDockWidgetArea;
        m_window.resizeDocks({m_docks[i]}, {isBelow ? size.height() : size.width()},
                             isBelow ? Qt::Vertical : Qt::Horizontal);
    }
}

} // namespace app
