#pragma once

#include <QTabBar>

class QToolButton;

namespace views {

/// Tabs of which none is cut: those that have no room are in a menu behind the last one. The current one is
/// always there.
class FittingTabs final : public QTabBar {
    Q_OBJECT

public:
    explicit FittingTabs(QWidget* parent = nullptr);

    /// Titles of the tabs that are only in the menu.
    [[nodiscard]] QStringList titlesInMenu() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void tabLayoutChange() override;
    bool event(QEvent* event) override;

private:
    void fit();
    void openMenu();

    QToolButton* m_more;
    bool m_isFitting = false;
};

} // namespace views
