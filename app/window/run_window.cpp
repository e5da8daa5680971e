#include "app/window/run_window.h"

#include "app/window/main_window.h"
#include "core/base/version.h"

#include <QApplication>
#include <filesystem>

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
    std::filesystem::path project;
    if (arguments.size() > 1)
        project = arguments.at(1).toStdString();
    else if (const auto recents = window.settings().recents();
             window.settings().reopensLast() && !recents.empty())
        project = recents.front().path.toStdString();
    // A question about unsaved work is above the window.
    if (!project.empty() && !window.recovery().leftBehindOf(std::filesystem::absolute(project)).empty())
        window.show();
    if (!project.empty())
        window.files().open(project);
    window.show();
    return QApplication::exec();
}

} // namespace app
