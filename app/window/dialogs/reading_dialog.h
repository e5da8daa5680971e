#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace app {

/// Does work that may take seconds on a thread of its own and comes back when it is done; meanwhile the
/// window is painted. Where it takes longer than a moment, a dialog with `what` is above `window`, so that
/// nothing else is begun and nothing closed.
void workAside(QWidget* window, const QString& what, const std::function<void()>& work);

} // namespace app
