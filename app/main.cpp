#include "app/verbs/batch.h"
#include "app/window/run_window.h"

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

/// Whether a window could be shown, so that the program can say so instead of being stopped by Qt.
bool hasDisplay() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0')
            return true;
    }
    return false;
}

} // namespace

/// Without a verb, or with a project file, the window; with a verb, no display at all.
int main(int argc, char** argv) {
    // A limit on the size of files is an error of writing, which is told and leaves nothing behind.
    std::signal(SIGXFSZ, SIG_IGN);
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (app::isBatch(arguments))
        return app::runBatch(arguments);
    if (!hasDisplay())
        return app::reportFailure(arguments, "display/missing", "", "there is no display to open a window on",
                                  "run a verb instead: ipu-workbench --help lists them");
    return app::runWindow(argc, argv);
}
