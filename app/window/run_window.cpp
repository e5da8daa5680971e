#include "app/window/run_window.h"

#include "app/window/main_window.h"
#include "core/base/version.h"

#include <QApplication>

namespace app {

int runWindow(int argc, char** argv) {
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("ipu-workbench"));
    QApplication::setApplicationName(QStringLiteral("ipu-workbench"));
    QApplication::setApplicationDisplayName(QStringLiteral("IPU Workbench"));
    QApplication::setDesktopFileName(QStringLiteral("ipu-workbench"));
    QApplication::setApplicationVersion(views::toQString(core::programVersion));
    MainWindow window;
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() > 1)
        window.files().open(arguments.at(1).toStdString());
    else if (const auto recents = window.settings().recents();
             window.settings().reopensLast() && !recents.empty() && window.recovery().leftBehind().empty())
        window.files().open(recents.front().path.toStdString());
    window.show();
    return QApplication::exec();
}

} // namespace app
