#pragma once

#include "views/document/view_intents.h"

#include <QDockWidget>
#include <functional>
#include <optional>
#include <vector>

class QStackedWidget;
class QTabBar;
class QToolButton;

namespace app {

/// A dock with one page or several under tabs. A page is made when it is first seen; a direct child of it
/// called "dockHeader" takes the place of the dock's title.
class DockPanel final : public QDockWidget {
    Q_OBJECT

public:
    struct Page {
        /// Nothing for a page that is only found by its tab.
        std::optional<views::PanelId> id;
        QString title;
        std::function<QWidget*()> make;
    };

    DockPanel(const QString& id, const QString& title, std::vector<Page> pages, QWidget* parent);

    /// The place of a page; nothing when it is in another dock.
    [[nodiscard]] std::optional<std::size_t> find(views::PanelId id) const;
    /// Shows the dock with this page, and answers its widget.
    QWidget& showPage(std::size_t index);
    /// The widget of a page, made now if need be; null for an unknown one.
    QWidget* page(views::PanelId id);
    [[nodiscard]] const std::vector<Page>& pages() const { return m_pages; }
    /// The tabs that a page has in the place of the dock's title; null where it has none or was not seen yet.
    [[nodiscard]] QTabBar* headTabs() const;

    /// Puts a button into the head that leaves nothing but the head, and back. A click on a tab opens it too.
    void setFoldable();
    void setFolded(bool isFolded);
    [[nodiscard]] bool isFolded() const { return m_isFolded; }

signals:
    /// The person folded or opened it.
    void folded(bool isFolded);
    /// Escape, where nothing inside wanted it: the keyboard goes back to the workspace.
    void left();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void unfold();
    void make(std::size_t index);
    void makeCurrent();

    std::vector<Page> m_pages;
    std::vector<QWidget*> m_holders;
    std::vector<QWidget*> m_made;
    QStackedWidget* m_stack;
    QTabBar* m_tabs = nullptr;
    QWidget* m_title;
    QToolButton* m_fold = nullptr;
    bool m_isFolded = false;
    /// Before it was folded.
    int m_openHeight = 0;
};

} // namespace app
