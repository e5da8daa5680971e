#include "views/graph/note_menu.h"

#include "core/project/project_edit.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/painting/canvas_notes.h"

#include <QInputDialog>
#include <QMenu>
#include <QPixmap>
#include <QPlainTextEdit>
#include <QShortcut>

namespace views {

void editNote(QWidget* parent, CanvasCommands& commands) {
    const core::CanvasNote* note = commands.selectedNote();
    const QString before = note == nullptr ? QString() : toQString(note->text);
    QInputDialog dialog(parent);
    dialog.setWindowTitle(CanvasCommands::tr("Note"));
    dialog.setLabelText(
        CanvasCommands::tr("Text on a frame around the selected layers; empty takes it away"));
    dialog.setOption(QInputDialog::UsePlainTextEditForTextInput);
    dialog.setTextValue(before);
    // Enter is for the next line: Tab leads to the buttons, and Ctrl+Enter is done.
    for (QPlainTextEdit* edit : dialog.findChildren<QPlainTextEdit*>())
        edit->setTabChangesFocus(true);
    for (const int key : {Qt::Key_Return, Qt::Key_Enter})
        QObject::connect(new QShortcut(QKeySequence(Qt::ControlModifier | Qt::Key(key)), &dialog),
                         &QShortcut::activated, &dialog, &QDialog::accept);
    if (dialog.exec() != QDialog::Accepted)
        return;
    if (const QString text = dialog.textValue().trimmed(); text != before)
        commands.writeNote(text);
}

void addNoteColors(QMenu& menu, CanvasCommands& commands, const QWidget& surface) {
    if (commands.selectedNote() == nullptr)
        return;
    QMenu* colors = menu.addMenu(CanvasCommands::tr("Colour of the note"));
    const int side = themeOf(&surface).ipx(12);
    for (std::int64_t colour = 0; colour < core::noteColours; ++colour) {
        QPixmap swatch(side, side);
        swatch.fill(noteColor(themeOf(&surface), colour));
        QObject::connect(colors->addAction(swatch, noteColorName(colour)), &QAction::triggered, &commands,
                         [&commands, colour] { commands.colourNote(colour); });
    }
}

} // namespace views
