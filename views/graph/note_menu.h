#pragma once

#include "views/graph/scene/canvas_commands.h"

class QMenu;
class QWidget;

namespace views {

/// Asks for the text of the note on the selected layers; an empty one takes it away.
void editNote(QWidget* parent, CanvasCommands& commands);
/// The colours of that note; nothing where there is none.
void addNoteColors(QMenu& menu, CanvasCommands& commands, const QWidget& surface);

} // namespace views
