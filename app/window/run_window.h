#pragma once

namespace app {

/// Opens the window, with the project file among the arguments when there is one, and answers the exit code
/// when it closes. Needs a display.
[[nodiscard]] int runWindow(int argc, char** argv);

} // namespace app
