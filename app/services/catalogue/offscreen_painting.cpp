#include "app/services/catalogue/offscreen_painting.h"

#include <QApplication>
#include <array>

namespace app {

void startPainting() {
    if (QCoreApplication::instance() != nullptr)
        return;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    // Characters that a font lacks are taken from others by the language, and pictures have none.
    qputenv("FC_LANG", "en");
    // What Qt thinks of the machine is not what was asked.
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    static int count = 1;
    static std::array<char, 14> name{"ipu-workbench"};
    static std::array<char*, 2> arguments{name.data(), nullptr};
    static const QApplication application(count, arguments.data());
}

} // namespace app
