#pragma once

#include "app/window/frame/window_parts.h"

#include <QObject>
#include <QString>
#include <functional>
#include <span>
#include <vector>

class QMainWindow;
class QStackedWidget;
class QWidget;

namespace app {

class DockPanel;

/// A task of the window: what stands in its middle, and the docks it starts with.
struct WorkspaceRow {
    const char* id;
    const char* title;
    const char* icon;
    const char* tip;
    QWidget* (*make)(const WindowParts& parts);
};

/// A page of a dock.
struct PanelRow {
    const char* id;
    const char* title;
    QWidget* (*make)(const WindowParts& parts);
};

/// A dock.
struct DockRow {
    const char* id;
    const char* title;
    Qt::DockWidgetArea area;
    /// Workspaces that show it until the person decides otherwise, apart by spaces.
    const char* workspaces;
    std::vector<PanelRow> panels;
};

/// Every workspace in the order of their keys, and every dock. A new view is one row here.
[[nodiscard]] std::span<const WorkspaceRow> workspaceRows();
[[nodiscard]] const std::vector<DockRow>& dockRows();

/// Pages and docks of the window. Each workspace has docks of its own, which it remembers.
class Workspaces final : public QObject {
    Q_OBJECT

public:
    Workspaces(QMainWindow& window, QStackedWidget& pages, const WindowParts& parts);

    /// The page of `start` is not a row: it stands while no project is open.
    void setStartPage(QWidget* page);
    [[nodiscard]] const QString& current() const { return m_current; }
    /// Unknown names are ignored.
    void show(const QString& id);
    /// A page of a dock, wherever it is; focus moves there.
    void showPanel(const QString& id);
    /// Makes a workspace's view if need be.
    QWidget* view(const QString& id);
    /// Makes a dock's page if need be.
    QWidget* panel(const QString& id);
    [[nodiscard]] const std::vector<DockPanel*>& docks() const { return m_docks; }
    /// The docks of all workspaces as they were made.
    void resetDocks();
    /// Remembers the docks of the present workspace.
    void keepDocks();

    static constexpr const char* startId = "start";

signals:
    void shown(const QString& id);

private:
    void applyDefaultDocks(const QString& id);
    void applyDocks(const QString& id);

    QMainWindow& m_window;
    QStackedWidget& m_pages;
    WindowParts m_parts;
    QString m_current;
    QWidget* m_start = nullptr;
    std::vector<QWidget*> m_views;
    std::vector<DockPanel*> m_docks;
};

} // namespace app
