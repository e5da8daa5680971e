#include "app/window/frame/layout_menu.h"

#include "app/window/frame/workspaces.h"

#include <QCoreApplication>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>

namespace app {

namespace {

/// The context of its texts.
struct LayoutMenu {
    Q_DECLARE_TR_FUNCTIONS(app::LayoutMenu)
};

} // namespace

void askLayoutName(QWidget* parent, Workspaces& workspaces) {
    bool isGiven = false;
    const QString name =
        QInputDialog::getText(parent, LayoutMenu::tr("Keep the layout"),
                              LayoutMenu::tr("Name of the layout; one of this name is replaced"),
                              QLineEdit::Normal, LayoutMenu::tr("My layout"), &isGiven)
            .trimmed();
    if (isGiven && !name.isEmpty())
        workspaces.keepLayout(name);
}

void followLayouts(QMenu& menu, QWidget& window, Workspaces& workspaces) {
    const auto fill = [&menu, &window, &workspaces] {
        menu.clear();
        const QStringList names = workspaces.layouts();
        for (const QString& name : names)
            QObject::connect(menu.addAction(name), &QAction::triggered, &workspaces,
                             [&workspaces, name] { workspaces.takeLayout(name); });
        if (!names.isEmpty())
            menu.addSeparator();
        QObject::connect(menu.addAction(LayoutMenu::tr("Keep the layout as…")), &QAction::triggered,
                         &workspaces, [&window, &workspaces] { askLayoutName(&window, workspaces); });
        if (names.isEmpty())
            return;
        QMenu* forget = menu.addMenu(LayoutMenu::tr("Forget"));
        for (const QString& name : names)
            QObject::connect(forget->addAction(name), &QAction::triggered, &workspaces,
                             [&workspaces, name] { workspaces.forgetLayout(name); });
    };
    QObject::connect(&menu, &QMenu::aboutToShow, &workspaces, fill);
    fill();
}

} // namespace app
