#pragma once

class QMenu;
class QWidget;

namespace app {

class Workspaces;

/// Asks for a name and keeps the docks of all workspaces under it.
void askLayoutName(QWidget* parent, Workspaces& workspaces);

/// The layouts that were kept, to be taken or forgotten, filled whenever the menu opens.
void followLayouts(QMenu& menu, QWidget& window, Workspaces& workspaces);

} // namespace app
