#include "core/platform/terminal.h"

#include <cstdlib>
#include <unistd.h>

namespace core {

bool isErrorTerminal() {
    return isatty(STDERR_FILENO) == 1;
}

bool hasDisplay() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0')
            return true;
    }
    return false;
}

} // namespace core
