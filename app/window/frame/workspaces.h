#pragma once

#include "app/services/catalogue/view_table.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <span>
#include <vector>

class QMainWindow;
class QStackedWidget;

namespace app {

class DockPanel;
class WindowSettings;

/// A dock of the window; its pages are the rows of the view table that name it.
struct DockRow {
    DockId id;
    /// Names it in the saved states of docks.
    const char* key;
    const char* title;
    Qt::DockWidgetArea area;
    /// Shown in this workspace until the person decides otherwise.
    std::optional<views::WorkspaceId> workspace;
};
[[nodiscard]] std::span<const DockRow> dockRows();

/// Pages and docks of the window. Each workspace has docks of its own, which it remembers. Views are made
/// when they are first seen or asked for.
class Workspaces final : public QObject {
    Q_OBJECT

public:
    Workspaces(QMainWindow& window, QStackedWidget& pages, const ViewContext& context,
               WindowSettings& settings);

    /// The page of `WorkspaceId::Start`, which is no row: it is shown while no project is open.
    void setStartPage(QWidget* page);
    /// Nothing before the first is shown.
    [[nodiscard]] std::optional<views::WorkspaceId> current() const { return m_current; }
    void show(views::WorkspaceId workspace);
    /// The keyboard goes to what is shown.
    void focusView();
    /// A page of a dock, wherever it is; focus moves there.
    void showPanel(views::PanelId panel);
    /// The same by the place of the dock in `docks` and of the page in it.
    void showPage(std::size_t dock, std::size_t page);

    /// The view of a workspace by its class; each class is the view of one workspace only.
    template <class View>
    [[nodiscard]] View& view() {
        return static_cast<View&>(viewOf(View::staticMetaObject));
    }
    /// A page by its class, of which it must be.
    template <class View>
    [[nodiscard]] View& panel(views::PanelId panel) {
        return static_cast<View&>(panelOf(panel, View::staticMetaObject));
    }

    [[nodiscard]] const std::vector<DockPanel*>& docks() const { return m_docks; }
    /// The docks of all workspaces as they were made.
    void resetDocks();
    /// Remembers the docks of the present workspace.
    void keepDocks();

    // Layouts: the docks of all workspaces under a name, for a task or a screen.
    [[nodiscard]] QStringList layouts() const;
    void keepLayout(const QString& name);
    void takeLayout(const QString& name);
    void forgetLayout(const QString& name);

signals:
    void shown(views::WorkspaceId workspace);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Docks that a small window squeezed get back what they had.
    void restoreWidths();
    void noteWidths();
    [[nodiscard]] bool isLow() const;
    void foldDocks();
    QWidget* viewOf(views::WorkspaceId workspace);
    QWidget& viewOf(const QMetaObject& type);
    QWidget& panelOf(views::PanelId panel, const QMetaObject& type);
    void applyDefaultDocks();
    void applyDocks();

    QMainWindow& m_window;
    QStackedWidget& m_pages;
    ViewContext m_context;
    WindowSettings& m_settings;
    std::optional<views::WorkspaceId> m_current;
    QWidget* m_start = nullptr;
    std::vector<QWidget*> m_views;
    std::vector<DockPanel*> m_docks;
    /// Widths as the person or the design left them, by the dock's place; 0 while it is not known.
    std::vector<int> m_widths;
    /// Gives the layout of the window time to settle.
    QTimer m_settle;
    bool m_wasLow = false;
};

} // namespace app
