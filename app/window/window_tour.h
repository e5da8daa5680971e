#pragma once

namespace app {

class MainWindow;
class Tour;

/// Walks through the window in five steps. Opens an example where no project is open; null where there is
/// none.
Tour* startTour(MainWindow& window);

} // namespace app
