#include "app/window/run_window.h"

#include <QApplication>
#include <QMainWindow>

namespace app {

int runWindow(int argc, char** argv) {
    const QApplication application(argc, argv);
    QMainWindow window;
    window.setWindowTitle("IPU Workbench");
    window.show();
    return QApplication::exec();
}

} // namespace app
