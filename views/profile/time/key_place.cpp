#include "views/profile/time/key_place.h"

#include <QKeyEvent>

namespace views {

int placeOfKey(const QKeyEvent& event) {
#if defined(Q_OS_LINUX)
    // X11 and Wayland: evdev code + 8.
    switch (event.nativeScanCode()) {
    case 25:
        return Qt::Key_W;
    case 38:
        return Qt::Key_A;
    case 39:
        return Qt::Key_S;
    case 40:
        return Qt::Key_D;
    default:
        break;
    }
#endif
    return event.key();
}

} // namespace views
