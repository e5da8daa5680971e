#pragma once

namespace app {

/// Makes painters and fonts usable where no window is: starts an application that needs no display, unless
/// there is one already.
void startPainting();

} // namespace app
